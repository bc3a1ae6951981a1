/** A whole number of 16 digits may be one that a double cannot hold; shorter ones are held exactly. */
const MAYBE_ROUNDED = /\d{16}/;
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const WHOLE = /^-?\d+$/;

/**
 * What the exchange sends, with every whole number that a double would round as its text. Read as numbers, two ids of 18
 * digits are one. `idText` takes both.
 * @throws SyntaxError
 */
export function parseExchangeJson(json: string): unknown {
  if (!MAYBE_ROUNDED.test(json)) return JSON.parse(json);
  return JSON.parse(
    json.replace(TEXT_OR_NUMBER, (token) => (WHOLE.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token)),
  );
}

/**
 * A configured URL like `https://user:password@host/path` as `fetch` takes it: the credentials in a header. With them
 * in the URL `fetch` refuses the call, by a message that repeats the whole URL.
 */
export function credentialsApart(text: string): { url: string; headers: { authorization?: string } } {
  const url = new URL(text);
  const { username, password } = url;
  if (username === '' && password === '') return { url: text, headers: {} };
  url.username = '';
  url.password = '';
  const pair = `${decoded(username)}:${decoded(password)}`;
  return { url: url.href, headers: { authorization: `Basic ${Buffer.from(pair, 'utf8').toString('base64')}` } };
}

/** A lone percent sign is one. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

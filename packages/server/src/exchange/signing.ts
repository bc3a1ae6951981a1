import { createHmac, createPrivateKey, type KeyObject, sign } from 'node:crypto';

/** Signs requests of one key. HMAC-SHA-256 in hex for a secret, Ed25519 in base64 for a private key in PEM. */
export type Signer = {
  readonly kind: 'hmac' | 'ed25519';
  readonly apiKey: string;
  /** Of an account on paper: what it signs never leaves for the exchange whose prices it trades at. */
  readonly isPaper?: boolean;
  sign(payload: string): string;
};

const PEM = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;

/**
 * @throws RangeError with a sentence when a PEM text is not a usable Ed25519 key; the text itself is never in it
 */
export function signerFor(apiKey: string, apiSecret: string): Signer {
  if (!PEM.test(apiSecret)) {
    return { kind: 'hmac', apiKey, sign: (payload) => createHmac('sha256', apiSecret).update(payload, 'utf8').digest('hex') };
  }
  let key: KeyObject;
  try {
    key = createPrivateKey(apiSecret.trim());
  } catch {
    throw new RangeError('The private key could not be read; paste the whole PEM text of an Ed25519 key.');
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw new RangeError('Only Ed25519 private keys are supported; create an Ed25519 key or use an HMAC secret.');
  return { kind: 'ed25519', apiKey, sign: (payload) => sign(null, Buffer.from(payload, 'utf8'), key).toString('base64') };
}

export type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;

/** `a=1&b=2`, percent-encoded: what is signed is what is sent (the exchange checks the encoded text since 2026-01-15). */
export const encodeParameters = (parameters: Parameters): string =>
  Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');

/** A query string with its signature last. */
export function signedQuery(signer: Signer, parameters: Parameters): string {
  const payload = encodeParameters(parameters);
  return `${payload}&signature=${encodeURIComponent(signer.sign(payload))}`;
}

/** Parameters of a WebSocket API request with their signature: sorted by name, plain UTF-8, never percent-encoded. */
export function signedSocketParameters(signer: Signer, parameters: Parameters): Record<string, string | number | boolean> {
  const all = { ...parameters, apiKey: signer.apiKey };
  const entries = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  const payload = entries.map(([name, value]) => `${name}=${value}`).join('&');
  return { ...Object.fromEntries(entries), signature: signer.sign(payload) };
}

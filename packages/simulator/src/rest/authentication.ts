import { type ApiKey, checkKeyFormat, isSignedBy } from '../accounts/api-key.ts';
import { ApiError, illegalCharacters, invalidKey, missingParameter } from './api-error.ts';
import type { RequestParameters } from './request-parameters.ts';

/** `none`: public. `key`: an API key is enough. `read` and `trade`: signed, and the key must allow it. */
export type Security = 'none' | 'key' | 'read' | 'trade';

const STANDARD_WINDOW = 5000;
const LONGEST_WINDOW = 60_000;

/** The key of a request, or -2014/-2015. */
export function findKey(keys: ReadonlyMap<string, ApiKey>, apiKey: string | undefined): ApiKey {
  checkKeyFormat(apiKey);
  const key = keys.get(apiKey);
  if (!key) throw invalidKey();
  return key;
}

export function checkPermission(key: ApiKey, security: Security): void {
  if (security === 'read' && !key.restrictions.enableReading) throw invalidKey();
  if (security === 'trade' && !key.restrictions.enableSpotAndMarginTrading) throw invalidKey();
}

/** timestamp < serverTime + 1000 and serverTime - timestamp <= recvWindow, by the wall clock. */
export function checkTiming(parameters: RequestParameters, wallNow: number): void {
  parameters.required('timestamp');
  const timestamp = parameters.time('timestamp');
  if (timestamp === undefined) throw missingParameter('timestamp');
  const windowText = parameters.text('recvWindow');
  if (windowText !== undefined && !/^\d{1,5}(\.\d{1,3})?$/.test(windowText))
    throw illegalCharacters('recvWindow', '^[0-9]{1,5}(\\.[0-9]{1,3})?$');
  const window = windowText === undefined ? STANDARD_WINDOW : Number(windowText);
  if (window > LONGEST_WINDOW) throw new ApiError(-1131, 'recvWindow must be less than 60000');
  if (timestamp >= wallNow + 1000) throw new ApiError(-1021, "Timestamp for this request was 1000ms ahead of the server's time.");
  if (wallNow - timestamp > window) throw new ApiError(-1021, 'Timestamp for this request is outside of the recvWindow.');
}

export function checkSignature(key: ApiKey, payload: string, signature: string | undefined): void {
  if (!signature) throw missingParameter('signature');
  if (!isSignedBy(key, payload, signature)) throw new ApiError(-1022, 'Signature for this request is not valid.');
}

/** What a REST request signs: query and body as they were sent, joined by nothing, without the signature itself. */
export function restPayload(query: string, body: string): string {
  return withoutSignature(query) + withoutSignature(body);
}

const withoutSignature = (text: string): string =>
  text
    .split('&')
    .filter((part) => !part.startsWith('signature='))
    .join('&');

/** Text with characters that must be percent-encoded before signing; such requests are refused since 2026-01-15. */
export const isPercentEncoded = (text: string): boolean => /^[\x21-\x7e]*$/.test(text) && !/[<>"{}|\\^`]/.test(text);

/** What a WebSocket API request signs: its parameters sorted by name, as `name=value` joined by `&`, not percent-encoded. */
export function webSocketPayload(parameters: Iterable<[string, string]>): string {
  return [...parameters]
    .filter(([name]) => name !== 'signature')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

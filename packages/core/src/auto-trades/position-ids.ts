import { sha256 } from '@noble/hashes/sha2.js';

const text = new TextEncoder();
const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * Id of the n-th position of a coin in a run: a UUIDv8 of the SHA-256 of its coordinates (RFC 9562 section 5.8).
 * Derived, not drawn, so that a replay of the same inputs writes the same ids.
 */
export function positionIdFor(autoTradeId: string, runNo: number, symbol: string, number: number): string {
  const bytes = sha256(text.encode(`${autoTradeId}/${runNo}/${symbol}/${number}`)).slice(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  let hex = '';
  for (const byte of bytes) hex += HEX[byte]!;
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Attempts after which an order goes on under a step of its own, and the steps a position can take. */
export const MAX_ATTEMPT = 35;
const MAX_STEP = 46_655;

/**
 * The exchange's id of one order attempt: 32 hex digits of the position, three base-36 digits of the step and one of
 * the attempt. 36 characters, the exchange's maximum; the same attempt always has the same id, so asking for it
 * after a lost answer finds it.
 */
export function clientOrderIdFor(positionId: string, step: number, attempt: number): string {
  if (step > MAX_STEP || attempt > MAX_ATTEMPT)
    throw new RangeError(`clientOrderIdFor(): more than ${MAX_STEP} steps or ${MAX_ATTEMPT} attempts`);
  return `${positionId.replaceAll('-', '')}${step.toString(36).padStart(3, '0')}${attempt.toString(36)}`;
}

/** The position that an order id of ours belongs to; undefined for orders of others. */
export function positionIdOfOrder(clientOrderId: string): string | undefined {
  const hex = /^([0-9a-f]{32})[0-9a-z]{4}$/.exec(clientOrderId)?.[1];
  return hex && [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

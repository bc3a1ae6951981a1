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
const HASH_LENGTH = 12;

/**
 * What the order ids of one start of one installation begin with.
 * @param tag six base-36 digits: this installation, among others that trade on the same account
 * @param epoch thirteen base-36 digits: this start of it; a restored copy of the database begins another one
 */
export function orderPrefixFor(tag: string, epoch: string): string {
  const prefix = `pf-${tag}-${epoch}-`;
  if (!PREFIX.test(prefix)) throw new RangeError('orderPrefixFor(): six digits of the tag and thirteen of the epoch, in base 36');
  return prefix;
}
const PREFIX = /^pf-([0-9a-z]{6})-([0-9a-z]{13})-$/;
const OUR_ORDER = /^pf-([0-9a-z]{6})-([0-9a-z]{13})-[0-9a-z]{12}$/;

/**
 * The exchange's id of one order attempt; the same attempt of one start always has the same id, so asking for it after
 * a lost answer finds it. 36 characters, the exchange's maximum.
 * @param prefix `orderPrefixFor` of the start that decides it. Without one, in backtests and on tapes of version 0.1.0:
 *   32 hex digits of the position, three base-36 digits of the step and one of the attempt
 */
export function clientOrderIdFor(positionId: string, step: number, attempt: number, prefix?: string): string {
  if (step > MAX_STEP || attempt > MAX_ATTEMPT)
    throw new RangeError(`clientOrderIdFor(): more than ${MAX_STEP} steps or ${MAX_ATTEMPT} attempts`);
  if (prefix !== undefined) return prefix + attemptHash(positionId, step, attempt);
  return `${positionId.replaceAll('-', '')}${step.toString(36).padStart(3, '0')}${attempt.toString(36)}`;
}

/** What tells the attempts of all positions apart: the end of an order id, whatever start it belongs to. */
export function attemptHash(positionId: string, step: number, attempt: number): string {
  const bytes = sha256(text.encode(`${positionId}/${step}/${attempt}`));
  return new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0).toString(36).padStart(HASH_LENGTH, '0').slice(-HASH_LENGTH);
}

/** The installation and the start that an order id names; undefined for ids of others, and of version 0.1.0. */
export function startOfOrder(clientOrderId: string): { readonly tag: string; readonly epoch: string } | undefined {
  const [, tag, epoch] = OUR_ORDER.exec(clientOrderId) ?? [];
  return tag === undefined || epoch === undefined ? undefined : { tag, epoch };
}

/** False for ids that no Pilotfish gives, of whatever installation and version. */
export const isPilotfishOrder = (clientOrderId: string): boolean =>
  OUR_ORDER.test(clientOrderId) || positionIdOfOldOrder(clientOrderId) !== undefined;

/** The position that an order id of version 0.1.0 belongs to; undefined for all others. */
export function positionIdOfOldOrder(clientOrderId: string): string | undefined {
  const hex = /^([0-9a-f]{32})[0-9a-z]{4}$/.exec(clientOrderId)?.[1];
  return hex && [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

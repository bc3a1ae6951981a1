import { createHash } from 'node:crypto';

/** A UUID (version 8, RFC 9562) that the same words always give: what has it keeps its address, however often it is rebuilt. */
export function nameUuid(...words: readonly string[]): string {
  const bytes = createHash('sha256').update(words.join('\n')).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

export const positionId = (accountId: string, symbol: string, key: string): string => nameUuid('position', accountId, symbol, key);

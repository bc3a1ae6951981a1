import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { EntrySource } from '../positions/ledger-entry.ts';
import type { ImportDraft } from './import-draft.ts';

/**
 * Gives each row of a file the name it has for ever: the exchange's trade id, else the row itself and how many
 * times the same row was met in this file. So rows that are honestly alike survive, and the same file, or one
 * that overlaps it, brings nothing twice. The time stands first, so that rows of one time are written side by side:
 * names without any order cost a database several times as much. One namer per file.
 */
export function rowNamer(source: EntrySource, hash: TextHash = plainHash): (draft: ImportDraft) => string {
  const met = new Map<string, number>();
  return (draft) => {
    if (draft.kind === 'trade' && draft.tradeId !== null) return tradeIdentity(draft.symbol, draft.tradeId);
    const name = hash(canonical(draft)).slice(0, 32);
    const occurrence = (met.get(name) ?? 0) + 1;
    met.set(name, occurrence);
    return `${source}:${draft.at}:${name}:${occurrence}`;
  };
}

/** SHA-256 of a text in UTF-8, in hexadecimal. Where there are many rows a platform's own is several times as fast. */
export type TextHash = (text: string) => string;
const plainHash: TextHash = (text) => bytesToHex(sha256(utf8ToBytes(text)));

/** A fill the exchange itself has numbered, from wherever it came. */
export const tradeIdentity = (symbol: string, tradeId: string): string => `trade:${symbol}:${tradeId}`;

function canonical(draft: ImportDraft): string {
  switch (draft.kind) {
    case 'trade':
      return [
        draft.at,
        draft.symbol,
        draft.side,
        draft.price,
        draft.quantity,
        draft.quoteQuantity,
        draft.fee,
        draft.feeAsset,
        draft.orderId ?? '',
      ].join('|');
    case 'transfer':
      return [draft.at, draft.asset, draft.change, draft.transfer].join('|');
    case 'conversion':
    case 'swap':
      return [draft.at, draft.from.asset, draft.from.quantity, draft.to.asset, draft.to.quantity].join('|');
  }
}

/** What a fill looks like in any source that tells of it, to the second: for finding the same one in two of them. */
export const fillLikeness = (fill: { symbol: string; side: string; price: string; quantity: string; at: number }): string =>
  [fill.symbol, fill.side, fill.price, fill.quantity, Math.floor(fill.at / 1000)].join('|');

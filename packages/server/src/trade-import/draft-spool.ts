import { closeSync, createReadStream, openSync, writeSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import type { EntrySource } from '@pilotfish/core/positions/ledger-entry';
import type { ImportDraft, TradeDraft } from '@pilotfish/core/trade-import/import-draft';

/** A row that was read, with the name it has for ever. */
export type NamedDraft = { readonly draft: ImportDraft; readonly id: string; readonly source: EntrySource };

const WRITTEN_AT_ONCE = 256 * 1024;
const READ_AT_ONCE = 128 * 1024;

/** A spool that is written. */
export type DraftSpool = ReturnType<typeof writtenSpool>;

/**
 * Writes what was read of an upload into a file beside it: it is gone through several times, and as objects half a
 * million rows would take hundreds of megabytes of a process that has bots to run. Whoever owns the folder removes it.
 */
export function draftSpool(path: string) {
  const file = openSync(path, 'w', 0o600);
  let waiting: string[] = [];
  let length = 0;
  let isOpen = true;
  let count = 0;

  const flush = () => {
    writeSync(file, waiting.join(''));
    waiting = [];
    length = 0;
  };

  return {
    push: (named: NamedDraft): void => {
      const line = `${JSON.stringify(packed(named))}\n`;
      waiting.push(line);
      count += 1;
      length += line.length;
      if (length >= WRITTEN_AT_ONCE) flush();
    },
    count: (): number => count,
    /** After the last one; before it is read. */
    end: (): void => {
      if (!isOpen) return;
      isOpen = false;
      flush();
      closeSync(file);
    },
  };
}

/** What `draftSpool` wrote. @param count how much that is */
export function writtenSpool(path: string, count: number) {
  return {
    count: (): number => count,
    /** All of them in the order they came, some hundreds at a time; others have their turn in between. */
    async *parts(): AsyncGenerator<NamedDraft[]> {
      const decoder = new StringDecoder('utf8');
      let rest = '';
      for await (const chunk of createReadStream(path, { highWaterMark: READ_AT_ONCE })) {
        const lines = (rest + decoder.write(chunk as Buffer)).split('\n');
        rest = lines.pop() ?? '';
        if (lines.length > 0) yield lines.map((line) => unpacked(JSON.parse(line) as Packed));
      }
    },
  };
}

/** A trade as a list: its field names half a million times over would be most of the file. */
type PackedTrade = [
  id: string,
  source: EntrySource,
  row: number,
  at: number,
  symbol: string,
  baseAsset: string,
  quoteAsset: string,
  side: 'Buy' | 'Sell',
  price: string,
  quantity: string,
  quoteQuantity: string,
  fee: string,
  feeAsset: string,
  tradeId: string | null,
  orderId: string | null,
  feeUnknown: 0 | 1,
  aggregate: 0 | 1,
  notice: TradeDraft['notice'] | null,
];
type Packed = PackedTrade | NamedDraft;

function packed({ id, source, draft }: NamedDraft): Packed {
  if (draft.kind !== 'trade') return { id, source, draft };
  const { row, at, symbol, baseAsset, quoteAsset, side, price, quantity, quoteQuantity, fee, feeAsset, tradeId, orderId } = draft;
  const flags = [draft.feeUnknown ? 1 : 0, draft.aggregate ? 1 : 0, draft.notice ?? null] as const;
  const amounts = [price, quantity, quoteQuantity, fee, feeAsset] as const;
  return [id, source, row, at, symbol, baseAsset, quoteAsset, side, ...amounts, tradeId, orderId, ...flags];
}

function unpacked(line: Packed): NamedDraft {
  if (!Array.isArray(line)) return line;
  const [id, source, row, at, symbol, baseAsset, quoteAsset, side, price, quantity, quoteQuantity, fee, feeAsset, ...rest] = line;
  const [tradeId, orderId, feeUnknown, aggregate, notice] = rest;
  const draft: TradeDraft = {
    kind: 'trade',
    row,
    at,
    symbol,
    baseAsset,
    quoteAsset,
    side,
    price,
    quantity,
    quoteQuantity,
    fee,
    feeAsset,
    tradeId,
    orderId,
    ...(feeUnknown === 1 ? { feeUnknown: true } : {}),
    ...(aggregate === 1 ? { aggregate: true } : {}),
    ...(notice == null ? {} : { notice }),
  };
  return { draft, id, source };
}

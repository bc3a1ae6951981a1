import * as z from 'zod';
import { type AutoTradeConfig, autoTradeConfigSchema } from '../auto-trades/config/auto-trade-config.ts';
import { isTapeKind, type TapeRecord } from '../auto-trades/engine/tape.ts';
import { ratio } from '../http/wire.ts';
import { pairSchema } from '../prices/prices-contract.ts';
import { walletSchema } from '../wallets/wallets-contract.ts';

/** One thing wrong with a tape: which line of it, and what. */
export class TickTapeError extends Error {
  readonly code: 'NOT_JSON' | 'NOT_ACTIVATED' | 'BAD_RECORD' | 'NO_TICKS' | 'OTHER_CONDITIONS' | 'NO_REFERENCE';
  readonly line: number;
  constructor(code: TickTapeError['code'], line: number, message: string) {
    super(message);
    this.name = 'TickTapeError';
    this.code = code;
    this.line = line;
  }
}

/** What a run needs of an activation; the rest of it is the bot's own writing. */
const activation = z.looseObject({
  autoTradeId: z.string(),
  runNo: z.int(),
  configVersion: z.int(),
  config: autoTradeConfigSchema,
  pairs: z.array(pairSchema),
  takerFee: ratio(),
  takerFees: z.record(z.string(), ratio()).optional(),
  wallet: z.looseObject({
    currency: z.string(),
    sums: walletSchema.pick({ free: true, reserved: true, invested: true, realised: true, deposits: true, withdrawals: true }),
  }),
  restored: z.array(z.unknown()),
  acceptsEntries: z.boolean(),
  seq: z.int(),
});
const isPrice = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value > 0;

/**
 * Reads a recorded tape line by line, as `<data>/tapes/<bot>.jsonl` holds it. A last line that broke off (the process
 * ended while it wrote) is left out. Throws `TickTapeError` with the line that is wrong.
 */
export function* readTickTape(lines: Iterable<string>): Generator<TapeRecord, void, undefined> {
  let number = 0;
  let broken: TickTapeError | undefined;
  for (const text of lines) {
    number += 1;
    if (text.trim() === '') continue;
    if (broken) throw broken;
    let record: TapeRecord;
    try {
      record = JSON.parse(text) as TapeRecord;
    } catch {
      broken = new TickTapeError('NOT_JSON', number, `line ${number}: not JSON`);
      continue;
    }
    requireTapeRecord(record, number);
    yield record;
  }
  if (broken && number <= 1) throw broken;
}

/** @param number of its line, from 1 @throws TickTapeError for what a run cannot read */
export function requireTapeRecord(record: TapeRecord, number: number): void {
  const bad = (what: string) => new TickTapeError('BAD_RECORD', number, `line ${number}: ${what}`);
  if (typeof record !== 'object' || record === null || !isTapeKind(record.type)) throw bad('not a record of a tape');
  if (number === 1 && record.type !== 'activated')
    throw new TickTapeError('NOT_ACTIVATED', number, `line ${number}: a tape begins with an activation`);
  if (record.type === 'tick') {
    if (typeof record.symbol === 'string' && [record.at, record.price, record.bid, record.ask].every(isPrice)) return;
    throw bad('a price that is none');
  }
  if (record.type !== 'activated') return;
  const [issue] = activation.safeParse(record).error?.issues ?? [];
  if (issue) throw bad(`${issue.path.join('.')}: ${issue.message}`);
}

/**
 * Throws `TickTapeError` when a tape cannot answer what other settings ask: conditions were judged while it was
 * recorded, by the rules of then, and the price that a guard looks at is on it only when the bot had one.
 */
export function requireAnswers(wanted: AutoTradeConfig, recorded: AutoTradeConfig): void {
  const rulesOf = ({ entry, exit, timeframe }: AutoTradeConfig, side: 'entry' | 'exit') => {
    const rules = side === 'exit' ? exit.conditions : entry.trigger.kind === 'conditions' ? entry.trigger : null;
    return rules === null ? null : JSON.stringify([timeframe, rules]);
  };
  for (const side of ['entry', 'exit'] as const) {
    const rules = rulesOf(wanted, side);
    if (rules !== null && rules !== rulesOf(recorded, side))
      throw new TickTapeError('OTHER_CONDITIONS', 1, 'the conditions are not those that were judged while the tape was recorded');
  }
  if (wanted.protections.btcGuard !== null && recorded.protections.btcGuard === null)
    throw new TickTapeError('NO_REFERENCE', 1, 'the tape holds no prices of BTC for the guard');
}

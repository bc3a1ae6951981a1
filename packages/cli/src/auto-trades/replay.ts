import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { replayTape, type TapeRecord } from '@pilotfish/core/auto-trades/engine/tape';
import type { StoredTrace, Trace } from '@pilotfish/core/auto-trades/trace';
import { canonicalText } from '@pilotfish/core/fields/canonical-text';
import { formatPrice, UNKNOWN } from '@pilotfish/core/money/format';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure } from '../app/failure.ts';
import { type Places, pricePlaces } from '../app/price-places.ts';
import { printRows } from '../ui/output.ts';
import { traces } from './bot-columns.ts';
import { newest } from './bot-history.ts';
import { type BotsClient, botsClient } from './find-bot.ts';

/** Runs a recorded bot again; with --check compares every trace with the ones the server wrote when it happened. */
export async function replay(context: Context, { tape, check }: { tape: string; check?: true }): Promise<void> {
  const records = await readTape(tape);
  const replayed = replayTape(records);
  const activation = records.find((record) => record.type === 'activated');
  if (!check) return printRows(context, traces(await context.texts(), activation?.wallet.currency ?? ''), replayed);
  const stored = await storedTraces(await botsClient(context), activation?.autoTradeId ?? '');
  // What happened before the tape began is not on it.
  const since = activation?.seq ?? 0;
  const difference = firstDifference(replayed, stored.filter(({ seq }) => seq > since).reverse(), await pricePlaces(context));
  if (difference) throw new LocalFailure('replayDiffers', difference);
  await context.say('cli.replay.same', { count: replayed.length, records: records.length });
}

/** Every trace that the server keeps of a bot, newest first. */
export const storedTraces = (client: BotsClient, id: string): Promise<StoredTrace[]> =>
  newest<StoredTrace>(1_000_000, (page, pageSize) => client.listAutoTradeTraces({ params: { id }, query: { page, pageSize } }));

export async function readTape(file: string): Promise<TapeRecord[]> {
  if (!existsSync(file)) throw new LocalFailure('cannotRead', { file, reason: 'ENOENT' }, { exit: EXIT.usage });
  const records: TapeRecord[] = [];
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    if (text.trim() === '') continue;
    try {
      records.push(JSON.parse(text) as TapeRecord);
    } catch (error) {
      throw new LocalFailure('notTape', { file, line }, { exit: EXIT.usage, cause: error });
    }
  }
  if (records[0]?.type !== 'activated') throw new LocalFailure('notTape', { file, line: 1 }, { exit: EXIT.usage });
  return records;
}

/** What both sides must agree on: everything but the row id and the wall-clock time of writing. */
const comparable = ({ id: _id, recordedAt: _recordedAt, ...trace }: Partial<StoredTrace> & Trace): string => canonicalText(trace);

/** The first trace that is not the same on both sides, by its number in the run, with prices as their pair is read. */
export function firstDifference(
  replayed: readonly Trace[],
  stored: readonly StoredTrace[],
  places: Places,
): { seq: number; replayed: string; stored: string } | undefined {
  for (let index = 0; index < Math.max(replayed.length, stored.length); index += 1) {
    const [ours, theirs] = [replayed[index], stored[index]];
    if (ours && theirs && comparable(ours) === comparable(theirs)) continue;
    const line = (trace: Trace | undefined) =>
      trace ? `${trace.kind} ${trace.reason} ${formatPrice(trace.price, places(trace.symbol))}` : UNKNOWN;
    return { seq: index + 1, replayed: line(ours), stored: line(theirs) };
  }
  return undefined;
}

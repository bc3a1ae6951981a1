import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { settingName } from '@pilotfish/core/auto-trades/config/setting-words';
import { requireTapeRecord, TickTapeError } from '@pilotfish/core/backtest/tick-tape';
import {
  type ComparedPosition,
  type Comparison,
  comparisonContract,
  type RunComparison,
} from '@pilotfish/core/comparison/comparison-contract';
import { GAP_PARTS, reasonWords } from '@pilotfish/core/comparison/comparison-words';
import { compareWithRecording } from '@pilotfish/core/comparison/recorded-run';
import { isNothing } from '@pilotfish/core/money/figure';
import { formatPercent, formatResult, formatSigned, UNKNOWN } from '@pilotfish/core/money/format';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure, UsageError } from '../app/failure.ts';
import type { Translate } from '../app/texts.ts';
import { tint } from '../ui/colour.ts';
import { formatOf, printOne, printRows, type Resource } from '../ui/output.ts';
import { localTime } from '../ui/times.ts';
import { botsClient, findBot } from './find-bot.ts';
import { readTape, storedTraces } from './replay.ts';

type Run = 'real' | 'other';
const figure = (key: 'entryPrice' | 'exitPrice', run: Run) => ({
  key: `${key}.${run}`,
  right: true,
  value: (row: ComparedPosition) => row[run]?.[key] ?? null,
  pair: ({ symbol }: ComparedPosition) => symbol,
  none: UNKNOWN,
});

/** One row a position: what both paid and got, by how much the other came out better, and why. */
const compared = (t: Translate, { currency, real, other }: Comparison): Resource<ComparedPosition> => {
  const result = (run: Run, rank: number) => ({
    key: `result.${run}`,
    right: true,
    rank,
    value: (row: ComparedPosition) => row[run]?.result ?? null,
    shown: (row: ComparedPosition) => (row[run]?.result == null ? UNKNOWN : formatSigned(row[run].result, currency)),
  });
  const head = (run: Run, key: string) => t(`comparison.column.${key}`, { bot: (run === 'real' ? real : other)?.name ?? '' });
  return {
    empty: 'compared',
    columns: [
      { key: 'symbol', value: ({ symbol }) => symbol },
      {
        key: 'enteredAt',
        rank: 5,
        value: ({ real: one, other: two }) => (one ?? two)?.enteredAt ?? null,
        shown: ({ real: one, other: two }) => localTime((one ?? two)?.enteredAt),
      },
      { ...figure('entryPrice', 'real'), rank: 3, head: head('real', 'entry') },
      { ...figure('entryPrice', 'other'), rank: 3, head: head('other', 'entry') },
      { ...figure('exitPrice', 'real'), rank: 4, head: head('real', 'exit') },
      { ...figure('exitPrice', 'other'), rank: 4, head: head('other', 'exit') },
      { ...result('real', 2), head: head('real', 'result') },
      { ...result('other', 2), head: head('other', 'result') },
      {
        key: 'gap',
        right: true,
        head: t('comparison.column.gap'),
        value: ({ gap }) => gap?.total ?? null,
        shown: ({ gap }, paint) => (gap === null ? UNKNOWN : tint(paint, formatSigned(gap.total, currency))),
      },
      {
        key: 'reasons',
        head: t('comparison.column.reasons'),
        value: ({ reasons }) => reasons.join(' '),
        shown: (row) => reasonWords(t, row, { real, other }),
      },
    ],
  };
};

/** The sums of both, and where the difference comes from. */
function summary(t: Translate, document: Comparison, { real: happened, other: paper, gap, since, open }: RunComparison): string[] {
  const { currency, real, other } = document;
  const sums = (bot: string, { positions, result, resultPct }: RunComparison['real']) =>
    t('comparison.sums', {
      bot,
      count: positions,
      result: formatResult(result, currency),
      pct: resultPct === null ? UNKNOWN : formatPercent(resultPct),
    });
  const parts = GAP_PARTS.filter((part) => !isNothing(gap[part])).map(
    (part) => `  ${t(`comparison.part.${part}`)}  ${formatResult(gap[part], currency, 'fine')}`,
  );
  return [
    t('comparison.since', { time: localTime(since) }),
    sums(`${real.name} (${t(`cli.modes.${real.mode}`)})`, happened),
    sums(`${other?.name ?? ''} (${other ? t(`cli.modes.${other.mode}`) : ''})`, paper),
    ...(happened.positions + paper.positions === 0
      ? []
      : [t('comparison.gap', { bot: other?.name ?? '', amount: formatResult(gap.total, currency, 'fine') })]),
    ...parts,
    ...(open > 0 ? [t('comparison.open', { count: open })] : []),
    ...(other && other.differs.length > 0
      ? [t('comparison.differs', { names: other.differs.map((path) => settingName(path, (key, values) => t(key, values))).join(', ') })]
      : []),
  ];
}

/** A bot beside what a backtest makes of the prices that it was told: the run as it was recorded, by the backtest's exchange. */
async function withRecording(
  context: Context,
  bot: AutoTrade,
  { tape, latency = '0' }: CompareOptions & { tape: string },
): Promise<Comparison> {
  if (!/^\d{1,6}$/.test(latency)) throw new UsageError('invalidValue', { word: '--latency', allowed: '0 … 999999' });
  const records = await readTape(tape);
  const [first] = records;
  if (first?.type === 'activated' && first.autoTradeId !== bot.id)
    throw new LocalFailure('otherTape', { file: tape, bot: bot.name }, { exit: EXIT.usage });
  const { id, name, mode, currency, config } = bot;
  const stored = await storedTraces(await botsClient(context), id);
  const known = await (await context.client(comparisonContract)).listKnownPositions({ params: { id } });
  const t = await context.texts();
  try {
    for (const [index, record] of records.entries()) requireTapeRecord(record, index + 1);
    return compareWithRecording({
      bot: { id, name, mode, currency, slots: config.maxOpenPositions },
      records,
      stored,
      known,
      latencyMs: Number(latency),
      recording: t('comparison.recording'),
    });
  } catch (cause) {
    if (!(cause instanceof TickTapeError)) throw cause;
    const code = cause.code === 'NO_TICKS' ? 'tapeWithoutPrices' : 'badTape';
    throw new LocalFailure(
      code,
      { file: tape, reason: t(`comparison.tape.${cause.code}`, { line: cause.line }) },
      { exit: EXIT.usage, cause },
    );
  }
}

type CompareOptions = { bot: string; other?: string; tape?: string; latency?: string };

/** A bot beside another, or beside a backtest over its recording, position by position: how far they were from what happened. */
export async function compare(context: Context, options: CompareOptions): Promise<void> {
  const { bot: wanted, other, tape } = options;
  if (tape !== undefined && other !== undefined) throw new UsageError('tapeOrBot');
  if (tape === undefined && options.latency !== undefined) throw new UsageError('latencyNeedsTape');
  const client = await botsClient(context);
  const bot = await findBot(client, wanted);
  if (tape !== undefined) return print(context, await withRecording(context, bot, { ...options, tape }));
  const against = other === undefined ? undefined : await findBot(client, other);
  const calls = await context.client(comparisonContract);
  const document = await calls.compareAutoTrade({ params: { id: bot.id }, query: against ? { against: against.id } : {} });
  return print(context, document);
}

async function print(context: Context, document: Comparison): Promise<void> {
  const t = await context.texts();
  const format = formatOf(context);
  if (format === 'json' || format === 'jsonl') return printOne(context, { columns: [] }, document);
  if (document.comparison === null) return context.say('comparison.none', { currency: document.currency });
  await printRows(context, compared(t, document), document.comparison.positions);
  if (format === 'table') context.stdout.write(`\n${summary(t, document, document.comparison).join('\n')}\n`);
}

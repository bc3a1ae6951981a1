import { settingName } from '@pilotfish/core/auto-trades/config/setting-words';
import {
  type ComparedPosition,
  type Comparison,
  comparisonContract,
  type RunComparison,
} from '@pilotfish/core/comparison/comparison-contract';
import { GAP_PARTS, reasonWords } from '@pilotfish/core/comparison/comparison-words';
import { isNothing } from '@pilotfish/core/money/figure';
import { formatPercent, formatResult, formatSigned, UNKNOWN } from '@pilotfish/core/money/format';
import type { Context } from '../app/context.ts';
import type { Translate } from '../app/texts.ts';
import { tint } from '../ui/colour.ts';
import { formatOf, localTime, printOne, printRows, type Resource } from '../ui/output.ts';
import { botsClient, findBot } from './find-bot.ts';

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

/** A bot beside another, position by position: how far paper was from what happened. */
export async function compare(context: Context, { bot: wanted, other }: { bot: string; other?: string }): Promise<void> {
  const client = await botsClient(context);
  const bot = await findBot(client, wanted);
  const against = other === undefined ? undefined : await findBot(client, other);
  const calls = await context.client(comparisonContract);
  const document = await calls.compareAutoTrade({ params: { id: bot.id }, query: against ? { against: against.id } : {} });
  const t = await context.texts();
  const format = formatOf(context);
  if (format === 'json' || format === 'jsonl') return printOne(context, { columns: [] }, document);
  if (document.comparison === null) return context.say('comparison.none', { currency: document.currency });
  await printRows(context, compared(t, document), document.comparison.positions);
  if (format === 'table') context.stdout.write(`\n${summary(t, document, document.comparison).join('\n')}\n`);
}

import type { Answer } from '@pilotfish/core/http/endpoint';
import { add, decimal, sum, toText } from '@pilotfish/core/money/decimal';
import type { Percent } from '@pilotfish/core/money/figure';
import { formatPercent, formatRatio, formatResult, formatShare, formatSigned, UNKNOWN } from '@pilotfish/core/money/format';
import { getMonthlyOverview, getPositionsOverview } from '@pilotfish/core/positions/positions-contract';
import type { Context } from '../app/context.ts';
import { colours, tint } from '../ui/colour.ts';
import { type Column, formatOf, printRows, type Resource } from '../ui/output.ts';
import { sparkline } from '../ui/sparkline.ts';
import { widthOf } from '../ui/terminal-size.ts';
import { positionName, signed, unsigned } from './position-columns.ts';
import { totalLines } from './position-notes.ts';

type Month = Answer<typeof getMonthlyOverview>[number];
type Overview = Answer<typeof getPositionsOverview>;

const winRate = (value: Percent | null): string => (value === null ? UNKNOWN : formatShare(value, 1));

const months: Resource<Month> = {
  empty: 'months',
  columns: [
    { key: 'month', value: ({ month }) => month, shown: ({ month }, paint) => paint.bold(month) },
    { key: 'currency', value: ({ currency }) => currency },
    ...(['realised', 'realisedUsdt', 'best', 'worst'] as const).map(
      (key, index): Column<Month> => ({
        key,
        value: (row) => row[key],
        shown: (row, paint) => signed(paint, row[key], key === 'realisedUsdt' ? 'USDT' : row.currency),
        right: true,
        ...(index === 0 ? {} : { rank: [0, 1, 6, 7][index] as number }),
      }),
    ),
    { key: 'closed', value: ({ closed }) => String(closed), right: true },
    { key: 'wins', value: ({ wins }) => String(wins), right: true, rank: 8 },
    { key: 'losses', value: ({ losses }) => String(losses), right: true, rank: 9 },
    {
      key: 'winRatePct',
      value: ({ winRatePct }) => winRatePct,
      shown: ({ winRatePct }) => winRate(winRatePct),
      right: true,
      rank: 2,
    },
    {
      key: 'profitFactor',
      value: ({ profitFactor }) => profitFactor,
      shown: ({ profitFactor }) => (profitFactor === null ? UNKNOWN : formatRatio(profitFactor)),
      right: true,
      rank: 4,
    },
    { key: 'fees', value: ({ fees }) => fees, shown: ({ fees, currency }, paint) => unsigned(paint, fees, currency), right: true, rank: 3 },
    {
      key: 'volume',
      value: ({ volume }) => volume,
      shown: ({ volume, currency }, paint) => unsigned(paint, volume, currency),
      right: true,
      rank: 5,
    },
    { key: 'unmatched', value: ({ unmatched }) => String(unmatched), right: true, rank: 11 },
    { key: 'broken', value: ({ broken }) => String(broken), right: true, rank: 10 },
  ],
};

/** Results by month and currency, with their sum in USDT where every rate is known. */
export async function monthly(context: Context): Promise<void> {
  const client = await context.client({ getMonthlyOverview });
  const rows = await client.getMonthlyOverview();
  await printRows(context, months, rows);
  if (formatOf(context) !== 'table' || rows.length === 0) return;
  const t = await context.texts();
  const paint = colours(context, context.stdout);
  const known = rows.flatMap(({ realisedUsdt }) => (realisedUsdt === null ? [] : [decimal(realisedUsdt)]));
  const byMonth = new Map<string, ReturnType<typeof decimal>>();
  for (const { month, realisedUsdt } of rows)
    if (realisedUsdt !== null) byMonth.set(month, add(byMonth.get(month) ?? decimal('0'), decimal(realisedUsdt)));
  const line = sparkline(
    [...byMonth].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => Number(toText(value))),
    context.unicode,
  );
  const unknown = rows.length - known.length;
  const parts = [
    `${paint.bold(t('cli.positions.all'))} ${tint(paint, formatSigned(sum(known), 'USDT'))} USDT`,
    ...(line === '' ? [] : [line]),
    ...(unknown > 0 ? [paint.yellow(t('positions.monthsUnknown', { count: unknown }))] : []),
  ];
  context.stdout.write(`\n${parts.join('  ')}\n`);
}

const summary: readonly Column<Overview>[] = [
  {
    key: 'realisedThisMonth',
    value: (row) => row.realisedThisMonth,
    shown: (row, paint) => (row.realisedThisMonth === null ? UNKNOWN : `${tint(paint, formatSigned(row.realisedThisMonth, 'USDT'))} USDT`),
  },
  {
    key: 'winRatePct',
    value: (row) => row.winRatePct,
    shown: (row) => winRate(row.winRatePct),
  },
  { key: 'best', value: (row) => row.best?.realised ?? null, shown: (row, paint) => one(row.best, paint) },
  { key: 'worst', value: (row) => row.worst?.realised ?? null, shown: (row, paint) => one(row.worst, paint) },
];

const one = (position: Overview['best'], paint: ReturnType<typeof colours>): string =>
  position === null
    ? UNKNOWN
    : `${positionName(position)} ${signed(paint, position.realised, position.quoteAsset)} ${position.quoteAsset}${position.returnPct === null ? '' : ` (${formatPercent(position.returnPct)})`}`;

/** Totals of everything, open and closed, with the course of the results. */
export async function overview(context: Context): Promise<void> {
  const client = await context.client({ getPositionsOverview });
  const found = await client.getPositionsOverview();
  const { printOne } = await import('../ui/output.ts');
  await printOne(context, { columns: summary }, found);
  if (formatOf(context) !== 'table' || context.globals.fields) return;
  const t = await context.texts();
  const lines = await totalLines(context, t('cli.positions.all'), found.totals);
  if (found.excluded.count > 0)
    lines.push(
      t('positions.excludedPnl', {
        count: found.excluded.count,
        pnl: found.excluded.pnl === null ? UNKNOWN : formatResult(found.excluded.pnl, 'USDT'),
      }),
    );
  const values = found.equity.map(({ value }) => Number(value));
  const room = Math.max(2, widthOf(context) - 4);
  const step = Math.max(1, Math.ceil(values.length / room));
  const line = sparkline(
    values.filter((_, index) => index % step === 0 || index === values.length - 1),
    context.unicode,
  );
  if (line !== '') lines.push(`${t('positions.equity')}`, line);
  context.stdout.write(`\n${lines.length > 0 ? lines.join('\n') : t('positions.nothingSummed')}\n`);
}

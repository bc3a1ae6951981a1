import { isNothing, type Money, type Percent } from '@pilotfish/core/money/figure';
import { formatMoney, formatPercent, formatQuantity, formatSigned, UNKNOWN } from '@pilotfish/core/money/format';
import type { ClosedPosition, ClosedRow, OpenPosition } from '@pilotfish/core/positions/positions-contract';
import { shownText } from '../ui/cell-text.ts';
import { type Colours, tint } from '../ui/colour.ts';
import type { Column, Resource } from '../ui/output.ts';
import { sparkline } from '../ui/sparkline.ts';
import { localTime } from '../ui/times.ts';

export type Position = OpenPosition | ClosedPosition;

export const isOpen = (position: Position): position is OpenPosition => 'sparkline' in position;
export const positionName = ({ symbol, number }: Pick<Position, 'symbol' | 'number'>): string => `${symbol}#${number}`;

/** An amount with its sign and colour; unknown is a dash. */
export const signed = (paint: Colours, amount: Money | null, currency: string): string =>
  amount === null ? paint.dim(UNKNOWN) : tint(paint, formatSigned(amount, currency));
export const percent = (paint: Colours, value: Percent | null): string =>
  value === null ? paint.dim(UNKNOWN) : tint(paint, formatPercent(value));
export const unsigned = (paint: Colours, amount: Money | null, currency: string): string =>
  amount === null ? paint.dim(UNKNOWN) : formatMoney(amount, currency);

const name: Column<Position> = {
  key: 'symbol',
  value: ({ symbol }) => symbol,
  shown: (row, paint) => paint.bold(positionName(row)) + (row.excludedFromTotals ? paint.dim(' ∉') : ''),
};
/** In a pipe the number has a column of its own; a person reads it behind the pair. */
const number: Column<Position> = { key: 'number', value: (row) => String(row.number), right: true, dataOnly: true };
const quantity: Column<Position> = {
  key: 'quantity',
  value: (row) => row.quantity,
  shown: (row) => formatQuantity(row.quantity),
  right: true,
  rank: 6,
};
const averageCost: Column<Position> = {
  key: 'averageCost',
  value: (row) => row.averageCost,
  pair: ({ symbol }) => symbol,
  none: UNKNOWN,
  right: true,
  rank: 4,
};
const realised: Column<Position> = {
  key: 'realised',
  value: (row) => row.realised,
  shown: (row, paint) => signed(paint, row.realised, row.quoteAsset),
  right: true,
};
const returnPct: Column<Position> = {
  key: 'returnPct',
  value: (row) => row.returnPct,
  shown: (row, paint) => percent(paint, row.returnPct),
  right: true,
};
const fees: Column<Position> = {
  key: 'fees',
  value: (row) => row.fees,
  shown: (row, paint) => unsigned(paint, row.fees, row.quoteAsset),
  right: true,
  rank: 9,
};
const trades: Column<Position> = { key: 'trades', head: '#', value: (row) => String(row.trades), right: true, rank: 20 };
const broken: Column<Position> = {
  key: 'broken',
  value: (row) => row.broken.map(({ code }) => code).join(','),
  shown: (row, paint) => paint.yellow(row.broken.map(({ code }) => code).join(' ')),
  rank: 2,
};
const openedAt: Column<Position> = {
  key: 'openedAt',
  value: (row) => row.openedAt,
  shown: (row) => localTime(row.openedAt, 'minute'),
  rank: 15,
};
/** What its machine takes now, for scripts. */
const allowed: Column<Position> = { key: 'allowed', value: (row) => row.allowed.join(' '), dataOnly: true };
const id: Column<Position> = { key: 'id', value: (row) => row.id, dataOnly: true };

/** Amounts of the quote asset, to the right, with what is left out on narrow terminals. */
const amount = (key: 'cost' | 'value' | 'exitFee', rank: number): Column<OpenPosition> => ({
  key,
  value: (row) => row[key],
  shown: (row, paint) => unsigned(paint, row[key], row.quoteAsset),
  right: true,
  rank,
});
const result = (key: 'unrealised' | 'total' | 'resultAtTarget', rank?: number): Column<OpenPosition> => ({
  key,
  value: (row) => row[key],
  shown: (row, paint) => signed(paint, row[key], row.quoteAsset),
  right: true,
  ...(rank === undefined ? {} : { rank }),
});
const level = (key: 'price' | 'breakEven' | 'targetPrice' | 'averageAsOnExchange', rank: number): Column<OpenPosition> => ({
  key,
  value: (row) => row[key],
  pair: ({ symbol }) => symbol,
  none: UNKNOWN,
  right: true,
  rank,
});

const breakEven = level('breakEven', 8);

/** @param recovered the word for a break-even of 0: what was paid has come back already */
export const openPositions = (unicode: boolean, recovered = '0'): Resource<OpenPosition> => ({
  empty: 'positions',
  columns: [
    name,
    number,
    quantity,
    averageCost,
    level('price', 5),
    amount('value', 3),
    result('unrealised', 1),
    { ...realised, rank: 7 },
    result('total'),
    returnPct,
    {
      ...breakEven,
      shown: (row, paint, places) =>
        row.breakEven !== null && isNothing(row.breakEven) ? paint.green(recovered) : shownText(breakEven, row, paint, places),
    },
    level('averageAsOnExchange', 30),
    level('targetPrice', 10),
    {
      key: 'targetDistancePct',
      value: (row) => row.targetDistancePct,
      shown: (row, paint) => (row.targetPrice === null ? '' : percent(paint, row.targetDistancePct)),
      right: true,
      rank: 11,
    },
    result('resultAtTarget', 12),
    amount('cost', 25),
    fees,
    amount('exitFee', 26),
    { key: 'sparkline', value: (row) => row.sparkline.join(' '), shown: (row) => sparkline(row.sparkline.slice(-14), unicode), rank: 13 },
    trades,
    openedAt,
    broken,
    allowed,
    id,
  ] as Column<OpenPosition>[],
});

export const closedPositions: Resource<ClosedPosition> = {
  empty: 'closedPositions',
  columns: [
    name,
    number,
    { key: 'closedAt', value: (row) => row.closedAt, shown: (row) => localTime(row.closedAt, 'minute') },
    { key: 'closedBy', value: (row) => row.closedBy, rank: 5 },
    {
      key: 'matchedCost',
      value: (row) => row.matchedCost,
      shown: (row, paint) => unsigned(paint, row.matchedCost, row.quoteAsset),
      right: true,
      rank: 4,
    },
    realised,
    returnPct,
    fees,
    trades,
    { key: 'dust', value: (row) => row.dust, shown: (row) => formatQuantity(row.dust), right: true, rank: 14 },
    openedAt,
    broken,
    allowed,
    id,
  ] as Column<ClosedPosition>[],
};

type ListWords = {
  readonly byHand: string;
  readonly exit: (exit: ClosedRow['exit']) => string;
  readonly span: (ms: number) => string;
};

/** The closed list, which knows whose each was and what ended it. */
export function closedRows({ byHand, exit, span }: ListWords): Resource<ClosedRow> {
  const namesOf = ({ bots }: ClosedRow) => bots.map((bot) => bot.name);
  const heldOf = ({ openedAt: from, closedAt: to }: ClosedRow) => Date.parse(to) - Date.parse(from);
  const own: Column<ClosedRow>[] = [
    {
      key: 'bots',
      value: (row) => namesOf(row).join(', '),
      shown: (row) => [...namesOf(row), ...(row.byHand ? [byHand] : [])].join(', '),
      rank: 3,
    },
    { key: 'byHand', value: (row) => String(row.byHand), dataOnly: true },
    { key: 'exit', value: (row) => row.exit, shown: (row) => exit(row.exit), rank: 5 },
    { key: 'held', value: (row) => String(heldOf(row)), shown: (row) => span(heldOf(row)), right: true, rank: 12 },
  ];
  const columns = closedPositions.columns.flatMap((column): Column<ClosedRow>[] =>
    column.key === 'closedBy' ? [...own, { ...column, dataOnly: true }] : [column],
  );
  return { ...closedPositions, columns };
}

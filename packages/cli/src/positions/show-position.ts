import type { Answer } from '@pilotfish/core/http/endpoint';
import { digits } from '@pilotfish/core/money/figure';
import { formatChange, formatMoney, formatQuantity } from '@pilotfish/core/money/format';
import { getDailyPerformance, listPositionTrades, listPositionTransactions } from '@pilotfish/core/positions/positions-contract';
import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import { colours } from '../ui/colour.ts';
import { formatOf, pickedRows, type Resource, table } from '../ui/output.ts';
import { sparkline } from '../ui/sparkline.ts';
import { widthOf } from '../ui/terminal-size.ts';
import { localTime } from '../ui/times.ts';
import { wholeNumber } from '../ui/whole-number.ts';
import { findPosition, printPosition } from './find-position.ts';
import { closedPositions, isOpen, openPositions, type Position, percent, positionName, signed, unsigned } from './position-columns.ts';
import { brokenLines } from './position-notes.ts';

type Trade = Answer<typeof listPositionTrades>['items'][number];
type Transaction = Answer<typeof listPositionTransactions>['items'][number];
type Day = Answer<typeof getDailyPerformance>[number];

const MOST = 200;
const DAYS_SHOWN = 7;

const trades = (symbol: string, quoteAsset: string): Resource<Trade> => ({
  empty: 'positions',
  columns: [
    { key: 'at', value: ({ at }) => at, shown: ({ at }) => localTime(at) },
    { key: 'side', value: ({ side }) => side, shown: ({ side }, paint) => (side === 'Buy' ? paint.green(side) : paint.red(side)) },
    { key: 'price', value: ({ price }) => price, pair: () => symbol, right: true },
    { key: 'quantity', value: ({ quantity }) => quantity, shown: ({ quantity }) => formatQuantity(quantity), right: true },
    {
      key: 'quoteQuantity',
      value: ({ quoteQuantity }) => quoteQuantity,
      shown: ({ quoteQuantity }, paint) => unsigned(paint, quoteQuantity, quoteAsset),
      right: true,
      rank: 2,
    },
    {
      key: 'fee',
      value: ({ fee, feeAsset }) => `${digits(fee)} ${feeAsset}`,
      shown: ({ fee, feeAsset }) => `${formatQuantity(fee)} ${feeAsset}`,
      right: true,
      rank: 1,
    },
    {
      key: 'realised',
      value: ({ realised }) => realised,
      shown: ({ realised }, paint) => signed(paint, realised, quoteAsset),
      right: true,
    },
    { key: 'tradeId', value: ({ tradeId }) => tradeId, rank: 3 },
  ],
});
const transactions = (quoteAsset: string): Resource<Transaction> => ({
  empty: 'positions',
  columns: [
    { key: 'at', value: ({ at }) => at, shown: ({ at }) => localTime(at) },
    { key: 'kind', value: ({ kind }) => kind },
    {
      key: 'change',
      value: ({ asset, change }) => `${digits(change)} ${asset}`,
      shown: ({ asset, change }) => `${formatChange(change)} ${asset}`,
      right: true,
    },
    {
      key: 'cost',
      value: ({ cost }) => cost,
      shown: ({ cost }) => (cost === null ? '' : formatMoney(cost, quoteAsset)),
      right: true,
      rank: 2,
    },
    { key: 'source', value: ({ source }) => source, rank: 1 },
  ],
});
const days = (quoteAsset: string): Resource<Day> => ({
  empty: 'positions',
  columns: [
    { key: 'day', value: ({ day }) => day, shown: ({ day, interpolated }) => `${day}${interpolated ? ' ~' : ''}` },
    { key: 'pnl', value: ({ pnl }) => pnl, shown: ({ pnl }, paint) => signed(paint, pnl, quoteAsset), right: true },
    { key: 'returnPct', value: ({ returnPct }) => returnPct, shown: ({ returnPct }, paint) => percent(paint, returnPct), right: true },
    { key: 'value', value: ({ value }) => value, shown: ({ value }, paint) => unsigned(paint, value, quoteAsset), right: true },
  ],
});

/** One position with its fills, its ledger lines and, while it is open, its result day by day. */
export async function show(context: Context, { position: wanted, limit }: { position: string; limit?: string }): Promise<void> {
  const pageSize = wholeNumber(limit, '--limit') ?? (formatOf(context) === 'table' ? 10 : MOST);
  if (pageSize > MOST) throw new UsageError('atMost', { flag: '--limit', most: MOST });
  const position = await findPosition(context, wanted);
  const client = await context.client({ listPositionTrades, listPositionTransactions, getDailyPerformance });
  const params = { id: position.id };
  const [fills, lines, daily] = await Promise.all([
    client.listPositionTrades({ params, query: { pageSize } }),
    client.listPositionTransactions({ params, query: { pageSize } }),
    isOpen(position) ? client.getDailyPerformance({ params }) : Promise.resolve<Day[]>([]),
  ]);
  const format = formatOf(context);
  if (format === 'json' || format === 'jsonl') {
    const resource = (isOpen(position) ? openPositions(context.unicode) : closedPositions) as Resource<Position>;
    const [row] = pickedRows(context, resource, [position]);
    const whole = context.globals.fields ? row : { ...row, fills: fills.items, transactions: lines.items, daily };
    context.stdout.write(`${JSON.stringify(whole, null, format === 'json' && context.stdout.isTTY ? 2 : 0)}\n`);
    return;
  }
  await printPosition(context, position);
  if (format !== 'table' || context.globals.fields) return;
  await showRecords(context, position, { fills, lines, daily });
}

type Records = { fills: { items: Trade[]; total: number }; lines: { items: Transaction[]; total: number }; daily: Day[] };

async function showRecords(context: Context, position: Position, { fills, lines, daily }: Records): Promise<void> {
  const t = await context.texts();
  const { stdout, unicode } = context;
  const paint = colours(context, stdout);
  const head = (text: string, shown: number, of: number) =>
    stdout.write(`\n${paint.bold(text)}${shown < of ? paint.dim(` ${t('positions.shown', { shown, of })}`) : ''}\n`);
  const broken = await brokenLines(context, [position]);
  if (broken.length > 0) stdout.write(`\n${broken.join('\n')}\n`);
  if (daily.length > 0) {
    head(t('positions.record.days'), Math.min(DAYS_SHOWN, daily.length), daily.length);
    const room = Math.max(2, widthOf(context) - 2);
    // The course of the sum: where the position stood at the end of each day.
    let total = 0;
    const course = daily.map(({ pnl }) => (total += Number(pnl)));
    stdout.write(`${sparkline(course.slice(-room), unicode)}\n`);
    stdout.write(await table(context, days(position.quoteAsset).columns, daily.slice(-DAYS_SHOWN)));
    const guessed = daily.filter(({ interpolated }) => interpolated).length;
    if (guessed > 0) stdout.write(`${paint.dim(`~ ${t('positions.interpolated', { count: guessed })}`)}\n`);
  }
  head(`${t('positions.record.trades')} ${positionName(position)}`, fills.items.length, fills.total);
  stdout.write(
    fills.items.length > 0
      ? await table(context, trades(position.symbol, position.quoteAsset).columns, fills.items)
      : `${t('positions.noTrades')}\n`,
  );
  head(t('positions.record.transactions'), lines.items.length, lines.total);
  stdout.write(
    lines.items.length > 0
      ? await table(context, transactions(position.quoteAsset).columns, lines.items)
      : `${t('positions.noTransactions')}\n`,
  );
}

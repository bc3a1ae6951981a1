import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Figure } from '@pilotfish/core/money/figure';
import { formatSigned } from '@pilotfish/core/money/format';
import type { OpenPosition } from '@pilotfish/core/positions/positions-contract';
import type { PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { isOffered } from '@pilotfish/core/prices/currency';
import type { Ticker } from '@pilotfish/core/prices/prices-contract';
import type { Translate } from '../app/texts.ts';
import { sentence, stateShown } from '../auto-trades/bot-columns.ts';
import { openPositions, positionName } from '../positions/position-columns.ts';
import { alerts } from '../price-alerts/alert-columns.ts';
import { prices } from '../prices/price-columns.ts';
import { tint } from '../ui/colour.ts';
import type { Column } from '../ui/output.ts';
import { localTime } from '../ui/times.ts';
import type { DashboardState, List } from './dashboard-data.ts';
import type { Sort, Tab } from './dashboard-machine.ts';

/** One line of what happened: a notification, or what a bot did. */
export type Activity = {
  readonly key: string;
  readonly at: string;
  readonly title: string;
  readonly text: string;
  readonly unread: boolean;
  /** The notification, which can be marked as read. */
  readonly notificationId: string | undefined;
};

export type RowOf = { prices: Ticker; positions: OpenPosition; bots: AutoTrade; alerts: PriceAlert; activity: Activity };
export type Words = { readonly t: Translate; readonly unicode: boolean; readonly alertText: (alert: PriceAlert) => string };

/** What a tab lists: where its rows come from, how they are told apart, found, ordered and drawn. */
export type TabTable<Row> = {
  /** The list behind it; prices come by the stream. */
  readonly list: List | undefined;
  rows(state: DashboardState, words: Words): readonly Row[] | undefined;
  key(row: Row): string;
  /** Where `/` looks. */
  text(row: Row, words: Words): string;
  columns(words: Words): readonly Column<Row>[];
  /** Orders to choose from with `s`, by column; numbers the largest first, texts from the beginning, unknown last. */
  readonly sorts: readonly (readonly [column: string, value: (row: Row, state: DashboardState) => number | string | null])[];
};

const size = (figure: Figure | null): number | null => (figure === null ? null : Number(figure));
const pick = <Row>(columns: readonly Column<Row>[], keys: readonly string[]): Column<Row>[] =>
  keys.flatMap((key) => columns.filter((column) => column.key === key));

const botColumns = ({ t }: Words): readonly Column<AutoTrade>[] => [
  { key: 'name', value: ({ name }) => name, shown: ({ name }, paint) => paint.bold(name) },
  { key: 'state', value: ({ state }) => state, shown: (row, paint) => stateShown(t, row, paint) },
  {
    key: 'mode',
    value: ({ mode }) => mode,
    shown: ({ mode, exchange }, paint) => (exchange === 'simulated' ? paint.simulated(` ${mode} `) : mode),
    rank: 4,
  },
  { key: 'walletName', value: ({ walletName }) => walletName, rank: 5 },
  {
    key: 'openPositions',
    value: ({ openPositions: open }) => String(open),
    shown: ({ openPositions: open, config }) => `${open}/${config.maxOpenPositions}`,
    right: true,
    rank: 2,
  },
  {
    key: 'realisedToday',
    value: ({ realisedToday }) => realisedToday,
    shown: ({ realisedToday, currency }, paint) => tint(paint, formatSigned(realisedToday, currency)),
    right: true,
    rank: 1,
  },
  {
    key: 'realised',
    value: ({ realised }) => realised,
    shown: ({ realised, currency }, paint) => tint(paint, formatSigned(realised, currency)),
    right: true,
  },
  {
    key: 'lastTrace',
    value: ({ lastTrace }) => lastTrace?.kind ?? '',
    shown: ({ lastTrace, currency }, paint, places) =>
      lastTrace ? paint.dim(sentence(t, lastTrace, currency, places(lastTrace.symbol))) : '',
    rank: 3,
  },
];

const activityColumns = ({ unicode }: Words): readonly Column<Activity>[] => [
  { key: 'at', value: ({ at }) => at, shown: ({ at }, paint) => paint.dim(localTime(at)) },
  {
    key: 'title',
    value: ({ title }) => title,
    shown: ({ title, unread }, paint) => (unread ? paint.bold(`${unicode ? '•' : '*'} ${title}`) : `  ${title}`),
  },
  { key: 'text', value: ({ text }) => text },
];

function activities({ notifications, traces, bots, pairs }: DashboardState, { t }: Words): readonly Activity[] | undefined {
  if (!notifications) return undefined;
  const botOf = new Map((bots ?? []).map((bot) => [bot.id, bot]));
  const last = (bots ?? []).flatMap(({ lastTrace }) => (lastTrace ? [lastTrace] : []));
  const told = new Map([...last, ...traces].map((trace) => [`${trace.autoTradeId} ${trace.seq}`, trace]));
  return [
    ...notifications.map(({ id, at, title, text, read }) => ({ key: id, at, title, text, unread: !read, notificationId: id })),
    ...[...told].map(([key, trace]) => {
      const bot = botOf.get(trace.autoTradeId);
      return {
        key,
        at: trace.at,
        title: `${bot?.name ?? '–'} ${trace.symbol}`,
        text: `${t(`traceKinds.${trace.kind}`)}: ${sentence(t, trace, bot?.currency ?? '', pairs.get(trace.symbol)?.pricePrecision)}`,
        unread: false,
        notificationId: undefined,
      };
    }),
  ];
}

export const TABLES: { readonly [T in Tab]: TabTable<RowOf[T]> } = {
  prices: {
    list: undefined,
    rows: ({ tickers, pairs }) => [...tickers.values()].filter(({ symbol }) => isOffered(pairs.get(symbol) ?? {})),
    key: ({ symbol }) => symbol,
    text: ({ symbol }) => symbol,
    columns: () => prices.columns,
    sorts: [
      // Volumes are told in the quote asset and compared in one.
      ['quoteVolume', (row, state) => Number(row.quoteVolume) * worthOf(row.symbol, state)],
      ['changePct', ({ changePct }) => Number(changePct)],
      ['price', ({ price }) => Number(price)],
      ['symbol', ({ symbol }) => symbol],
    ],
  },
  positions: {
    list: 'positions',
    rows: ({ positions }) => positions,
    key: ({ id }) => id,
    text: (row) => positionName(row),
    columns: ({ unicode, t }) =>
      pick(openPositions(unicode, t('positions.recovered')).columns, [
        'symbol',
        'quantity',
        'averageCost',
        'price',
        'value',
        'unrealised',
        'returnPct',
        'targetPrice',
        'targetDistancePct',
        'sparkline',
        'broken',
      ]),
    sorts: [
      ['value', ({ value }) => size(value)],
      ['unrealised', ({ unrealised }) => size(unrealised)],
      ['returnPct', ({ returnPct }) => size(returnPct)],
      ['symbol', ({ symbol }) => symbol],
    ],
  },
  bots: {
    list: 'bots',
    rows: ({ bots }) => bots,
    key: ({ id }) => id,
    text: ({ name, walletName, state }) => `${name} ${walletName} ${state}`,
    columns: botColumns,
    sorts: [
      ['name', ({ name }) => name.toLocaleLowerCase()],
      ['state', ({ state }) => state],
      ['realised', ({ realised }) => Number(realised)],
      ['realisedToday', ({ realisedToday }) => Number(realisedToday)],
    ],
  },
  alerts: {
    list: 'alerts',
    rows: ({ alerts }) => alerts,
    key: ({ id }) => id,
    text: (row, { alertText }) => `${row.symbol ?? ''} ${alertText(row)} ${row.note} ${row.state}`,
    columns: ({ t }) => alerts(t).columns.filter(({ key }) => key !== 'id'),
    sorts: [
      // The nearest first: the largest of the negated distance.
      ['distancePct', ({ distancePct }) => (distancePct === null ? null : -Math.abs(Number(distancePct)))],
      ['symbol', ({ symbol }) => symbol ?? ''],
      ['state', ({ state }) => state],
      ['lastFiredAt', ({ lastFiredAt }) => (lastFiredAt === null ? null : Date.parse(lastFiredAt))],
    ],
  },
  activity: {
    list: 'notifications',
    rows: activities,
    key: ({ key }) => key,
    text: ({ title, text }) => `${title} ${text}`,
    columns: activityColumns,
    sorts: [['at', ({ at }) => Date.parse(at)]],
  },
};

/** What one unit of a pair's quote asset is worth in USDT; 0 where nothing says it. For ordering only. */
function worthOf(symbol: string, { pairs, tickers }: DashboardState): number {
  const quote = pairs.get(symbol)?.quoteAsset ?? (symbol.endsWith('USDT') ? 'USDT' : undefined);
  if (quote === undefined) return 0;
  if (quote === 'USDT') return 1;
  const [direct, inverse] = [tickers.get(`${quote}USDT`), tickers.get(`USDT${quote}`)];
  return direct ? Number(direct.price) : inverse && Number(inverse.price) > 0 ? 1 / Number(inverse.price) : 0;
}

/** Both letters i of Turkish are found by either. */
const fold = (text: string): string => text.toLocaleLowerCase('tr').replaceAll('ı', 'i').normalize('NFC');

/** The rows of a tab as they are shown: those that hold every word of the filter, in the chosen order. */
export function shownRows<Row>(
  table: TabTable<Row>,
  rows: readonly Row[],
  { filter, sort }: { filter: string; sort: Sort },
  state: DashboardState,
  words: Words,
): Row[] {
  const wanted = fold(filter).split(/\s+/).filter(Boolean);
  const found = wanted.length === 0 ? rows : rows.filter((row) => wanted.every((word) => fold(table.text(row, words)).includes(word)));
  const [, value] = table.sorts[sort.column % table.sorts.length]!;
  const valued = found.map((row) => ({ row, by: value(row, state), key: table.key(row) }));
  const sign = sort.turned ? -1 : 1;
  valued.sort((a, b) => {
    if (a.by === null || b.by === null) return Number(a.by === null) - Number(b.by === null) || (a.key < b.key ? -1 : 1);
    const order = typeof a.by === 'string' || typeof b.by === 'string' ? String(a.by).localeCompare(String(b.by)) : b.by - a.by;
    return order * sign || (a.key < b.key ? -1 : 1);
  });
  return valued.map(({ row }) => row);
}

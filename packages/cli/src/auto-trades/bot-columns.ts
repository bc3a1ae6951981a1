import type { AutoTrade, AutoTradeLog, AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { AutoTradeFigures } from '@pilotfish/core/auto-trades/bot-figures-contract';
import type { Trace } from '@pilotfish/core/auto-trades/trace';
import { spokenFacts, traceText } from '@pilotfish/core/auto-trades/trace-text';
import { digits, type Money, type Price } from '@pilotfish/core/money/figure';
import { formatMoney, formatPrice, formatQuantity, formatSigned, UNKNOWN } from '@pilotfish/core/money/format';
import type { Translate } from '../app/texts.ts';
import { type Colours, tint } from '../ui/colour.ts';
import type { Column, Resource } from '../ui/output.ts';
import { localTime } from '../ui/times.ts';

const STATE_TONES: Readonly<Record<string, 'green' | 'yellow' | 'red' | 'dim'>> = {
  Running: 'green',
  Paused: 'yellow',
  Blocked: 'yellow',
  Halted: 'red',
  Disabled: 'dim',
  Draft: 'dim',
};
export const stateShown = (t: Translate, { state, stateReason, exits, unreadPair }: AutoTrade, paint: Colours): string => {
  const text = t(`botStates.${state}`);
  const why = unreadPair
    ? t('waitsFor.pair-read', { detail: unreadPair })
    : stateReason
      ? t([`botReasons.${stateReason}`], { defaultValue: stateReason })
      : '';
  const shown = paint[STATE_TONES[state] ?? 'dim'](why ? `${text} (${why})` : text);
  return exits === 'freeze' ? `${shown} ${paint.red(t('autoTrades.frozen.badge'))}` : shown;
};

/** @param pricePrecision decimals of prices of its pair, where they are at hand */
export const sentence = (t: Translate, trace: Trace, currency: string, pricePrecision?: number): string =>
  traceText(trace, currency, (keys, values) => t(keys, values), pricePrecision);

export const bots = (t: Translate): Resource<AutoTrade> => ({
  empty: 'bots',
  columns: [
    { key: 'name', value: ({ name }) => name, shown: ({ name }, paint) => paint.bold(name) },
    { key: 'state', value: ({ state }) => state, shown: (row, paint) => stateShown(t, row, paint) },
    {
      key: 'mode',
      rank: 3,
      value: ({ mode }) => mode,
      shown: ({ mode, exchange }, paint) => {
        const text = t(`cli.modes.${mode}`);
        return exchange === 'simulated' ? paint.simulated(text) : text;
      },
    },
    { key: 'walletName', value: ({ walletName }) => walletName, rank: 4 },
    { key: 'openPositions', value: ({ openPositions }) => String(openPositions), right: true, rank: 2 },
    {
      key: 'realised',
      value: ({ realised }) => realised,
      shown: ({ realised, currency }, paint) => tint(paint, formatSigned(realised, currency)),
      right: true,
    },
    {
      key: 'realisedToday',
      rank: 1,
      value: ({ realisedToday }) => realisedToday,
      shown: ({ realisedToday, currency }, paint) => tint(paint, formatSigned(realisedToday, currency)),
      right: true,
    },
    { key: 'id', value: ({ id }) => id, shown: ({ id }, paint) => paint.dim(id), rank: 6 },
    {
      key: 'lastTrace',
      rank: 5,
      value: ({ lastTrace }) => (lastTrace ? `${lastTrace.kind} ${lastTrace.reason}` : ''),
      tellsPrices: true,
      shown: ({ lastTrace, currency }, _, places) => (lastTrace ? sentence(t, lastTrace, currency, places(lastTrace.symbol)) : ''),
    },
  ],
});

/** A bot with its figures; without them where its server is too old to tell any. */
export type ListedBot = AutoTrade & { readonly figures: AutoTradeFigures | null };
const figure = (key: string, value: (figures: AutoTradeFigures) => Money | null, rank?: number): Column<ListedBot> => ({
  key,
  ...(rank === undefined ? {} : { rank }),
  value: ({ figures }) => figures && value(figures),
  shown: ({ figures, currency }, paint) => {
    const known = figures && value(figures);
    return known === null ? UNKNOWN : tint(paint, formatSigned(known, currency));
  },
  right: true,
});
/** Bots as a list: what they earn, and what they would lose at their stops; what was only realised is for programs. */
export const listedBots = (t: Translate): Resource<ListedBot> => ({
  empty: 'bots',
  columns: bots(t).columns.flatMap((column): Column<ListedBot>[] => {
    if (column.key === 'realised') return [{ ...column, dataOnly: true }];
    if (column.key !== 'realisedToday') return [column];
    return [
      { ...column, dataOnly: true },
      figure('openResult', ({ open }) => open),
      figure('today', ({ today }) => today, 1),
      { ...figure('total', ({ total }) => total), head: t('cli.bots.total') },
      {
        key: 'atRisk',
        rank: 1,
        value: ({ figures }) => figures?.atRisk.amount ?? null,
        shown: ({ figures, currency }, paint) => {
          if (!figures || figures.atRisk.amount === null) return UNKNOWN;
          const amount = formatMoney(figures.atRisk.amount, currency);
          const { without } = figures.atRisk;
          return without === 0 ? amount : `${amount} ${paint.yellow(t('cli.bots.withoutStop', { count: without }))}`;
        },
        right: true,
      },
    ];
  }),
});

const line = (key: string, value: (row: AutoTradePosition) => Price | null): Column<AutoTradePosition> => ({
  key,
  value,
  pair: ({ symbol }) => symbol,
  dataOnly: true,
});
/** The lines of a position for programs; a person reads them in words below the table. */
const LINES: readonly Column<AutoTradePosition>[] = [
  line('protectedCost', ({ lines }) => lines.protectedCost),
  line('stopLoss', ({ lines }) => lines.stopLoss),
  line('takeProfit', ({ lines }) => lines.takeProfit.find(({ done }) => !done)?.price ?? null),
  line('target', ({ lines }) => lines.target),
  line('breakEven', ({ breakEven }) => breakEven),
  {
    key: 'rebuys',
    value: ({ lines }) => lines.rebuys.map(({ price }) => digits(price)).join(','),
    shown: ({ symbol, lines }, _, places) => lines.rebuys.map(({ price }) => formatPrice(price, places(symbol))).join(', '),
    dataOnly: true,
  },
  line('protectiveStop', ({ lines }) => lines.protectiveStop),
  { key: 'timeStopAt', value: ({ lines }) => lines.timeStopAt, shown: ({ lines }) => localTime(lines.timeStopAt), dataOnly: true },
  { key: 'id', value: ({ id }) => id, dataOnly: true },
];

/** Why a position needs its owner, in a few words; a code of the exchange stays what it is. */
export const attentionText = (t: Translate, code: string): string => t(`errors.${code}.title`, { defaultValue: code });

export const positions = (t: Translate, currency: string): Resource<AutoTradePosition> => ({
  empty: 'positions',
  columns: [
    { key: 'symbol', value: ({ symbol }) => symbol, shown: ({ symbol }, paint) => paint.bold(symbol) },
    {
      key: 'state',
      value: ({ state }) => state,
      shown: ({ state, attention }) => `${t(`positionStates.${state}`)}${attention ? ` (${attentionText(t, attention)})` : ''}`,
    },
    { key: 'quantity', value: ({ quantity }) => quantity, shown: ({ quantity }) => formatQuantity(quantity), right: true },
    {
      key: 'averageCost',
      value: ({ averageCost }) => averageCost,
      pair: ({ symbol }) => symbol,
      right: true,
    },
    ...LINES,
    {
      key: 'realised',
      value: ({ realised }) => realised,
      shown: ({ realised }, paint) => tint(paint, formatSigned(realised, currency)),
      right: true,
    },
  ],
});

export const traces = (t: Translate, currency: string): Resource<Trace> => ({
  empty: 'traces',
  columns: [
    { key: 'seq', value: ({ seq }) => String(seq), right: true },
    { key: 'at', value: ({ at }) => at, shown: ({ at }) => localTime(at) },
    { key: 'symbol', value: ({ symbol }) => symbol },
    { key: 'kind', value: ({ kind }) => kind, shown: ({ kind }, paint) => paint.bold(t(`traceKinds.${kind}`)) },
    { key: 'reason', value: ({ reason }) => reason, rank: 2 },
    { key: 'price', value: ({ price }) => price, pair: ({ symbol }) => symbol, right: true, rank: 1 },
    {
      key: 'text',
      value: (row) => sentence(t, row, currency),
      shown: (row, _, places) => sentence(t, row, currency, places(row.symbol)),
    },
  ],
});

const logText = (t: Translate, { code, facts }: AutoTradeLog, currency: string, pricePrecision?: number): string =>
  t(`botLogs.${code}`, { ...spokenFacts(facts, currency, { pricePrecision, moment: localTime }), defaultValue: JSON.stringify(facts) });

export const logLines = (t: Translate, currency: string): Resource<AutoTradeLog> => ({
  empty: 'logs',
  columns: [
    { key: 'at', value: ({ at }) => at, shown: ({ at }) => localTime(at) },
    {
      key: 'level',
      value: ({ level }) => level,
      shown: ({ level }, paint) => (level === 'error' ? paint.red(level) : level === 'warning' ? paint.yellow(level) : level),
    },
    { key: 'symbol', value: ({ symbol }) => symbol ?? '' },
    { key: 'code', value: ({ code }) => code },
    {
      key: 'text',
      tellsPrices: true,
      value: (row) => logText(t, row, currency),
      shown: (row, _, places) => logText(t, row, currency, row.symbol === null ? undefined : places(row.symbol)),
    },
  ],
});

import type { AutoTrade, AutoTradeLog, AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Trace } from '@pilotfish/core/auto-trades/trace';
import { traceText } from '@pilotfish/core/auto-trades/trace-text';
import { formatQuantity, formatSigned } from '@pilotfish/core/money/format';
import type { Translate } from '../app/texts.ts';
import { type Colours, tint } from '../ui/colour.ts';
import { type Column, localTime, type Resource } from '../ui/output.ts';

const STATE_TONES: Readonly<Record<string, 'green' | 'yellow' | 'red' | 'dim'>> = {
  Running: 'green',
  Paused: 'yellow',
  Blocked: 'yellow',
  Halted: 'red',
  Disabled: 'dim',
  Draft: 'dim',
};
export const stateShown = (t: Translate, { state, stateReason }: AutoTrade, paint: Colours): string => {
  const text = t(`botStates.${state}`);
  const why = stateReason ? t([`botReasons.${stateReason}`], { defaultValue: stateReason }) : '';
  return paint[STATE_TONES[state] ?? 'dim'](why ? `${text} (${why})` : text);
};

export const sentence = (t: Translate, trace: Trace, currency: string): string =>
  traceText(trace, currency, (keys, values) => t(keys, values));

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
      shown: ({ realised }, paint) => tint(paint, formatSigned(realised)),
      right: true,
    },
    {
      key: 'realisedToday',
      rank: 1,
      value: ({ realisedToday }) => realisedToday,
      shown: ({ realisedToday }, paint) => tint(paint, formatSigned(realisedToday)),
      right: true,
    },
    { key: 'id', value: ({ id }) => id, shown: ({ id }, paint) => paint.dim(id), rank: 6 },
    {
      key: 'lastTrace',
      rank: 5,
      value: ({ lastTrace }) => (lastTrace ? `${lastTrace.kind} ${lastTrace.reason}` : ''),
      shown: ({ lastTrace, currency }) => (lastTrace ? sentence(t, lastTrace, currency) : ''),
    },
  ],
});

/** The lines of a position for programs; a person reads them in words below the table. */
const LINES: readonly (readonly [string, (row: AutoTradePosition) => string | null])[] = [
  ['protectedCost', ({ lines }) => lines.protectedCost],
  ['stopLoss', ({ lines }) => lines.stopLoss],
  ['takeProfit', ({ lines }) => lines.takeProfit.find(({ done }) => !done)?.price ?? null],
  ['target', ({ lines }) => lines.target],
  ['breakEven', ({ breakEven }) => breakEven],
  ['rebuys', ({ lines }) => lines.rebuys.map(({ price }) => price).join(',')],
  ['protectiveStop', ({ lines }) => lines.protectiveStop],
  ['timeStopAt', ({ lines }) => lines.timeStopAt],
  ['id', ({ id }) => id],
];

/** Why a position needs its owner, in a few words; a code of the exchange stays what it is. */
export const attentionText = (t: Translate, code: string): string => t(`errors.${code}.title`, { defaultValue: code });

export const positions = (t: Translate): Resource<AutoTradePosition> => ({
  empty: 'positions',
  columns: [
    { key: 'symbol', value: ({ symbol }) => symbol, shown: ({ symbol }, paint) => paint.bold(symbol) },
    {
      key: 'state',
      value: ({ state }) => state,
      shown: ({ state, attention }) => `${t(`positionStates.${state}`)}${attention ? ` (${attentionText(t, attention)})` : ''}`,
    },
    { key: 'quantity', value: ({ quantity }) => quantity, right: true },
    {
      key: 'averageCost',
      value: ({ averageCost }) => averageCost ?? '',
      shown: ({ averageCost }) => (averageCost ? formatQuantity(averageCost) : ''),
      right: true,
    },
    ...LINES.map(([key, value]): Column<AutoTradePosition> => ({ key, value: (row) => value(row) ?? '', dataOnly: true })),
    {
      key: 'realised',
      value: ({ realised }) => realised,
      shown: ({ realised }, paint) => tint(paint, formatSigned(realised)),
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
    { key: 'price', value: ({ price }) => price, shown: ({ price }) => formatQuantity(price), right: true, rank: 1 },
    { key: 'text', value: (row) => sentence(t, row, currency) },
  ],
});

export const logLines = (t: Translate): Resource<AutoTradeLog> => ({
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
    { key: 'text', value: ({ code, facts }) => t(`botLogs.${code}`, { ...facts, defaultValue: JSON.stringify(facts) }) },
  ],
});

import { createBollinger } from '@pilotfish/core/indicators/bollinger';
import { createEma } from '@pilotfish/core/indicators/ema';
import { createRsi } from '@pilotfish/core/indicators/rsi';
import type { ChartColor } from '../ui/charts/chart-axes.ts';
import type { Overlay, Pane } from '../ui/charts/price-chart.tsx';
import type { Numbers } from '../ui/charts/series-summary.ts';

/** What can be laid over or under the candles. */
export const INDICATORS = ['ema20', 'ema50', 'ema200', 'bollinger', 'rsi'] as const;
export type IndicatorName = (typeof INDICATORS)[number];
export const FIRST_INDICATORS: readonly IndicatorName[] = ['ema20', 'ema50', 'rsi'];
export const isIndicator = (text: unknown): text is IndicatorName => (INDICATORS as readonly unknown[]).includes(text);

export const INDICATOR_LABELS: Record<IndicatorName, string> = {
  ema20: 'EMA 20',
  ema50: 'EMA 50',
  ema200: 'EMA 200',
  bollinger: 'Bollinger 20, 2',
  rsi: 'RSI 14',
};
const AVERAGES: readonly { name: IndicatorName; period: number; color: ChartColor }[] = [
  { name: 'ema20', period: 20, color: 'brand-fg' },
  { name: 'ema50', period: 50, color: 'secondary-fg' },
  { name: 'ema200', period: 200, color: 'gain-blind' },
];
/** Bands are computed of prices brought to this size: below about 0.0001 their variance would count as rounding. */
const SIZE = 1000;

const each = (values: Numbers, next: (value: number) => number): Float64Array => Float64Array.from(values, next);

/** The wanted lines over the candles; NaN until each is warm. */
export function overlaysOf(close: Numbers, wanted: readonly IndicatorName[]): Overlay[] {
  const overlays: Overlay[] = AVERAGES.filter(({ name }) => wanted.includes(name)).map(({ name, period, color }) => {
    const ema = createEma(period);
    return { label: INDICATOR_LABELS[name], color, values: each(close, (value) => ema.next(value)) };
  });
  if (!wanted.includes('bollinger') || close.length === 0) return overlays;
  const bands = createBollinger(20, 2);
  const factor = SIZE / (close.at(-1) || SIZE);
  const [upper, lower] = [new Float64Array(close.length), new Float64Array(close.length)];
  for (let index = 0; index < close.length; index += 1) {
    bands.next(close[index]! * factor);
    upper[index] = bands.upper / factor;
    lower[index] = bands.lower / factor;
  }
  return [
    ...overlays,
    { label: `${INDICATOR_LABELS.bollinger} ↑`, color: 'fg-subtle', dashed: true, values: upper },
    { label: `${INDICATOR_LABELS.bollinger} ↓`, color: 'fg-subtle', dashed: true, values: lower },
  ];
}

/** The wanted panes below the candles. */
export function panesOf(close: Numbers, wanted: readonly IndicatorName[]): Pane[] {
  if (!wanted.includes('rsi')) return [];
  const rsi = createRsi(14);
  return [{ label: INDICATOR_LABELS.rsi, low: 30, high: 70, values: each(close, (value) => rsi.next(value)) }];
}

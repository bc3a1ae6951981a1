import { formatMoment, type MomentDetail } from '@pilotfish/core/time/moment';
import type uPlot from 'uplot';
import { shownTimeZone } from '../fields/field-time.ts';
import { appliedTimeZone } from '../time-zone.ts';
import { shownClock } from '../use-moment.ts';

/** Every colour a chart draws with; each is a colour of the theme. */
export type ChartColor =
  | 'bg'
  | 'brand-fg'
  | 'chart-up'
  | 'chart-down'
  | 'chart-line'
  | 'secondary-fg'
  | 'gain'
  | 'loss'
  | 'warning'
  | 'gain-blind'
  | 'fg'
  | 'fg-muted'
  | 'fg-subtle'
  | 'bg-panel'
  | 'border'
  | 'border-subtle';

const colors = new Map<string, string>();

/**
 * The value of a theme colour right now; charts read it at every draw, so a theme change is only a redraw. Known ones
 * are kept by theme and palette: to ask the browser makes it settle all styles first.
 */
export function themeColor(name: ChartColor): string {
  const root = document.documentElement;
  const key = `${root.className} ${root.dataset.palette ?? ''} ${name}`;
  const held = colors.get(key);
  if (held) return held;
  const color = getComputedStyle(root).getPropertyValue(`--chakra-colors-${name}`).trim();
  if (color) colors.set(key, color);
  return color;
}

const FONT = '12px "Inter Variable", sans-serif';
export const CHART_FONT = '"Inter Variable", sans-serif';
/** Width of a digit of the axis font, px. */
const DIGIT = 7.2;

export const timeAxis = (language: string): uPlot.Axis => ({
  stroke: () => themeColor('fg-muted'),
  grid: { show: false },
  ticks: { show: false },
  font: FONT,
  size: 40,
  values: (_, splits, __, ___, step) => timeLabels(splits, step, language),
});

/** The value axis stands on the right, beside the newest point. */
export const valueAxis = (format: (value: number) => string): uPlot.Axis => ({
  side: 1,
  size: (_, values) => Math.ceil(16 + Math.max(...(values ?? ['']).map((label) => label.length)) * DIGIT),
  stroke: () => themeColor('fg-muted'),
  grid: { stroke: () => themeColor('border-subtle'), width: 1 },
  ticks: { show: false },
  font: FONT,
  // A split that is filtered out is null.
  values: (_, splits) => splits.map((split: number | null) => (split === null ? '' : format(split))),
});

type TimeFormat = (seconds: number) => string;
const formats = new Map<string, TimeFormat>();
/** Texts kept of one format: an axis asks for the same ones several times a draw, and for nearly the same at the next. */
const KEPT_TEXTS = 500;
/** The same moments are asked for at every draw, in words that are costly to make. A chart may span years: none is this one. */
function timeText(language: string, detail: MomentDetail, clock = shownClock()): TimeFormat {
  const key = `${language} ${appliedTimeZone() ?? ''} ${clock} ${detail}`;
  const held = formats.get(key);
  if (held) return held;
  const timeZone = shownTimeZone();
  const texts = new Map<number, string>();
  const made: TimeFormat = (seconds) => {
    const known = texts.get(seconds);
    if (known !== undefined) return known;
    if (texts.size >= KEPT_TEXTS) texts.clear();
    const at = seconds * 1000;
    const text = formatMoment(at, { language, clock, timeZone, now: detail === 'dated' ? 0 : at }, detail);
    texts.set(seconds, text);
    return text;
  };
  formats.set(key, made);
  return made;
}

/**
 * Labels of a time axis in the reader's language: days while the steps are days, hours and minutes below that, with
 * the day where it changes. 24 hours for everybody: AM and PM have no room.
 */
export function timeLabels(splits: readonly number[], step: number, language: string): string[] {
  const day = timeText(language, step >= 86_400 * 28 ? 'month' : 'day');
  const clock = timeText(language, 'clock', '24h');
  let shownDay = '';
  return splits.map((seconds) => {
    const today = day(seconds);
    if (step >= 86_400) return today;
    const isNew = today !== shownDay;
    shownDay = today;
    return isNew ? `${clock(seconds)}\n${today}` : clock(seconds);
  });
}

/** A moment (seconds) of an axis, where only a part of it has to be said. */
export const axisMoment = (seconds: number, language: string, detail: MomentDetail): string => timeText(language, detail)(seconds);

/** A moment as the reader writes it, for readouts and tables. */
export const moment = (seconds: number, language: string): string => timeText(language, 'dated')(seconds);

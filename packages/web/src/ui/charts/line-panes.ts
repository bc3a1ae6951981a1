import type uPlot from 'uplot';
import { CHART_FONT, type ChartColor, themeColor } from './chart-axes.ts';
import { extremes, type Numbers } from './series-summary.ts';

/** A second scale below the lines, on the same time axis: how far something has fallen, zero at its top. */
export const PANE = 'pane';
/** How much of the height the lines have above a pane, and the pane itself; the rest is air between them. */
const UPPER = 0.75;
const LOWER = 0.19;

/** The scale of lines that have a pane below them. @param range without it */
export const abovePane = ([low, high]: readonly [number, number]): [number, number] => [high - (high - low) / UPPER, high];

/** The lowest value of a pane and a little room; a pane in which nothing falls is one percent high. */
const depth = (values: Numbers): number => Math.min(-1e-9, extremes(values, 0, values.length - 1)?.[0] ?? -1) * 1.1;
const paneDepth = (values: Numbers): number => Math.min(depth(values), -0.1);
export const paneRange = (values: Numbers): [number, number] => {
  const low = paneDepth(values);
  return [low, low - low / LOWER];
};

/** A round step that fits into a depth at most twice: 1, 2 or 5 and its tens. */
export function paneStep(low: number): number {
  const wanted = -low / 2;
  const ten = 10 ** Math.floor(Math.log10(wanted));
  return [1, 2, 5, 10].map((each) => each * ten).find((each) => each >= wanted) ?? wanted;
}

const withFont = ({ ctx }: uPlot, size: number, weight: number) => {
  ctx.font = `${weight} ${size * devicePixelRatio}px ${CHART_FONT}`;
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
};

/** The lines and labels of a pane, in the column of the value axis: an axis of its own would stand beside it. */
export function drawPaneAxis(chart: uPlot, values: Numbers, format: (value: number) => string): void {
  const { ctx, bbox } = chart;
  const low = paneDepth(values);
  ctx.save();
  withFont(chart, 12, 450);
  ctx.lineWidth = devicePixelRatio;
  const step = paneStep(low);
  for (const value of -step >= low ? [0, -step] : [0]) {
    const y = Math.round(chart.valToPos(value, PANE, true));
    ctx.strokeStyle = themeColor('border-subtle');
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.fillStyle = themeColor('fg-muted');
    ctx.fillText(format(value), bbox.left + bbox.width + 5 * devicePixelRatio, y);
  }
  ctx.restore();
}

/** The newest value of a line, at the value axis, in its colour. */
export function drawTag(chart: uPlot, time: Numbers, values: Numbers, color: ChartColor, format: (value: number) => string): void {
  let at = values.length - 1;
  while (at >= 0 && Number.isNaN(values[at]!)) at -= 1;
  if (at < 0) return;
  const { ctx, bbox } = chart;
  const ratio = devicePixelRatio;
  const [x, y] = [chart.valToPos(time[at]!, 'x', true), chart.valToPos(values[at]!, 'y', true)];
  const text = format(values[at]!);
  ctx.save();
  withFont(chart, 12, 650);
  ctx.fillStyle = themeColor(color);
  ctx.beginPath();
  ctx.arc(x, y, 3 * ratio, 0, 2 * Math.PI);
  ctx.fill();
  const left = bbox.left + bbox.width;
  ctx.beginPath();
  ctx.roundRect(left, y - 10 * ratio, ctx.measureText(text).width + 10 * ratio, 20 * ratio, 3 * ratio);
  ctx.fill();
  ctx.fillStyle = themeColor('bg-panel');
  ctx.fillText(text, left + 5 * ratio, y);
  ctx.restore();
}

/** Where a line began, dotted. */
export function drawStart(chart: uPlot, values: Numbers): void {
  let at = 0;
  while (at < values.length && Number.isNaN(values[at]!)) at += 1;
  if (at === values.length) return;
  const { ctx, bbox } = chart;
  const y = Math.round(chart.valToPos(values[at]!, 'y', true));
  ctx.save();
  ctx.strokeStyle = themeColor('fg-subtle');
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([2 * devicePixelRatio, 4 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.restore();
}

import { thinMarks } from '@pilotfish/core/lists/thin-marks';
import uPlot from 'uplot';
import { bucketCandles, drawnCandles } from './bucket-candles.ts';
import type { CandleColumns } from './candle-columns.ts';
import { CHART_FONT, type ChartColor, themeColor } from './chart-axes.ts';
import { pixelScale } from './line-paths.ts';

/** A horizontal line of meaning: an entry, an average, a stop, an order. */
export type PriceLine = { label: string; price: number; color: ChartColor; dashed?: boolean };

/** Something done at a moment: a buy below its price, a sale above. */
export type TradeMark = { time: number; price: number; side: 'buy' | 'sell'; label: string };

/** Draws inside the plotting area only. */
function clipped(chart: uPlot, draw: (context: CanvasRenderingContext2D) => void): void {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  draw(ctx);
  ctx.restore();
}

/** How much of the height the highest volume in sight takes. */
const VOLUME_SHARE = 1 / 6;
/** What is being drawn. One for all charts, as wide as the widest: a draw is over before the next begins. */
let drawn = drawnCandles(2048);

/**
 * Candles with their volume behind them; as many as there are pixel columns, however many candles there are. Rectangles
 * on whole pixels, one by one: thousands of them as one path take a browser ten times as long to paint.
 */
export function drawCandles(chart: uPlot, candles: CandleColumns): void {
  const last = candles.time.length - 1;
  const [from, to] = chart.series[0]?.idxs ?? [0, last];
  const ratio = uPlot.pxRatio;
  const y = pixelScale(chart, 'y');
  // No more of them than pixel columns, and one at each edge that is half in sight.
  if (drawn.x.length < chart.bbox.width + 3) drawn = drawnCandles(Math.ceil(chart.bbox.width) + 3);
  bucketCandles(candles, from, to, pixelScale(chart, 'x'), drawn);
  const { count, x, open, high, low, close, volume } = drawn;
  const gap = count > 1 ? (x[count - 1]! - x[0]!) / (count - 1) : 8 * ratio;
  const width = Math.max(1, Math.min(Math.floor(gap * 0.7), 14 * ratio));
  const half = Math.floor(width / 2);
  const wick = Math.max(1, Math.round(ratio));
  const halfWick = Math.floor(wick / 2);
  const bottom = Math.round(chart.bbox.top + chart.bbox.height);
  // By what is drawn, not by single candles: merged ones have the volume of all of them.
  let most = 0;
  for (let at = 0; at < count; at += 1) if (volume[at]! > most) most = volume[at]!;
  const unit = most > 0 ? (chart.bbox.height * VOLUME_SHARE) / most : 0;
  clipped(chart, (context) => {
    // Volume first, behind, one shade for both directions.
    context.fillStyle = themeColor('border');
    for (let at = 0; at < count; at += 1) {
      const tall = Math.round(volume[at]! * unit);
      context.fillRect(x[at]! - half, bottom - tall, width, tall);
    }
    for (const rising of [true, false]) {
      context.fillStyle = themeColor(rising ? 'gain' : 'loss');
      for (let at = 0; at < count; at += 1) {
        const [opened, closed] = [open[at]!, close[at]!];
        if (closed >= opened !== rising) continue;
        const top = Math.round(y.offset + high[at]! * y.scale);
        context.fillRect(x[at]! - halfWick, top, wick, Math.max(1, Math.round(y.offset + low[at]! * y.scale) - top));
        if (width <= wick) continue;
        const body = Math.round(y.offset + (rising ? closed : opened) * y.scale);
        const height = Math.round(y.offset + (rising ? opened : closed) * y.scale) - body;
        context.fillRect(x[at]! - half, body, width, Math.max(wick, height));
      }
    }
  });
}

const LABEL_HEIGHT = 15;

/**
 * Where labels of lines stand, in canvas pixels: above their line (below it at the upper edge) at the left, beside each other where lines are close,
 * below what is there where no room is left beside it. The first are placed first.
 * @param labels the height of each line and the width of its label, from the upper to the lower
 */
export function placeLabels(
  labels: readonly { y: number; width: number }[],
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
  ratio: number,
): { x: number; y: number }[] {
  const tall = LABEL_HEIGHT * ratio;
  const taken: { x: number; y: number; width: number }[] = [];
  for (const label of labels) {
    const [from, to] = [left + 4 * ratio, left + width];
    let x = from;
    // Below its line where there is no room above.
    let y = label.y - tall - 2 * ratio < top ? label.y + 3 * ratio : label.y - tall - 2 * ratio;
    for (;;) {
      const hit = taken.find((other) => Math.abs(other.y - y) < tall && x < other.x + other.width && other.x < x + label.width);
      if (!hit) break;
      x = hit.x + hit.width + 4 * ratio;
      if (x + label.width <= to) continue;
      // No room beside it: a row lower, from the left again.
      x = from;
      y = hit.y + tall;
      if (y + tall > top + height) break;
    }
    taken.push({ x, y, width: label.width });
  }
  return taken.map(({ x, y }) => ({ x, y }));
}

export function drawPriceLines(chart: uPlot, lines: readonly PriceLine[], price: (value: number) => string): void {
  if (lines.length === 0) return;
  const { left, top, width, height } = chart.bbox;
  const ratio = uPlot.pxRatio;
  clipped(chart, (context) => {
    context.font = `${12 * ratio}px ${CHART_FONT}`;
    context.textBaseline = 'bottom';
    const labels: { text: string; y: number; color: ChartColor }[] = [];
    for (const line of [...lines].sort((a, b) => b.price - a.price)) {
      const y = Math.round(chart.valToPos(line.price, 'y', true));
      if (y < top || y > top + height) continue;
      context.strokeStyle = themeColor(line.color);
      context.lineWidth = 1.5 * ratio;
      context.setLineDash(line.dashed ? [6 * ratio, 4 * ratio] : []);
      context.beginPath();
      context.moveTo(left, y);
      context.lineTo(left + width, y);
      context.stroke();
      labels.push({ text: `${line.label} ${price(line.price)}`, y, color: line.color });
    }
    // Above everything else, each on a ground of its own: candles and other lines run through where they stand.
    const widths = labels.map(({ text }) => context.measureText(text).width + 8 * ratio);
    for (const [index, place] of placeLabels(
      labels.map(({ y }, at) => ({ y, width: widths[at] ?? 0 })),
      chart.bbox,
      ratio,
    ).entries()) {
      const label = labels[index]!;
      context.globalAlpha = 0.88;
      context.fillStyle = themeColor('bg-panel');
      context.fillRect(place.x, place.y, widths[index] ?? 0, LABEL_HEIGHT * ratio);
      context.globalAlpha = 1;
      context.fillStyle = themeColor(label.color);
      context.fillText(label.text, place.x + 4 * ratio, place.y + (LABEL_HEIGHT - 1) * ratio);
    }
  });
}

const MARK_SIZE = 6;
/** Pixels in which marks are one to the eye: a sixth of the width of one. */
const MARK_COLUMN = 2;

/**
 * Triangles with a dark rim, so that they stand out from the candles they lie on; of those in one place only the lowest
 * and the highest, since each is a path of its own and there may be tens of thousands.
 */
export function drawMarks(chart: uPlot, marks: readonly TradeMark[]): void {
  if (marks.length === 0) return;
  const ratio = uPlot.pxRatio;
  const size = MARK_SIZE * ratio;
  const { left, width } = chart.bbox;
  const [x, y] = [pixelScale(chart, 'x'), pixelScale(chart, 'y')];
  const step = MARK_COLUMN * ratio;
  // Counted from the beginning of time, not from the edge: what is left out stays the same while one pans.
  const first = Math.floor((left - size - x.offset) / step);
  const shown = thinMarks(marks, Math.ceil((width + 2 * size) / step) + 1, ({ time, price }) => ({
    column: Math.floor((time * x.scale) / step) - first,
    level: Math.round(y.offset + price * y.scale),
  }));
  clipped(chart, (context) => {
    context.lineWidth = 1.5 * ratio;
    context.lineJoin = 'round';
    context.strokeStyle = themeColor('border-subtle');
    const colors = { buy: themeColor('brand-fg'), sell: themeColor('secondary-fg') };
    for (const { time, price, side } of shown) {
      const [at, level] = [x.offset + time * x.scale, y.offset + price * y.scale];
      const down = side === 'buy' ? 1 : -1;
      context.beginPath();
      context.moveTo(at, level + down * 2 * ratio);
      context.lineTo(at - size, level + down * (2 * ratio + size * 1.7));
      context.lineTo(at + size, level + down * (2 * ratio + size * 1.7));
      context.closePath();
      context.fillStyle = colors[side];
      context.stroke();
      context.fill();
    }
  });
}

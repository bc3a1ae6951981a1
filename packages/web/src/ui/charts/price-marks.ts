import { thinMarks } from '@pilotfish/core/lists/thin-marks';
import type {
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesPrimitive,
  Logical,
  SeriesAttachedParameter,
  Time,
} from 'lightweight-charts';
import { candleAt } from './candle-columns.ts';
import { CHART_FONT, type ChartColor, themeColor } from './chart-axes.ts';
import { levelText, pushedApart } from './chart-levels.ts';
import type { Fill, LevelPreview, PriceLevel, PriceZone } from './price-chart.tsx';
import type { Numbers } from './series-summary.ts';

/** All that is drawn over the candles; arrays are replaced, not changed. */
export type Marks = {
  levels: readonly PriceLevel[];
  zones: readonly PriceZone[];
  fills: readonly Fill[];
  preview: LevelPreview | undefined;
  /** The scale reaches every level, however flat the candles become. */
  isFit: boolean;
};
/** Where the label of a level that can be moved stands, px from the upper left corner; at an edge where it is off the scale. */
export type GripPlace = { readonly id: string; readonly isOffScale: boolean } & Box;
export const NO_MARKS: Marks = { levels: [], zones: [], fills: [], preview: undefined, isFit: false };
/** The newest price, and how long its candle is still open. */
export type LastPrice = { price: number; left: string | undefined };

export type MarksLayer = ISeriesPrimitive<Time> & {
  show: (marks: Marks, time: Numbers) => void;
  /** Draws again: another second, another theme. */
  redraw: () => void;
  /** Whether a chip covers this price on the axis. */
  covers: (price: number, height: number) => boolean;
};

const COLORS = { gain: 'gain', loss: 'loss', brand: 'brand-fg', neutral: 'fg-muted', warning: 'warning' } as const;
const DASHES = { solid: [], dashed: [5, 4], dotted: [2, 4] };
const FILL_COLORS = { buy: 'brand-fg', sell: 'secondary-fg' } as const;
/** Of a level that is out of force. */
const FADED = 0.7;
const FONT = `600 11px ${CHART_FONT}`;
const CHIP = 20;
/** Half of the height of a tick's text. */
const TICK = 7;
const PAD = 8;
/** The chip of the newest price: its line is that of the price, the countdown stands below. */
const LAST = { above: 10, below: 24 };
const ARROW = 6;
/** Pixels in which arrows are one to the eye. */
const ARROW_COLUMN = 2;
/** Of the width, what the text of an arrow takes on average. */
const WORD_COLUMN = 48;
/** Of the width, what the label of a level may take before it says less. */
const LABEL_SHARE = 0.3;

/** The three strokes of a grip, and the room they take. */
const GRIP = { width: 8, room: 14 };

type Line = { y: number; color: ChartColor; alpha: number; isPreview: boolean; level: PriceLevel };
type Box = { x: number; y: number; width: number; height: number };
type Target = Parameters<IPrimitivePaneRenderer['draw']>[0];
type Scope = { context: CanvasRenderingContext2D; width: number; height: number };

const within = (target: Target, draw: (scope: Scope) => void): void =>
  target.useMediaCoordinateSpace(({ context, mediaSize }) => {
    context.save();
    context.font = FONT;
    context.textBaseline = 'middle';
    draw({ context, ...mediaSize });
    context.restore();
  });

/** A rounded box with a text in it; faded or not, nothing is read through it. */
function chip(context: CanvasRenderingContext2D, text: string, box: Box, { color, alpha, isPreview: isFilled }: Line, grip = 0): void {
  context.beginPath();
  context.roundRect(box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1, 4);
  context.fillStyle = themeColor(isFilled ? color : 'bg-panel');
  context.fill();
  context.globalAlpha = alpha;
  context.lineWidth = 1;
  context.strokeStyle = themeColor(color);
  context.stroke();
  context.fillStyle = themeColor(isFilled ? 'bg' : color);
  if (grip > 0)
    for (const down of [-3, 0, 3]) context.fillRect(box.x + PAD, Math.round(box.y + box.height / 2) + down - 0.5, GRIP.width, 1);
  context.fillText(text, box.x + PAD + grip, box.y + box.height / 2 + 0.5);
  context.globalAlpha = 1;
}

const overlaps = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height;

type Layer = {
  chart: SeriesAttachedParameter<Time> | undefined;
  marks: Marks;
  time: Numbers;
  /** Of each fill, the candle it lies in: searched for once, not at every draw. */
  places: ReadonlyMap<Fill, number>;
  readonly price: (value: number) => string;
  readonly last: () => LastPrice | undefined;
  readonly onPlaced: (places: readonly GripPlace[]) => void;
};
const yOf = ({ chart }: Layer, value: number): number => chart?.series.priceToCoordinate(value) ?? Number.NaN;
const xOf = ({ chart }: Layer, index: number): number => chart?.chart.timeScale().logicalToCoordinate(index as Logical) ?? Number.NaN;

/** Every level and the one that is being moved, from the upper to the lower. */
function linesOf(layer: Layer): Line[] {
  const { levels, preview } = layer.marks;
  const lines = levels.map((level): Line => {
    const alpha = level.faded === true || level.id === preview?.id ? FADED : 1;
    return { y: yOf(layer, level.price), color: COLORS[level.tone], alpha, isPreview: false, level };
  });
  if (preview) {
    const { id, label, to } = preview;
    const grip = levels.some((level) => level.id === id && level.grip);
    const level: PriceLevel = { id, label, short: label.split(' · ')[0] ?? label, price: to, tone: 'warning', look: 'solid', grip };
    lines.push({ y: yOf(layer, to), color: 'secondary-fg', alpha: 1, isPreview: true, level });
  }
  return lines.filter(({ y }) => !Number.isNaN(y)).sort((a, b) => a.y - b.y);
}

/** What the newest price covers of the axis, from its upper to its lower end; undefined when it is off the scale. */
function newestSpan(layer: Layer, height: number): [from: number, to: number] | undefined {
  const newest = layer.last();
  const y = newest ? yOf(layer, newest.price) : Number.NaN;
  return y >= 0 && y <= height ? [y - LAST.above, y + (newest?.left === undefined ? LAST.above : LAST.below)] : undefined;
}

/** Lines on the scale with the middle of their chips, which keep out of each other's way and of the newest price. */
function chipsOf(layer: Layer, height: number): { line: Line; y: number }[] {
  const shown = linesOf(layer).filter(({ y }) => y >= 0 && y <= height);
  const put = (some: readonly Line[], from: number, to: number) =>
    pushedApart(
      some.map(({ y }) => y - from),
      CHIP,
      to - from,
    ).map((y, index) => ({ line: some[index]!, y: y + from }));
  const span = newestSpan(layer, height);
  if (!span) return put(shown, 0, height);
  const [from, to] = span;
  const [roomAbove, roomBelow] = [Math.floor(from / CHIP), Math.floor((height - to) / CHIP)];
  const wanted = shown.filter(({ y }) => y <= from + LAST.above).length;
  // Where one side is full, the nearest ones stand on the other.
  const above = Math.min(Math.max(wanted, shown.length - roomBelow), roomAbove);
  return [...put(shown.slice(0, above), 0, from), ...put(shown.slice(above), to, height)];
}

function drawZones(layer: Layer, { context, width, height }: Scope): void {
  for (const { from, low, high, tone } of layer.marks.zones) {
    const x = Math.max(0, xOf(layer, Math.max(0, candleAt(layer.time, from))));
    const [top, bottom] = [Math.max(0, yOf(layer, high)), Math.min(height, yOf(layer, low))];
    if (!(bottom > top && x < width)) continue;
    context.globalAlpha = 0.08;
    context.fillStyle = themeColor(COLORS[tone]);
    context.fillRect(x, top, width - x, bottom - top);
  }
}

function drawLine({ context, width }: Scope, y: number, color: ChartColor, dash: number[], thick = 1): void {
  context.strokeStyle = themeColor(color);
  context.lineWidth = thick;
  context.setLineDash(dash);
  context.beginPath();
  context.moveTo(0, Math.round(y) + 0.5);
  context.lineTo(width, Math.round(y) + 0.5);
  context.stroke();
}

function drawLines(layer: Layer, scope: Scope): void {
  const newest = layer.last();
  if (newest) drawLine(scope, yOf(layer, newest.price), 'fg', [1.5, 3]);
  for (const { y, color, level, alpha, isPreview } of linesOf(layer)) {
    scope.context.globalAlpha = alpha;
    drawLine(scope, y, color, DASHES[level.look], isPreview ? 2 : 1);
  }
}

/** The room of a grip in the label of a level; that of one being moved goes with it. */
const gripOf = ({ marks }: Layer, { level, isPreview }: Line): number =>
  level.grip && (isPreview || level.id !== marks.preview?.id) ? GRIP.room : 0;

/** Labels of levels near the right end, and at the edges those that are off the scale. Answers what they cover. */
function drawLabels(layer: Layer, { context, width, height }: Scope): Box[] {
  const taken: Box[] = [];
  const places: GripPlace[] = [];
  const widthOf = (text: string, line: Line) => Math.ceil(context.measureText(text).width) + 2 * PAD + gripOf(layer, line);
  const draw = (text: string, line: Line, box: Box, isOffScale: boolean) => {
    const grip = gripOf(layer, line);
    chip(context, text, box, line, grip);
    taken.push(box);
    if (grip > 0) places.push({ id: line.level.id, isOffScale, ...box });
  };
  for (const { line, y } of chipsOf(layer, height)) {
    const text = levelText(line.level, (each) => widthOf(each, line) <= width * LABEL_SHARE);
    const wide = widthOf(text, line);
    draw(text, line, { x: width - PAD - wide, y: Math.round(y - CHIP / 2), width: wide, height: CHIP }, false);
  }
  const lines = linesOf(layer);
  // The nearest first, beside the edge it lies behind.
  const edges = [lines.filter(({ y }) => y < 0).toReversed(), lines.filter(({ y }) => y > height)];
  for (const [edge, some] of edges.entries()) {
    let [x, row] = [PAD, 0];
    for (const line of some) {
      const name = line.level.short ?? line.level.label;
      // What is said of a preview begins with its price.
      const text = `${edge === 0 ? '↑' : '↓'} ${line.isPreview ? name : `${name} ${layer.price(line.level.price)}`}`;
      const wide = widthOf(text, line);
      const place = (): Box => {
        const down = PAD + row * (CHIP + 4);
        return { x, y: edge === 0 ? down : height - down - CHIP, width: wide, height: CHIP };
      };
      // A narrow chart has labels of levels on the scale in the same row.
      while ((x > PAD && x + wide > width) || taken.some((other) => overlaps(place(), other))) [x, row] = [PAD, row + 1];
      draw(text, line, place(), true);
      x += wide + 6;
    }
  }
  layer.onPlaced(places);
  return taken;
}

/** The fills that are in sight, as many as the eye can tell apart. */
const shownFills = (layer: Layer, width: number): Fill[] =>
  thinMarks(layer.marks.fills, Math.ceil((width + 2 * ARROW) / ARROW_COLUMN) + 1, (fill) => ({
    column: Math.floor((xOf(layer, layer.places.get(fill) ?? -1) + ARROW) / ARROW_COLUMN),
    level: Math.round(yOf(layer, fill.price)),
  })).filter((fill) => (layer.places.get(fill) ?? -1) >= 0);

/** An arrow below each buy and above each sell, with a rim, so that it stands out; its text while there is room for those of all. */
function drawFills(layer: Layer, { context, width }: Scope, taken: Box[]): void {
  const shown = shownFills(layer, width);
  // Of hundreds only some would find room: a carpet of words over the candles, which says less than the arrows alone.
  const haveWords = shown.length * WORD_COLUMN <= width;
  context.lineWidth = 1.5;
  context.lineJoin = 'round';
  context.textAlign = 'center';
  for (const fill of shown) {
    const [x, y, down] = [xOf(layer, layer.places.get(fill)!), yOf(layer, fill.price), fill.side === 'buy' ? 1 : -1];
    context.beginPath();
    context.moveTo(x, y + down * 2);
    context.lineTo(x - ARROW, y + down * 12);
    context.lineTo(x + ARROW, y + down * 12);
    context.closePath();
    context.strokeStyle = themeColor('bg-panel');
    context.fillStyle = themeColor(FILL_COLORS[fill.side]);
    context.stroke();
    context.fill();
    if (fill.label === undefined || !haveWords) continue;
    const wide = context.measureText(fill.label).width + 8;
    const box = { x: x - wide / 2, y: y + down * 21 - 8, width: wide, height: 16 };
    if (taken.some((other) => overlaps(box, other))) continue;
    taken.push(box);
    context.globalAlpha = 0.85;
    context.fillStyle = themeColor('bg-panel');
    context.fillRect(box.x, box.y, box.width, box.height);
    context.globalAlpha = 1;
    context.fillStyle = themeColor(FILL_COLORS[fill.side]);
    context.fillText(fill.label, x, box.y + 8.5);
  }
}

function drawAxis(layer: Layer, { context, width, height }: Scope): void {
  for (const { line, y } of chipsOf(layer, height))
    chip(context, layer.price(line.level.price), { x: 1, y: Math.round(y - 9), width: width - 2, height: 18 }, line);
  const [newest, span] = [layer.last(), newestSpan(layer, height)];
  if (!newest || !span) return;
  const [from, to] = span;
  context.fillStyle = themeColor('fg');
  context.beginPath();
  context.roundRect(0, from, width, to - from, 3);
  context.fill();
  context.fillStyle = themeColor('bg');
  context.fillText(layer.price(newest.price), PAD, from + LAST.above + 0.5);
  if (newest.left === undefined) return;
  context.font = `450 11px ${CHART_FONT}`;
  context.fillText(newest.left, PAD, from + LAST.above + 14.5);
}

/** Whether a tick of the axis would be half under a chip. */
function covers(layer: Layer, price: number, height: number): boolean {
  const y = yOf(layer, price);
  const span = newestSpan(layer, height);
  return (
    (span !== undefined && y > span[0] - TICK && y < span[1] + TICK) ||
    chipsOf(layer, height).some((each) => Math.abs(each.y - y) < 9 + TICK)
  );
}

/**
 * What lightweight-charts cannot draw itself: labels and price chips of levels that make room for each other, chips at
 * the edge for levels off the scale, zones, fills, and the newest price with its countdown.
 */
export function createMarksLayer(
  price: (value: number) => string,
  last: () => LastPrice | undefined,
  /** At every draw: where the levels that can be moved stand. */
  onPlaced: (places: readonly GripPlace[]) => void = () => undefined,
): MarksLayer {
  const layer: Layer = { chart: undefined, marks: NO_MARKS, time: [], places: new Map(), price, last, onPlaced };
  const view = (zOrder: 'bottom' | 'normal' | 'top', draw: (scope: Scope) => void): IPrimitivePaneView => {
    const renderer: IPrimitivePaneRenderer = { draw: (target) => within(target, draw) };
    return { zOrder: () => zOrder, renderer: () => renderer };
  };
  const panes = [
    view('bottom', (scope) => drawZones(layer, scope)),
    view('normal', (scope) => drawLines(layer, scope)),
    view('top', (scope) => drawFills(layer, scope, drawLabels(layer, scope))),
  ];
  const axis = [view('top', (scope) => drawAxis(layer, scope))];
  return {
    attached: (chart) => {
      layer.chart = chart;
    },
    detached: () => {
      layer.chart = undefined;
    },
    paneViews: () => panes,
    priceAxisPaneViews: () => axis,
    show: (marks, time) => {
      if (marks.fills !== layer.marks.fills || time !== layer.time)
        layer.places = new Map(marks.fills.map((fill) => [fill, candleAt(time, fill.time)]));
      layer.marks = marks;
      layer.time = time;
      layer.chart?.requestUpdate();
    },
    redraw: () => layer.chart?.requestUpdate(),
    covers: (value, height) => covers(layer, value, height),
  };
}

import { formatPercent } from '@pilotfish/core/money/format';
import { useLayoutEffect, useRef } from 'react';
import { type CandleFeed, type Figures, figuresAt, type OverlayLook, type PaneLook } from './candle-feed.ts';
import { moment } from './chart-axes.ts';
import { Reading } from './chart-frame.tsx';
import type { Numbers } from './series-summary.ts';

const figure = (values: Numbers | undefined, index: number, format: (value: number) => string): string => {
  const value = values?.[index] ?? Number.NaN;
  return Number.isNaN(value) ? '–' : format(value);
};

/** Of the candle before, in percent; the first is compared to its own opening. */
function moveOf({ open, close }: { open: Numbers; close: Numbers }, index: number): number {
  const before = index > 0 ? close[index - 1] : open[index];
  return before ? ((close[index]! - before) / before) * 100 : 0;
}

/**
 * The figures of the candle that is told of. They change with every tick and every move of the pointer, so React makes
 * their places and never looks at what stands in them.
 * @param cellsOf what stands in the places of `names`, for one candle
 */
export function CandleReadout({
  feed,
  overlays,
  panes,
  names,
  cellsOf,
  price,
  language,
}: {
  feed: CandleFeed;
  overlays: readonly OverlayLook[];
  panes: readonly PaneLook[];
  names: readonly string[];
  cellsOf: (figures: Figures) => readonly string[];
  price: (value: number) => string;
  language: string;
}) {
  const box = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const places = [...(box.current?.querySelectorAll('[data-figure]') ?? [])];
    const move = places[names.length + 1];
    const written: string[] = [];
    const write = () => {
      const { candles, overlays: lines, panes: below } = feed.now();
      const index = feed.told();
      if (index < 0) return;
      const moved = moveOf(candles, index);
      const texts = [
        moment(candles.time[index]!, language),
        ...cellsOf(figuresAt(candles, index)),
        formatPercent(moved.toFixed(2)),
        ...lines.map(({ values }) => figure(values, index, price)),
        ...below.map(({ values }) => figure(values, index, (value) => value.toFixed(1))),
      ];
      for (const [at, text] of texts.entries()) {
        if (!places[at] || written[at] === text) continue;
        places[at].textContent = text;
        written[at] = text;
      }
      const tone = moved > 0 ? 'gain' : moved < 0 ? 'loss' : '';
      if (move && move.className !== tone) move.className = tone;
    };
    write();
    return feed.onTold(write);
  });
  return (
    <span ref={box} className="chart-figures">
      <span data-figure />
      {names.map((name) => (
        <Reading key={name} name={name}>
          <b data-figure />
        </Reading>
      ))}
      <span data-figure />
      {overlays.map(({ label, color }) => (
        <Reading key={label} name={label} color={color}>
          <b data-figure />
        </Reading>
      ))}
      {panes.map(({ label }) => (
        <Reading key={label} name={label} color="fg-muted">
          <b data-figure />
        </Reading>
      ))}
    </span>
  );
}

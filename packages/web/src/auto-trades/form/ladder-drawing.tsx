import type { AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Money } from '@pilotfish/core/money/figure';

type Ladder = AutoTradeDetail['ladder'];

const WIDTH = 56;
const HEIGHT = 180;
const PADDING = 8;

/** Where each price stands in the drawing, from the top; equal prices stand in the middle. Floats, for pixels only. */
export function heights(prices: readonly number[]): number[] {
  const high = Math.max(...prices);
  const low = Math.min(...prices);
  const room = high - low;
  return prices.map((price) => (room === 0 ? HEIGHT / 2 : PADDING + ((high - price) / room) * (HEIGHT - 2 * PADDING)));
}

/** The ladder to scale: sells above, the entry bright, rebuys below as wide as what they cost. The table says the same. */
export function LadderDrawing({ rungs, exits }: { rungs: Ladder['rungs']; exits: Ladder['exits'] }) {
  const sells = exits.filter(({ mergedInto }) => mergedInto === null);
  const at = heights([...rungs, ...sells].map(({ price }) => Number(price)));
  const most = Math.max(...rungs.map(({ quote }) => Number(quote)), ...sells.map(({ quote }) => Number(quote)));
  // Nothing at all is as wide as the least.
  const wide = (quote: Money) => Math.max(10, (Number(quote) / (most || 1)) * (WIDTH - 12));
  return (
    <svg width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" focusable="false" style={{ flexShrink: 0 }}>
      <line x1="4" x2="4" y1={PADDING} y2={HEIGHT - PADDING} stroke="var(--chakra-colors-border)" strokeWidth="2" />
      {rungs.map((rung, index) => (
        <rect
          key={rung.level}
          x="4"
          y={at[index]! - 3}
          width={wide(rung.quote)}
          height="6"
          rx="3"
          fill={`var(--chakra-colors-${rung.level === 0 ? 'brand-solid' : 'brand-fg'})`}
          opacity={rung.level === 0 ? 1 : 0.55}
        />
      ))}
      {sells.map((exit, index) => (
        <rect
          key={exit.level}
          x="4"
          y={at[rungs.length + index]! - 3}
          width={wide(exit.quote)}
          height="6"
          rx="3"
          fill="var(--chakra-colors-gain)"
        />
      ))}
    </svg>
  );
}

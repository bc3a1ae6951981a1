import { expect, test } from 'vitest';
import { heights } from './ladder-drawing.tsx';

test('the ladder is drawn to scale, highest price on top; one price alone stands in the middle', () => {
  const [high, middle, low] = heights([110, 100, 90]);
  expect(high).toBeLessThan(middle!);
  expect(middle! - high!).toBeCloseTo(low! - middle!);
  expect(heights([5, 5])).toEqual([90, 90]);
});

import { expect, test } from 'vitest';
import { exposureOf } from './exposure.ts';

test.each([
  ['none', false, false, 'noStop'],
  // A stop that has nothing to follow rests nowhere.
  ['none', false, true, 'noStop'],
  ['none', true, false, 'stopAtServer'],
  ['none', true, true, 'untilLine'],
  ['percent', false, false, 'stopAtServer'],
  ['percent', true, false, 'stopAtServer'],
  ['percent', false, true, undefined],
  ['percent', true, true, undefined],
])('stop loss %s, protected cost %s, at the exchange %s: %s', (mode, trailing, atExchange, exposed) => {
  expect(
    exposureOf({ stopLoss: { mode }, trailingCost: { enabled: trailing }, protectiveStop: { enabled: atExchange, limitOffsetPct: '0.5' } }),
  ).toBe(exposed);
});

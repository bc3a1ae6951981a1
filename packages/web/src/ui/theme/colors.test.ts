import { describe, expect, test } from 'vitest';
import { contrast } from '../testing/contrast.ts';
import { COLORS, type ColorName } from './colors.ts';

const SURFACES: ColorName[] = ['bg', 'panel', 'raised'];
const TEXTS: ColorName[] = [
  'fg',
  'muted',
  'subtle',
  'brandFg',
  'secondaryFg',
  'dangerFg',
  'gain',
  'loss',
  'gainBlind',
  'lossBlind',
  'warning',
];
const FIGURES: ColorName[] = ['fg', 'gain', 'loss', 'gainBlind', 'lossBlind'];
const SHAPES: ColorName[] = ['chartUp', 'chartDown', 'chartUpBlind', 'chartDownBlind', 'chartLine'];
const ON_FILL: [ColorName, ColorName][] = [
  ['brandContrast', 'brandSolid'],
  ['secondaryContrast', 'secondarySolid'],
  ['dangerContrast', 'dangerSolid'],
  ['brandFg', 'brandMuted'],
  ['brandFg', 'brandSubtle'],
  ['secondaryFg', 'secondaryMuted'],
  ['dangerFg', 'dangerMuted'],
  ['fg', 'brandMuted'],
  ['fg', 'secondaryMuted'],
  ['fg', 'dangerMuted'],
];

test('the yardstick is right', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

describe.each(['dark', 'light'] as const)('%s', (theme) => {
  const colors = COLORS[theme];
  test.each(TEXTS.flatMap((text) => SURFACES.map((surface) => [text, surface] as const)))('%s is readable on %s', (text, surface) => {
    expect(contrast(colors[text], colors[surface])).toBeGreaterThanOrEqual(4.5);
  });
  test.each(FIGURES)('%s figures reach 7:1 on panels', (figure) => {
    expect(contrast(colors[figure], colors.panel)).toBeGreaterThanOrEqual(7);
  });
  test.each(SHAPES)('%s of a chart stands out from every surface', (shape) => {
    for (const surface of SURFACES) expect(contrast(colors[shape], colors[surface]), surface).toBeGreaterThanOrEqual(3);
  });
  test.each(ON_FILL)('%s is readable on %s', (text, fill) => {
    expect(contrast(colors[text], colors[fill])).toBeGreaterThanOrEqual(4.5);
  });
  test('the outline of a control and the focus ring stand out from every surface', () => {
    for (const surface of SURFACES)
      for (const line of ['control', 'brandSolid'] as const)
        expect(contrast(colors[line], colors[surface]), `${line} on ${surface}`).toBeGreaterThanOrEqual(3);
  });
});

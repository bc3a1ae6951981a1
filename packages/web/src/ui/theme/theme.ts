import { createSystem, defineConfig } from '@chakra-ui/react';
import { defaultBaseConfig } from '@chakra-ui/react/preset-base';
import { COLORS, type ColorName } from './colors.ts';
import { recipes, slotRecipes } from './recipes.ts';

// Only what is in use. Nothing comes from '@chakra-ui/react/theme': one import of it brings every recipe along.

const color = (name: ColorName) => ({ value: { _light: COLORS.light[name], _dark: COLORS.dark[name] } });
const palette = (kind: 'brand' | 'secondary' | 'danger') => ({
  solid: color(`${kind}Solid`),
  contrast: color(`${kind}Contrast`),
  fg: color(`${kind}Fg`),
  muted: color(`${kind}Muted`),
  subtle: color(kind === 'brand' ? 'brandSubtle' : `${kind}Muted`),
  emphasized: color(`${kind}Muted`),
  border: color('border'),
  focusRing: color('brandSolid'),
});

/** The 4 px grid: `4` is 16 px, `0.5` is 2 px. */
const GRID = [0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 24];
const grid = Object.fromEntries(GRID.map((step) => [String(step), { value: `${step / 4}rem` }]));

export const system = createSystem(
  defaultBaseConfig,
  defineConfig({
    preflight: true,
    cssVarsPrefix: 'chakra',
    cssVarsRoot: ':where(html)',
    theme: {
      recipes,
      slotRecipes,
      breakpoints: { sm: '480px', md: '768px', lg: '1024px', xl: '1280px' },
      tokens: {
        spacing: grid,
        sizes: { ...grid, full: { value: '100%' } },
        colors: { transparent: { value: 'transparent' }, current: { value: 'currentColor' } },
        radii: { control: { value: '6px' }, panel: { value: '8px' }, full: { value: '9999px' } },
        fontSizes: {
          // Charts only.
          '11': { value: '0.6875rem' },
          '12': { value: '0.75rem' },
          '13': { value: '0.8125rem' },
          '14': { value: '0.875rem' },
          '16': { value: '1rem' },
          '17': { value: '1.0625rem' },
          '20': { value: '1.25rem' },
          '28': { value: '1.75rem' },
          '36': { value: '2.25rem' },
        },
        fonts: {
          body: { value: "'Inter Variable', system-ui, sans-serif" },
          heading: { value: "'Inter Variable', system-ui, sans-serif" },
          mono: { value: "ui-monospace, 'SFMono-Regular', Menlo, Consolas, monospace" },
        },
      },
      semanticTokens: {
        colors: {
          bg: {
            DEFAULT: color('bg'),
            panel: color('panel'),
            raised: color('raised'),
            input: color('bg'),
            muted: color('raised'),
            subtle: color('raised'),
          },
          fg: { DEFAULT: color('fg'), muted: color('muted'), subtle: color('subtle'), error: color('dangerFg') },
          border: { DEFAULT: color('border'), subtle: color('borderSubtle'), control: color('control'), error: color('dangerSolid') },
          brand: palette('brand'),
          secondary: palette('secondary'),
          danger: palette('danger'),
          neutral: { muted: color('raised'), fg: color('muted') },
          gain: color('gain'),
          loss: color('loss'),
          gainBlind: color('gainBlind'),
          lossBlind: color('lossBlind'),
          // Of shapes: candles, bars, tracks, tints. They may be livelier than text.
          chart: { up: color('chartUp'), down: color('chartDown'), line: color('chartLine') },
          chartBlind: { up: color('chartUpBlind'), down: color('chartDownBlind') },
          warning: color('warning'),
        },
      },
      textStyles: {
        xs: { value: { fontSize: '12px', lineHeight: '16px' } },
        sm: { value: { fontSize: '14px', lineHeight: '20px' } },
        md: { value: { fontSize: '16px', lineHeight: '24px' } },
        bar: { value: { fontSize: '15px', lineHeight: '20px', fontWeight: '650', letterSpacing: '-0.005em' } },
        hero: { value: { fontSize: '36px', lineHeight: '42px', fontWeight: '680', letterSpacing: '-0.025em' } },
        figure: { value: { fontSize: '17px', lineHeight: '24px', fontWeight: '620', letterSpacing: '-0.01em' } },
        title: { value: { fontSize: '20px', lineHeight: '28px', fontWeight: '650', letterSpacing: '-0.01em' } },
        display: { value: { fontSize: '28px', lineHeight: '34px', fontWeight: '680', letterSpacing: '-0.02em' } },
        label: { value: { fontSize: '13px', lineHeight: '18px', fontWeight: '550' } },
      },
    },
    globalCss: {
      html: { color: 'fg', bg: 'bg', lineHeight: '1.5', fontFamily: 'body', colorPalette: 'brand', fontFeatureSettings: "'cv11'" },
      'html.dark': { colorScheme: 'dark' },
      'html.light': { colorScheme: 'light' },
      body: { fontSize: '14px', minHeight: '100dvh' },
      // As every block is by itself: a name from right to left turns no words and figures beside it.
      'a, b, span, strong': { unicodeBidi: 'isolate' },
      'html[data-palette=blue-orange]': {
        '--chakra-colors-gain': 'var(--chakra-colors-gain-blind)',
        '--chakra-colors-loss': 'var(--chakra-colors-loss-blind)',
        '--chakra-colors-chart-up': 'var(--chakra-colors-chart-blind-up)',
        '--chakra-colors-chart-down': 'var(--chakra-colors-chart-blind-down)',
      },
      '*::selection': { bg: 'brand.muted' },
      ':focus-visible': { outline: '2px solid var(--chakra-colors-brand-solid)', outlineOffset: '2px' },
    },
  }),
);

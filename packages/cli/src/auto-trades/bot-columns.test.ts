import type { AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { expect, test } from 'vitest';
import { loadTexts } from '../app/texts.ts';
import type { Colours } from '../ui/colour.ts';
import { positions } from './bot-columns.ts';

const paint = new Proxy({}, { get: () => (text: string) => text }) as Colours;

test.each([
  ['en', 'UNLISTED', 'Needs attention (Coin not listed any more)'],
  ['tr', 'UNLISTED', 'İlgi istiyor (Coin artık listede değil)'],
  ['en', '-2010', 'Needs attention (-2010)'],
] as const)('why a position needs its owner is said in words where there are any: %s %s', async (language, attention, shown) => {
  const { columns } = positions(await loadTexts(language));
  const row = { state: 'NeedsAttention', attention } as AutoTradePosition;
  expect(columns.find(({ key }) => key === 'state')?.shown?.(row, paint)).toBe(shown);
});

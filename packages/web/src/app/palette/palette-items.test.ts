import { describe, expect, test } from 'vitest';
import { findItems, looksLikeAlert, type PaletteItem, score } from './palette-items.ts';
import { keyAction } from './shortcut-keys.ts';

const items: PaletteItem[] = [
  { id: 'screen:/prices', group: 'screens', label: 'Prices' },
  { id: 'screen:/positions', group: 'screens', label: 'Positions' },
  { id: 'pair:BTCUSDT', group: 'pairs', label: 'BTC / USDT', words: 'BTCUSDT' },
  { id: 'pair:WBTCBTC', group: 'pairs', label: 'WBTC / BTC', words: 'WBTCBTC' },
  { id: 'bot:1', group: 'bots', label: 'İyi dip alıcı' },
];
const found = (typed: string, recent: string[] = []) => findItems(typed, items, recent).map(({ id }) => id);

test('beginnings come before what stands inside, and letters in order last', () => {
  expect(found('btc')).toEqual(['pair:BTCUSDT', 'pair:WBTCBTC']);
  expect(found('btcusdt')[0]).toBe('pair:BTCUSDT');
  expect(found('prc')).toEqual(['screen:/prices']);
  expect(found('xyz')).toEqual([]);
  expect(score('po', 'Positions')).toBeGreaterThan(score('po', 'Open positions'));
});
test('Turkish letters are found however they are typed', () => {
  for (const typed of ['iyi', 'IYI', 'İYİ', 'alici']) expect(found(typed)).toEqual(['bot:1']);
});
test('with nothing typed, what was used last stands first', () => {
  expect(found('', ['pair:BTCUSDT', 'gone'])).toEqual(['pair:BTCUSDT', 'screen:/prices', 'screen:/positions']);
});
test('a line that could be an alert is offered as one', () => {
  expect(['BTC > 70k', 'eth drops 5% in 1h', 'btc>70'].map(looksLikeAlert)).toEqual([true, true, true]);
  expect(['btc', 'positions', 'BTC USDT'].map(looksLikeAlert)).toEqual([false, false, false]);
});

describe('keys', () => {
  const press = (key: string, over: Partial<Parameters<typeof keyAction>[0]> = {}, before?: string) =>
    keyAction({ key, ctrlKey: false, metaKey: false, altKey: false, isTyping: false, ...over }, before);
  test('open the palette from anywhere, everything else only outside of fields', () => {
    expect(press('k', { ctrlKey: true, isTyping: true })).toBe('palette');
    expect(press('k', { metaKey: true })).toBe('palette');
    expect(press('?')).toBe('sheet');
    expect(press('/')).toBe('search');
    for (const key of ['?', '/', 'g']) expect(press(key, { isTyping: true })).toBeUndefined();
    expect(press('p', { isTyping: true }, 'g')).toBeUndefined();
  });
  test('two letters go to a screen', () => {
    expect(press('g')).toBe('first');
    expect(['h', 'p', 'o', 'b', 'a', 'f'].map((key) => press(key, {}, 'g'))).toEqual([
      '/',
      '/prices',
      '/positions',
      '/auto-trade',
      '/price-alerts',
      '/performance',
    ]);
    expect(press('x', {}, 'g')).toBeUndefined();
    expect(press('p')).toBeUndefined();
    expect(press('g', { ctrlKey: true })).toBeUndefined();
  });
});

import { describe, expect, test } from 'vitest';
import { contrast, mixed } from '../ui/testing/contrast.ts';
import { COLORS } from '../ui/theme/colors.ts';
import { arrange, bySize, DARKEST, type Place, textOf, tintOf } from './heat-tiles.ts';

const coins = (count: number) => Array.from({ length: count }, (_, index) => ({ symbol: `C${index}`, volume: 1e9 / (index + 1) ** 1.2 }));
const overlap = (a: Place, b: Place) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

describe('places', () => {
  test.each([
    [1096, 430],
    [822, 186],
    [358, 420],
  ])('of %d × %d px fill the map, overlap nowhere, and each can be hit', (width, height) => {
    const places = arrange(coins(60), width, height);
    expect(places.length).toBeGreaterThan(10);
    for (const [index, place] of places.entries()) {
      expect(Math.min(place.width, place.height)).toBeGreaterThanOrEqual(24);
      expect(place.x + place.width).toBeLessThanOrEqual(width);
      expect(place.y + place.height).toBeLessThanOrEqual(height);
      expect(places.slice(index + 1).some((other) => overlap(place, other))).toBe(false);
    }
    const covered = places.reduce((sum, place) => sum + place.width * place.height, 0) / (width * height);
    expect(covered).toBeGreaterThan(0.85);
  });

  test('are as large as the volume, apart from the gaps', () => {
    const [first, second] = arrange(
      [
        { symbol: 'A', volume: 3 },
        { symbol: 'B', volume: 1 },
      ],
      802,
      300,
    );
    expect((first!.width * first!.height) / (second!.width * second!.height)).toBeCloseTo(3, 1);
  });

  test('are none without room or coins, and one coin has all of it', () => {
    expect(arrange(coins(3), 0, 200)).toEqual([]);
    expect(arrange([], 300, 200)).toEqual([]);
    expect(arrange(coins(1), 300, 200)).toEqual([{ x: 0, y: 0, width: 300, height: 200 }]);
  });
});

test('the order is that of the volume by two digits, so that near ones do not change places; without volume there is no tile', () => {
  const order = (...items: [string, number][]) => bySize(items.map(([symbol, volume]) => ({ symbol, volume }))).map(({ symbol }) => symbol);
  expect(order(['B', 1_002_000], ['A', 1_001_000], ['C', 5_000_000])).toEqual(['C', 'A', 'B']);
  expect(order(['B', 1_001_000], ['A', 1_002_000], ['NONE', 0])).toEqual(['A', 'B']);
});

test('a tint grows with the change in either direction up to what is much for its span', () => {
  expect([0, 4, -4, 8, -80].map((change) => tintOf(change, '24h'))).toEqual([10, 33, 33, 55, 55]);
  expect([tintOf(3, '1h'), tintOf(3, '24h'), tintOf(3, '7d')]).toEqual([55, 27, 17]);
});

describe.each(['dark', 'light'] as const)('%s', (theme) => {
  const { fg, panel, ...colors } = COLORS[theme];
  test.each(['chartUp', 'chartDown', 'chartUpBlind', 'chartDownBlind'] as const)('text is readable on every tint of %s', (tone) => {
    for (let tint = 0; tint <= DARKEST; tint += 1)
      expect(contrast(fg, mixed(colors[tone], panel, tint)), `${tint} %`).toBeGreaterThanOrEqual(4.5);
  });
});

test('a tile shows both texts, the coin alone, or none, by the room there is', () => {
  const at = (width: number, height: number, coin = 'BTC', change = '+1.3%') => textOf({ x: 0, y: 0, width, height }, coin, change);
  expect(at(186, 186)).toEqual({ shows: 'both', size: 14 });
  expect(at(60, 50)).toEqual({ shows: 'both', size: 12 });
  expect(at(60, 30)).toEqual({ shows: 'coin', size: 12 });
  expect(at(36, 60, 'BTC', '+112.4%').shows).toBe('coin');
  expect(at(60, 50, '1000SATS')).toEqual({ shows: 'none', size: 11 });
  expect([at(48, 50, '币安人生').shows, at(64, 50, '币安人生').shows]).toEqual(['none', 'both']);
  expect(at(24, 24).shows).toBe('none');
});

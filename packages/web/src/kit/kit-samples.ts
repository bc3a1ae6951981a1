import type { Money, Price } from '@pilotfish/core/money/figure';
import type { CandleColumns } from '../ui/charts/candle-columns.ts';
import type { LevelItem } from '../ui/kit/level-list.tsx';
import type { TrackLevels } from '../ui/kit/level-track.tsx';

// Invented figures: one account, so that they add up.

export const KIT_CURVE: readonly number[] = [
  3, 5, 4, 7, 6, 2, 5, 3, 4, 2, 1, 4, 8, 9, 11, 12, 10, 14, 8, 9, 12, 12, 10, 14, 13, 13, 16, 17, 19,
];

export const KIT_BARS: readonly { coin: string; pnl: Money; exits: number }[] = [
  { coin: 'BTC', pnl: '412.30', exits: 41 },
  { coin: 'SOL', pnl: '388.12', exits: 29 },
  { coin: 'ETH', pnl: '96.50', exits: 38 },
  { coin: 'LTC', pnl: '0', exits: 2 },
  { coin: 'XRP', pnl: '-61.22', exits: 17 },
  { coin: 'DOGE', pnl: '-148.90', exits: 24 },
];

export const KIT_LEVELS: readonly (Pick<LevelItem, 'id' | 'name' | 'note' | 'tone' | 'distance' | 'isPresent'> & {
  price: Price;
  result?: Money;
})[] = [
  { id: 'tp', name: 'Take profit 1', note: 'sells 50%', tone: 'gain', price: '98822.81', distance: '0.96', result: '17.57' },
  { id: 'arm', name: 'Trailing start', note: 'follows 1.2% below the high', tone: 'brand', price: '98340.75', distance: '0.47' },
  { id: 'price', name: 'Price', tone: 'neutral', price: '97884.23', isPresent: true },
  { id: 'even', name: 'Break-even', note: 'after fees', tone: 'neutral', price: '96509.01', distance: '-1.4', result: '0' },
  { id: 'rebuy', name: 'Rebuy', note: 'buys for 250.00', tone: 'warning', price: '95912.20', distance: '-2.01' },
  {
    id: 'stop',
    name: 'Stop',
    note: 'sells all, rests at the exchange',
    tone: 'loss',
    price: '94484.25',
    distance: '-3.47',
    result: '-30.75',
  },
];

export const KIT_TRACKS: readonly { name: string; places: number; levels: TrackLevels }[] = [
  { name: 'Gaining', places: 2, levels: { stop: '94484.25', breakEven: '96509.01', price: '97884.23', target: '98822.81' } },
  {
    name: 'Losing, rebuys',
    places: 2,
    levels: { stop: '149.28', rebuys: ['153.5', '158.2'], breakEven: '164.2', price: '162.87', target: '165.68' },
  },
  { name: 'No stop', places: 2, levels: { stop: null, breakEven: '691.2', price: '708.4', target: '735' } },
  { name: 'No target', places: 2, levels: { stop: '3628.55', breakEven: '3702.6', price: '3664.1', target: null } },
  { name: 'No price', places: 4, levels: { stop: '0.6108', breakEven: '0.6712', price: null, target: '0.6846' } },
];

/** A day of BTC: closes at every tenth candle. */
export const KIT_PATH: readonly number[] = [
  95_250, 94_900, 94_560, 95_400, 96_450, 96_300, 97_100, 96_700, 97_300, 98_150, 97_800, 97_900, 97_350, 97_600, 97_884.23,
];

/** Candles along a path, ten from each of its prices to the next; always the same ones. `last`: when the newest begins, s. */
export function kitCandles(path: readonly number[], last: number, step: number): CandleColumns {
  const count = (path.length - 1) * 10;
  let seed = 7;
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647 - 0.5;
  };
  const close = Array.from({ length: count }, (_, index) => {
    const [from, part] = [Math.floor((index + 1) / 10), ((index + 1) % 10) / 10];
    return path[from]! + (part === 0 ? 0 : (path[from + 1]! - path[from]!) * part + random() * 260);
  });
  const open = close.map((_, index) => close[index - 1] ?? path[0]!);
  const wick = (index: number, side: 1 | -1) => side * Math.max(side * close[index]!, side * open[index]!) + side * (0.5 + random()) * 90;
  return {
    time: close.map((_, index) => last - (count - 1 - index) * step),
    open,
    high: close.map((_, index) => wick(index, 1)),
    low: close.map((_, index) => wick(index, -1)),
    close,
    volume: close.map(() => 30 + random() * 50),
  };
}

/** Coin, volume of 24 hours in USDT, change in percent. */
export const KIT_HEAT: readonly (readonly [string, number, string | undefined])[] = [
  ['BTC', 3.9e9, '1.29'],
  ['ETH', 1.83e9, '-0.14'],
  ['SOL', 1.38e9, '-6.29'],
  ['XRP', 1.17e9, '2.74'],
  ['BNB', 9.6e8, '2.84'],
  ['USDC', 9.1e8, '0.01'],
  ['DOGE', 8.8e8, '-2.2'],
  ['ADA', 7.8e8, '0.53'],
  ['AVAX', 7.4e8, '6.38'],
  ['SUI', 6.1e8, '4.1'],
  ['LINK', 5.6e8, '-1.18'],
  ['PEPE', 5.5e8, '12.42'],
  ['OP', 4.8e8, '-5.51'],
  ['TRX', 4.8e8, '1.02'],
  ['ARB', 4.5e8, '3.79'],
  ['NEW', 4.3e8, undefined],
  ['LTC', 4.3e8, '0.61'],
  ['DOT', 4.1e8, '-0.84'],
  ['NEAR', 3.9e8, '3.2'],
  ['UNI', 3.2e8, '-3.3'],
  ['APT', 3e8, '1.12'],
  ['ATOM', 2.7e8, '-1.9'],
  ['FIL', 2.5e8, '0.2'],
  ['1000SATS', 9e7, '-14.31'],
  ['WIF', 6e7, '7.01'],
  ['INJ', 4e7, '-0.5'],
];

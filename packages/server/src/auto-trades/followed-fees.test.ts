import type { TakerFees } from '@pilotfish/core/auto-trades/engine/engine-inputs';
import { btcusdt } from '@pilotfish/core/testing/pairs';
import { expect, test } from 'vitest';
import type { RunningBot } from './bot-runner.ts';
import { followedFees } from './followed-fees.ts';

/** Bots that hear of fees, by account; what the exchange was asked, and what was stored. */
function stage(accounts: Readonly<Record<string, readonly string[]>>) {
  const asked: string[] = [];
  const stored: [string, TakerFees][] = [];
  const forgotten: string[] = [];
  const due = new Set<string>();
  const bots = Object.entries(accounts).map(([id, symbols]) => {
    let heard: TakerFees = {};
    const setTakerFees = (told: TakerFees) => {
      if (Object.keys(told).length === 0) return undefined;
      heard = { ...heard, ...told };
      return heard;
    };
    const accountKey = id.startsWith('p') ? `paper:${id[0]}` : `live:${id[0]}`;
    const bot = { bot: { id }, accountKey, symbols: () => symbols, setTakerFees };
    return [id, bot as unknown as RunningBot] as const;
  });
  const fees = followedFees({
    running: new Map(bots),
    fees: {
      forget: (key) => void forgotten.push(key),
      isDue: (key, symbol) => due.has(`${key} ${symbol}`),
      of: async (key, symbols) => {
        for (const symbol of symbols) if (due.delete(`${key} ${symbol}`)) asked.push(`${key} ${symbol}`);
        return Object.fromEntries(symbols.map((symbol) => [symbol, '0']));
      },
    },
    market: { pair: (symbol) => (symbol === 'GONEUSDT' ? undefined : btcusdt) },
    store: {
      saveTakerFees: async (id, all) => void stored.push([id, all]),
      list: async () => [...bots.map(([id]) => ({ id, walletId: id[0] })), { id: 'p9', walletId: 'p' }] as never,
    },
  });
  return { fees, asked, stored, forgotten, due, bots: new Map(bots) };
}

test('one fee that is due is asked at a time, and every bot of its account hears of it', async () => {
  const { fees, asked, stored, due } = stage({ a1: ['GONEUSDT', 'BTCUSDT', 'USDCUSDT'], a2: ['USDCUSDT'], b1: ['USDCUSDT'] });
  for (const name of ['live:a GONEUSDT', 'live:a BTCUSDT', 'live:a USDCUSDT']) due.add(name);
  await fees.round();
  expect([asked, stored]).toEqual([['live:a BTCUSDT'], [['a1', { BTCUSDT: '0' }]]]);
  await fees.round();
  await fees.round();
  expect(asked).toEqual(['live:a BTCUSDT', 'live:a USDCUSDT']);
  expect(stored.slice(1)).toEqual([
    ['a1', { BTCUSDT: '0', USDCUSDT: '0' }],
    ['a2', { USDCUSDT: '0' }],
  ]);
});

test('coins that a bot did not have are asked for at once, and those it has are not', async () => {
  const { fees, stored, bots } = stage({ a1: ['BTCUSDT'] });
  await fees.ofCoins(bots.get('a1')!, ['BTCUSDT']);
  expect(stored).toEqual([]);
  await fees.ofCoins(bots.get('a1')!, ['BTCUSDT', 'ETHUSDT']);
  expect(stored).toEqual([['a1', { ETHUSDT: '0' }]]);
});

test('a paper wallet that pays something else is asked of anew: its bots at work hear it, those at rest forget what they knew', async () => {
  const { fees, stored, forgotten } = stage({ p1: ['BTCUSDT'], a1: ['BTCUSDT'] });
  await fees.ofWallet('ann', 'p');
  expect(forgotten).toEqual(['paper:p']);
  expect(stored).toEqual([
    ['p1', {}],
    ['p9', {}],
    ['p1', { BTCUSDT: '0' }],
  ]);
});

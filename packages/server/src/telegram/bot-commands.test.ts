import { botConfig } from '@pilotfish/core/testing/auto-trade-fixtures';
import { expect, test } from 'vitest';
import { createTexts, LANGUAGES, type Language } from '../http/texts.ts';
import { botCommands } from './bot-commands.ts';
import { moneyCommands } from './money-commands.ts';
import type { CommandContext } from './telegram-command.ts';

const texts = createTexts();
const config = {
  ...botConfig({ maxOpenPositions: 2 }),
  stopLoss: { mode: 'percent' },
  trailingCost: { enabled: false },
  protectiveStop: { enabled: false, limitOffsetPct: '1' },
};
const live = {
  id: '1',
  name: 'Dip',
  walletName: 'Main',
  mode: 'live',
  exchange: 'binance',
  currency: 'USDT',
  mustAcknowledge: false,
  allowed: ['enable'],
  withheld: [] as object[],
  config,
};

/** What the chat is answered to `/enable Dip`, and what was called for it. */
async function enable(bot: object, language: Language = 'en') {
  const called: string[] = [];
  const context = {
    language,
    call: async (id: string) => {
      called.push(id);
      return id === 'listAutoTrades' ? [bot] : { ...bot, state: 'Running' };
    },
    say: (key: string, values: Readonly<Record<string, string | number>> = {}) => texts.text(language, `telegram.${key}`, values),
    text: (key: string, values: Readonly<Record<string, string | number>> = {}) => texts.text(language, key, values),
  } as unknown as CommandContext;
  const reply = await botCommands.find(({ name }) => name === 'enable')!.run(context, ['Dip'], '');
  return { html: reply.text.html, asks: reply.confirm !== undefined, called };
}

test.each(LANGUAGES)('a bot with real money is asked about, with what is exposed without the server (%s)', async (language) => {
  const { html, asks, called } = await enable(live, language);
  expect([asks, called]).toEqual([true, ['listAutoTrades']]);
  expect(html).toContain(texts.text(language, 'telegram.askEnable', { bot: 'Dip', wallet: 'Main' }));
  expect(html).toContain(texts.text(language, 'autoTrades.spend.fixed', { count: 2, amount: '1,000.00 USDT' }));
  expect(html).toContain(texts.text(language, 'autoTrades.exposed.stopAtServer'));
});

test('one whose stop rests at the exchange needs no such word; paper money needs no question', async () => {
  const kept = { ...live, config: { ...config, protectiveStop: { enabled: true, limitOffsetPct: '1' } } };
  const { html } = await enable(kept);
  expect(html).toContain(texts.text('en', 'telegram.askEnable', { bot: 'Dip', wallet: 'Main' }));
  expect(html).not.toContain('Recommended');
  expect(await enable({ ...live, mode: 'paper' })).toMatchObject({ asks: false, called: ['listAutoTrades', 'enableAutoTrade'] });
});

test('a live wallet is asked about at a simulated or test exchange too, as test money', async () => {
  for (const exchange of ['simulated', 'binance-demo', 'binance-testnet']) {
    const { html, asks, called } = await enable({ ...live, exchange });
    expect([asks, called]).toEqual([true, ['listAutoTrades']]);
    expect(html).toContain(texts.text('en', 'telegram.askEnableTest', { bot: 'Dip', wallet: 'Main' }));
  }
});

test('a bot whose keys may not trade is not asked about: the refusal comes first', async () => {
  const withheld = [{ action: 'enable', reason: 'trading-disabled' }];
  await expect(enable({ ...live, withheld })).rejects.toMatchObject({ code: 'trading-disabled' });
});

test('positions of a chat are told with the decimals of their pairs, whether two or eight', async () => {
  const held = (symbol: string, price: string) => ({
    id: symbol,
    symbol,
    state: 'Open',
    quantity: '1',
    averageCost: price,
    lines: { protectedCost: null, stopLoss: price },
  });
  const detail = { ...live, positions: [held('BTCUSDT', '117513.9'), held('PEPEUSDT', '0.0000123')], evaluations: [] };
  const answers: Record<string, unknown> = {
    listAutoTrades: [{ ...live, openPositions: 2 }],
    getAutoTradeDetail: detail,
    listOpenPositions: { items: [] },
    listPairs: [
      { symbol: 'BTCUSDT', pricePrecision: 2 },
      { symbol: 'PEPEUSDT', pricePrecision: 8 },
    ],
  };
  const context = {
    language: 'en',
    call: async (id: string) => answers[id],
    say: (key: string, values: Readonly<Record<string, string | number>> = {}) => texts.text('en', `telegram.${key}`, values),
    text: (key: string, values: Readonly<Record<string, string | number>> = {}) => texts.text('en', key, values),
  } as unknown as CommandContext;
  const { text } = await botCommands.find(({ name }) => name === 'positions')!.run(context, [], '');
  expect(text.html.match(/[\d,]+\.\d+/g)).toEqual(['117,513.90', '117,513.90', '0.00001230', '0.00001230']);
});

test.each([
  ['bots', [], ['+0.00375000 BTC', '+0.0003 USDT']],
  ['status', [], ['+0.00375000 BTC', '−0.0003 USDT']],
  ['bot', ['Coin'], ['+0.00375000', '+0.00375000']],
  ['balance', [], ['0.00000001', '0.00500000', '1.00375000']],
] as const)('sums of a chat have the decimals of their currency, and currencies are not added up: /%s', async (name, args, sums) => {
  const coin = {
    ...live,
    id: '2',
    name: 'Coin',
    state: 'Running',
    stateReason: null,
    exits: 'continue',
    openPositions: 0,
    currency: 'BTC',
  };
  const inBitcoin = { ...coin, realised: '0.00375', realisedToday: '0.00375' };
  const inDollars = { ...coin, id: '3', name: 'Dollar', currency: 'USDT', realised: '0.0003', realisedToday: '-0.0003' };
  const answers: Record<string, unknown> = {
    listAutoTrades: [inBitcoin, inDollars],
    getAutoTradeDetail: { ...inBitcoin, positions: [], evaluations: [] },
    listPairs: [],
    listWallets: [{ name: 'Coins', mode: 'live', currency: 'BTC', free: '1.00375', reserved: '0.00000001', invested: '0.005' }],
  };
  const context = {
    language: 'en',
    mutedUntil: null,
    call: async (id: string) => {
      if (!(id in answers)) throw new Error(id);
      return answers[id];
    },
    say: (key: string, values: Readonly<Record<string, string | number>> = {}) => texts.text('en', `telegram.${key}`, values),
    text: (key: string, values: Readonly<Record<string, string | number>> = {}) => texts.text('en', key, values),
  } as unknown as CommandContext;
  const { text } = await [...botCommands, ...moneyCommands].find((command) => command.name === name)!.run(context, [...args], '');
  for (const sum of sums) expect(text.html).toContain(sum);
  expect(text.html).not.toMatch(/[^\d]0\.00(?!\d)/);
});

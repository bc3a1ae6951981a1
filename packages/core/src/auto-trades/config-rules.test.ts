import { describe, expect, test } from 'vitest';
import { botConfig, walletBook } from '../../testing/auto-trade-fixtures.ts';
import { btcusdt } from '../../testing/pairs.ts';
import { type AutoTradeConfigInput, autoTradeConfigSchema } from './auto-trade-config.ts';
import { effectiveLadder, type RuleFacts, violatedRules } from './config-rules.ts';

const facts: RuleFacts = {
  pair: (symbol) =>
    symbol === 'BTCUSDT'
      ? btcusdt
      : symbol === 'ETHBTC'
        ? { ...btcusdt, symbol, baseAsset: 'ETH', quoteAsset: 'BTC' }
        : symbol === 'OLDUSDT'
          ? { ...btcusdt, symbol, status: 'BREAK' }
          : undefined,
  price: () => '100000',
  takerFee: '0.001',
  wallet: walletBook('10000'),
};
const { entry } = botConfig();
const codes = (over: Partial<AutoTradeConfigInput>, more: Partial<RuleFacts> = {}) =>
  violatedRules(botConfig(over), { ...facts, ...more }).map(({ path, code }) => `${path} ${code}`);

test('a sound bot violates nothing', () => {
  expect(violatedRules(botConfig(), facts)).toEqual([]);
});

describe('each rule names its field', () => {
  const cases: [string, Partial<AutoTradeConfigInput>, string, Partial<RuleFacts>?][] = [
    ['a wallet of somebody else', {}, 'walletId WALLET_UNKNOWN', { wallet: undefined }],
    ['a pair the exchange lacks', { coins: { symbols: ['NOPEUSDT'] } }, 'coins.symbols.0 SYMBOL_UNKNOWN'],
    ['a pair that does not trade', { coins: { symbols: ['OLDUSDT'] } }, 'coins.symbols.0 SYMBOL_NOT_TRADING'],
    ['a pair of another quote asset', { coins: { symbols: ['ETHBTC'] } }, 'coins.symbols.0 WRONG_QUOTE'],
    ['a pair named twice', { coins: { symbols: ['BTCUSDT', 'BTCUSDT'] } }, 'coins.symbols.1 SYMBOL_TWICE'],
    [
      'a drop of everything',
      { entry: { ...entry, trigger: { kind: 'drop', dropPct: '100', lookbackMin: 10 } } },
      'entry.trigger.dropPct TOO_HIGH',
    ],
    [
      'a drop of nothing',
      { entry: { ...entry, trigger: { kind: 'drop', dropPct: '0', lookbackMin: 10 } } },
      'entry.trigger.dropPct MUST_BE_POSITIVE',
    ],
    ['a rebound within the noise', { entry: { ...entry, trailing: { reboundPct: '0.05' } } }, 'entry.trailing.reboundPct TOO_LOW'],
    [
      'a chase limit under the rebound',
      { entry: { ...entry, trigger: { kind: 'immediate' }, trailing: { reboundPct: '2', maxChasePct: '1' } } },
      'entry.trailing.maxChasePct CHASE_BELOW_REBOUND',
    ],
    ['a spread limit that is none', { entry: { ...entry, maxSpreadPct: '6' } }, 'entry.maxSpreadPct TOO_HIGH'],
    ['more than the whole wallet', { entry: { ...entry, size: { mode: 'percentOfWallet', value: '101' } } }, 'entry.size.value TOO_HIGH'],
    [
      'an order too small to sell again',
      { entry: { ...entry, size: { mode: 'fixed', value: '5.1' } } },
      'entry.size.value BELOW_MIN_NOTIONAL',
    ],
    ['an order the wallet cannot pay', { entry: { ...entry, size: { mode: 'fixed', value: '9999' } } }, 'entry.size.value ABOVE_WALLET'],
    ['no way out', { takeProfit: { levels: [] }, trailingCost: { enabled: false } }, 'takeProfit.levels NO_WAY_OUT'],
    ['shares that are not the whole', { takeProfit: { levels: [{ gainPct: '4', sellPct: '90' }] } }, 'takeProfit.levels SHARES_NOT_100'],
    [
      'gains that fall',
      {
        takeProfit: {
          levels: [
            { gainPct: '5', sellPct: '50' },
            { gainPct: '4', sellPct: '50' },
          ],
        },
      },
      'takeProfit.levels.1.gainPct GAINS_NOT_RISING',
    ],
    [
      'a gain the fees eat',
      { trailingCost: { enabled: false }, takeProfit: { levels: [{ gainPct: '0.2', sellPct: '100' }] } },
      'takeProfit.levels.0.gainPct GAIN_BELOW_FEES',
    ],
    [
      'a first line that would lose',
      { trailingCost: { enabled: true, armGainPct: '1', distancePct: '0.9' } },
      'trailingCost.armGainPct LINE_BELOW_COST',
    ],
    [
      'a distance of everything',
      { trailingCost: { enabled: true, armGainPct: '1', distancePct: '100' } },
      'trailingCost.distancePct TOO_HIGH',
    ],
    [
      'arming after the last take profit',
      { trailingCost: { enabled: true, armGainPct: '4', distancePct: '0.5' } },
      'trailingCost.armGainPct ARM_ABOVE_TAKE_PROFIT',
    ],
    ['a stop at nothing', { stopLoss: { mode: 'percent', pct: '100' } }, 'stopLoss.pct TOO_HIGH'],
  ];
  test.each(cases)('%s', (_, over, expected, more) => {
    expect(codes(over, more)).toContain(expected);
  });
});

test('the arm 1 / distance 0.9 / taker 0.1 % example is −0.009 %', () => {
  const found = violatedRules(botConfig({ trailingCost: { enabled: true, armGainPct: '1', distancePct: '0.9' } }), facts);
  expect(found.find((rule) => rule.code === 'LINE_BELOW_COST')?.actual).toMatch(/^-0\.009/);
});

test('a stop loss must be chosen, and an unknown setting is refused by name', () => {
  const { stopLoss: _stopLoss, ...rest } = botConfig();
  expect(autoTradeConfigSchema.safeParse(rest).error?.issues[0]?.path).toEqual(['stopLoss']);
  const unknown = autoTradeConfigSchema.safeParse({ ...botConfig(), martingale: true });
  expect(JSON.stringify(unknown.error?.issues)).toContain('martingale');
});

test('the ladder shows whole lots on the tick at the trigger price, and the worst case of all slots', () => {
  const ladder = effectiveLadder(botConfig({ maxOpenPositions: 1 }), facts);
  expect(ladder.rungs).toEqual([{ symbol: 'BTCUSDT', level: 0, price: '99000', quantity: '0.0101', quote: '999.9' }]);
  // 999.9 with half a percent of slippage and the taker fee on top.
  expect(ladder.worstCaseTotal).toBe('1005.9043995');
});

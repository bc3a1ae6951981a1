import { describe, expect, test } from 'vitest';
import { botConfig, walletBook } from '../../testing/auto-trade-fixtures.ts';
import { btcusdt } from '../../testing/pairs.ts';
import type { FilterGroup } from '../prices/screener-contract.ts';
import { type AutoTradeConfigInput, autoTradeConfigSchema } from './auto-trade-config.ts';
import { violatedRules } from './config-rules.ts';
import { effectiveLadder } from './effective-ladder.ts';
import type { RuleFacts } from './rule-facts.ts';

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
const rsi = { key: 'rsi', timeframe: '1h', operation: 'lt', value: 30 };
const knowledge = { signedIn: true, quotes: ['USDT'], tags: [] };
const conditions = (rules: FilterGroup): Partial<AutoTradeConfigInput> => ({ entry: { ...entry, trigger: { kind: 'conditions', rules } } });
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
    [
      'a filter of somebody else',
      { coins: { coinFilterIds: ['01890000-0000-7000-8000-00000000000f'] } },
      'coins.coinFilterIds.0 FILTER_UNKNOWN',
      { knowsFilter: () => false },
    ],
    [
      'a rebound within the spread',
      { entry: { ...entry, trailing: { reboundPct: '0.3' } } },
      'entry.trailing.reboundPct TOO_LOW',
      { spread: () => '0.2' },
    ],
    [
      'a limit below the band of prices',
      { entry: { ...entry, order: { type: 'Limit', offsetPct: '30' } } },
      'entry.order.offsetPct OUTSIDE_PRICE_BAND',
      { pair: (symbol: string) => ({ ...btcusdt, symbol, filters: { ...btcusdt.filters, bidMultiplierDown: '0.8' } }) },
    ],
    ['conditions that ask nothing', conditions({ match: 'all', rules: [] }), 'entry.trigger.rules CONDITIONS_EMPTY'],
    [
      'more conditions than may be',
      conditions({ match: 'all', rules: Array.from({ length: 21 }, () => rsi) }),
      'entry.trigger.rules CONDITIONS_TOO_MANY',
    ],
    [
      'conditions nested too deep',
      conditions({ match: 'all', rules: [{ match: 'any', rules: [{ match: 'all', rules: [rsi] }] }] }),
      'entry.trigger.rules CONDITIONS_TOO_DEEP',
    ],
    [
      'a condition about a field that is none',
      conditions({ match: 'all', rules: [{ ...rsi, key: 'mood' }] }),
      'entry.trigger.rules.rules.0.key unknownField',
      { knowledge },
    ],
    [
      'an exit condition without its timeframe',
      { exit: { conditions: { match: 'all', rules: [{ key: 'rsi', operation: 'gt', value: 70 }] } } },
      'exit.conditions.rules.0.timeframe missingTimeframe',
      { knowledge },
    ],
    [
      'rebuys that do not go deeper',
      { rebuys: { basis: 'firstBuy', levels: [{ dropPct: '3' }, { dropPct: '3' }] } },
      'rebuys.levels.1.dropPct DROPS_NOT_DEEPER',
    ],
    ['a rebuy at nothing', { rebuys: { levels: [{ dropPct: '100' }] } }, 'rebuys.levels.0.dropPct TOO_HIGH'],
    [
      'a rebuy too small to sell again',
      { rebuys: { levels: [{ dropPct: '2', sizeMultiplier: '0.001' }] } },
      'rebuys.levels.0.sizeMultiplier BELOW_MIN_NOTIONAL',
    ],
    ['a ladder the wallet cannot pay', { rebuys: { generator: { count: 20, stepPct: '1' } } }, 'rebuys ABOVE_WALLET'],
    [
      'an exposure below the ladder',
      { maxExposurePerCoin: '1500', rebuys: { levels: [{ dropPct: '2' }] } },
      'maxExposurePerCoin EXPOSURE_BELOW_LADDER',
    ],
    [
      'a stop above the last rebuy',
      { stopLoss: { mode: 'percent', pct: '4', basis: 'firstBuy' }, rebuys: { levels: [{ dropPct: '2' }, { dropPct: '3' }] } },
      'stopLoss.pct STOP_ABOVE_REBUY',
    ],
    [
      'a protective stop with nothing to follow',
      { protectiveStop: { enabled: true }, stopLoss: { mode: 'none' }, trailingCost: { enabled: false } },
      'protectiveStop.enabled STOP_FOLLOWS_NOTHING',
    ],
    [
      'a protective limit far below its stop',
      { protectiveStop: { enabled: true, limitOffsetPct: '21' } },
      'protectiveStop.limitOffsetPct TOO_HIGH',
    ],
    ['dust that is a position', { dust: { maxResidualPct: '11' } }, 'dust.maxResidualPct TOO_HIGH'],
    ['a drawdown of more than all', { protections: { drawdown: { maxPct: '101' } } }, 'protections.drawdown.maxPct TOO_HIGH'],
    ['a zone that is none', { protections: { dailyLoss: { amount: '5', tz: 'Mars/Base' } } }, 'protections.dailyLoss.tz ZONE_UNKNOWN'],
    [
      'a guard that resumes before it holds',
      { protections: { btcGuard: { dropPct: '3', windowMin: 60, resumePct: '3' } } },
      'protections.btcGuard.resumePct RESUME_ABOVE_DROP',
    ],
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

describe('the ladder of rebuys', () => {
  const rungsOf = (over: Partial<AutoTradeConfigInput>) =>
    effectiveLadder(botConfig({ entry: { ...entry, trigger: { kind: 'immediate' } }, ...over }), facts).rungs;

  test('each level lies below the buy before it, and is as large as its multiplier says', () => {
    expect(rungsOf({ rebuys: { levels: [{ dropPct: '2' }, { dropPct: '3', sizeMultiplier: '2' }] } })).toEqual([
      { symbol: 'BTCUSDT', level: 0, price: '100000', quantity: '0.01', quote: '1000' },
      { symbol: 'BTCUSDT', level: 1, price: '98000', quantity: '0.0102', quote: '999.6' },
      { symbol: 'BTCUSDT', level: 2, price: '95060', quantity: '0.02103', quote: '1999.1118' },
    ]);
  });
  test('or below the first buy, or below the average so far', () => {
    const levels = [{ dropPct: '2' }, { dropPct: '4' }];
    expect(rungsOf({ rebuys: { basis: 'firstBuy', levels } }).map(({ price }) => price)).toEqual(['100000', '98000', '96000']);
    // (1,000 + 999.6) / 0.0202 = 98,990.099…, less 4 %.
    expect(rungsOf({ rebuys: { basis: 'avgCost', levels } }).map(({ price }) => price)).toEqual(['100000', '98000', '95030.49']);
  });
  test('a generator says the same as the levels it stands for', () => {
    const generator = { count: 3, stepPct: '1', stepScale: '1.5', sizeScale: '2' };
    const sizes = ['2', '4', '8'].map((sizeMultiplier) => ({ sizeMultiplier }));
    const written = (drops: string[]) => drops.map((dropPct, index) => ({ dropPct, ...sizes[index]! }));
    const wallet = { wallet: walletBook('100000') };
    const of = (rebuys: NonNullable<AutoTradeConfigInput['rebuys']>) => effectiveLadder(botConfig({ rebuys }), { ...facts, ...wallet });
    expect(of({ generator })).toEqual(of({ levels: written(['1', '1.5', '2.25']) }));
    expect(of({ generator, basis: 'firstBuy' })).toEqual(of({ levels: written(['1', '2.5', '4.75']), basis: 'firstBuy' }));
  });
  test('a take-profit slice too small to sell goes into the next, and says so', () => {
    const levels = [
      { gainPct: '1', sellPct: '0.4' },
      { gainPct: '2', sellPct: '99.6' },
    ];
    const { exits } = effectiveLadder(botConfig({ takeProfit: { levels } }), facts);
    expect(exits.map(({ mergedInto }) => mergedInto)).toEqual([1, null]);
    expect(exits[1]!.quantity).toBe('0.0101');
  });
  test('the worst case is that of the dearest coins that find a slot', () => {
    const pair = (symbol: string) => ({ ...btcusdt, symbol });
    const two = effectiveLadder(botConfig({ coins: { symbols: ['AUSDT', 'BUSDT', 'CUSDT'] }, maxOpenPositions: 2 }), { ...facts, pair });
    const one = effectiveLadder(botConfig({ coins: { symbols: ['AUSDT'] }, maxOpenPositions: 2 }), { ...facts, pair });
    expect(Number(two.worstCaseTotal)).toBeCloseTo(2 * Number(one.worstCaseTotal), 8);
  });
});

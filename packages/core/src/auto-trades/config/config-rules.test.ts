import { describe, expect, test } from 'vitest';
import { botConfig, walletBook } from '../../../testing/auto-trade-fixtures.ts';
import { btcusdt } from '../../../testing/pairs.ts';
import type { FilterGroup } from '../../prices/screener-contract.ts';
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
  takerFee: () => '0.001',
  wallet: walletBook('10000'),
};
const { entry } = botConfig();
const limited: AutoTradeConfigInput['entry'] = { ...entry, order: { ...entry.order, type: 'Limit' } };
/** A pair that takes no orders of this kind. */
const without = (type: 'Limit' | 'Market' | 'StopLimit'): Partial<RuleFacts> => ({
  pair: () => ({ ...btcusdt, filters: { ...btcusdt.filters, withoutOrders: [type] } }),
});
const rsi = { key: 'rsi', timeframe: '1h', operation: 'lt', value: 30 };
const knowledge = { signedIn: true, quotes: ['USDT'], tags: [] };
const conditions = (rules: FilterGroup): Partial<AutoTradeConfigInput> => ({ entry: { ...entry, trigger: { kind: 'conditions', rules } } });
const codes = (over: Partial<AutoTradeConfigInput>, more: Partial<RuleFacts> = {}) =>
  violatedRules(botConfig(over), { ...facts, ...more }).map(({ path, code }) => `${path} ${code}`);

test('a stop below every rebuy, whatever it is measured from, is none of them', () => {
  for (const basis of ['avgCost', 'firstBuy', 'lastBuy'] as const)
    for (const from of ['avgCost', 'firstBuy'] as const) {
      const levels = [{ dropPct: '3' }, { dropPct: '6' }];
      const rules = (pct: string) => codes({ stopLoss: { mode: 'percent', pct, basis: from }, rebuys: { basis, levels } });
      expect([basis, from, rules('20')]).toEqual([basis, from, []]);
      expect([basis, from, rules('3')]).toEqual([basis, from, ['stopLoss.pct STOP_ABOVE_REBUY']]);
    }
});

test('a sound bot violates nothing', () => {
  expect(violatedRules(botConfig(), facts)).toEqual([]);
});

describe('each rule names its field', () => {
  const cases: [string, Partial<AutoTradeConfigInput>, string, Partial<RuleFacts>?][] = [
    ['a wallet of somebody else', {}, 'walletId WALLET_UNKNOWN', { wallet: undefined }],
    ['a pair the exchange lacks', { coins: { symbols: ['NOPEUSDT'] } }, 'coins.symbols.0 SYMBOL_UNKNOWN'],
    ['a pair that does not trade', { coins: { symbols: ['OLDUSDT'] } }, 'coins.symbols.0 SYMBOL_NOT_TRADING'],
    ['a pair that the account may not trade', {}, 'coins.symbols.0 SYMBOL_NOT_PERMITTED', { isForbidden: () => true }],
    ['a pair without market orders', {}, 'coins.symbols.0 NO_MARKET_ORDERS', without('Market')],
    ['a limit entry of a pair without limit orders', { entry: limited }, 'entry.order.type NO_LIMIT_ORDERS', without('Limit')],
    [
      'a resting stop of a pair without stop orders',
      { protectiveStop: { enabled: true } },
      'protectiveStop.enabled STOPS_NOT_ALLOWED',
      without('StopLimit'),
    ],
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
      'a stop above a rebuy below the average',
      { stopLoss: { mode: 'percent', pct: '5' }, rebuys: { basis: 'avgCost', levels: [{ dropPct: '6' }] } },
      'stopLoss.pct STOP_ABOVE_REBUY',
    ],
    [
      'a stop below the average, above rebuys that each follow the last buy',
      // Bought at 1, 0.97 and 0.9409: the average before the third is 0.985, its stop at 4 % lies at 0.9456.
      { stopLoss: { mode: 'percent', pct: '4' }, rebuys: { basis: 'lastBuy', levels: [{ dropPct: '3' }, { dropPct: '3' }] } },
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
  expect(found.find((rule) => rule.code === 'LINE_BELOW_COST')?.actual).toEqual({ percent: expect.stringMatching(/^-0\.009/) });
});

test('a stop loss must be chosen, and an unknown setting is refused by name', () => {
  const { stopLoss: _stopLoss, ...rest } = botConfig();
  expect(autoTradeConfigSchema.safeParse(rest).error?.issues[0]?.path).toEqual(['stopLoss']);
  const unknown = autoTradeConfigSchema.safeParse({ ...botConfig(), martingale: true });
  expect(JSON.stringify(unknown.error?.issues)).toContain('martingale');
});

test('the ladder shows whole lots on the tick at the trigger price, and the worst case of all slots', () => {
  const ladder = effectiveLadder(botConfig({ maxOpenPositions: 1 }), facts);
  expect(ladder.rungs).toMatchObject([{ symbol: 'BTCUSDT', level: 0, price: '99000', quantity: '0.0101', quote: '999.9' }]);
  // 999.9 with half a percent of slippage and the taker fee on top.
  expect(ladder.worstCaseTotal).toBe('1005.9043995');
});

describe('the ladder of rebuys', () => {
  const rungsOf = (over: Partial<AutoTradeConfigInput>) =>
    effectiveLadder(botConfig({ entry: { ...entry, trigger: { kind: 'immediate' } }, ...over }), facts).rungs;

  test('each level lies below the buy before it, and is as large as its multiplier says', () => {
    expect(rungsOf({ rebuys: { levels: [{ dropPct: '2' }, { dropPct: '3', sizeMultiplier: '2' }] } })).toMatchObject([
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

describe('where the stop sells a whole ladder, and what that loses', () => {
  const stopped = (basis: 'avgCost' | 'firstBuy', rebuys: AutoTradeConfigInput['rebuys'], over = {}, more = {}) =>
    effectiveLadder(
      botConfig({
        entry: { ...entry, trigger: { kind: 'immediate' } },
        rebuys,
        stopLoss: { mode: 'percent', pct: '10', basis },
        ...over,
      }),
      { ...facts, ...more },
    );
  const below = (basis: 'lastBuy' | 'firstBuy' | 'avgCost', ...drops: string[]) => ({
    basis,
    levels: drops.map((dropPct) => ({ dropPct })),
  });
  const doubling = { levels: [{ dropPct: '2' }, { dropPct: '3', sizeMultiplier: '2' }] };

  // Each row: what is bought, its cost with 0.1 % fee, the stop, and what that brings less 0.1 %.
  test.each([
    // 0.01 + 0.0102 + 0.02103 = 0.04123 for 3,998.7118; 4,002.7105118 / 0.04123 = 97,082.4766… less 10 %; brings 3,598.8366515094.
    ['the average, each rebuy from the last buy', 'avgCost', doubling, '87374.22', '403.87386029'],
    // 90,000 × 0.04123 = 3,710.70 brings 3,706.9893.
    ['the first buy, each rebuy from the last buy', 'firstBuy', doubling, '90000', '295.7212118'],
    // 0.01 + 0.0102 + 0.01041 = 0.03061 for 2,998.96; 3,001.95896 / 0.03061 = 98,071.1845… less 10 %; brings 2,699.0611137234.
    ['the average, rebuys from the first buy', 'avgCost', below('firstBuy', '2', '4'), '88264.06', '302.89784628'],
    // 90,000 × 0.03061 = 2,754.90 brings 2,752.1451.
    ['the first buy, rebuys from the first buy', 'firstBuy', below('firstBuy', '2', '4'), '90000', '249.81386'],
    // 0.01 + 0.0102 + 0.01052 = 0.03072 for 2,999.3207548; 3,002.3200755548 / 0.03072 = 97,731.7732… less 10 %; brings 2,699.3857969152.
    ['the average, rebuys from the average', 'avgCost', below('avgCost', '2', '4'), '87958.59', '302.93427864'],
  ] as const)('from %s', (_, basis, rebuys, price, loss) => {
    const { stops, worstLoss } = stopped(basis, { ...rebuys, levels: [...rebuys.levels] });
    expect(stops).toEqual([{ symbol: 'BTCUSDT', price, loss }]);
    expect(worstLoss).toBe(loss);
  });
  test('the worst loss is that of the coins that lose most and find a slot', () => {
    const coins = { coins: { symbols: ['AUSDT', 'BUSDT', 'CUSDT'] } };
    // At half the price BUSDT buys 0.02 + 0.0204 + 0.04207 for 3,999.1871; 45,000 × 0.08247 brings 3,707.43885.
    const market = {
      pair: (symbol: string) => ({ ...btcusdt, symbol }),
      price: (symbol: string) => (symbol === 'BUSDT' ? '50000' : '100000'),
    };
    const of = (maxOpenPositions: number) => stopped('firstBuy', doubling, { ...coins, maxOpenPositions }, market);
    expect(of(1).stops.map(({ loss }) => loss)).toEqual(['295.7212118', '295.7474371', '295.7212118']);
    expect([1, 2, 3].map((slots) => of(slots).worstLoss)).toEqual(['295.7474371', '591.4686489', '887.1898607']);
  });
  test('without a stop there is none', () => {
    const { stops, worstLoss } = stopped('avgCost', doubling, { stopLoss: { mode: 'none' } });
    expect([stops, worstLoss]).toEqual([[], null]);
  });
});

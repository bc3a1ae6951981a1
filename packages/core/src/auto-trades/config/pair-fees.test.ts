import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { botConfig, walletBook } from '../../../testing/auto-trade-fixtures.ts';
import { botStage, START } from '../../../testing/bot-stage.ts';
import { btcusdt } from '../../../testing/pairs.ts';
import { NORMAL } from '../../../testing/test-exchange.ts';
import { toText } from '../../money/decimal.ts';
import { createAutoTradeEngine } from '../engine/auto-trade-engine.ts';
import { replayTape, type TapeRecord } from '../engine/tape.ts';
import { breakEvenPrice } from '../position/position-lines.ts';
import { type AutoTradeConfigInput, autoTradeConfigSchema } from './auto-trade-config.ts';
import { violatedRules } from './config-rules.ts';
import { effectiveLadder } from './effective-ladder.ts';
import type { RuleFacts } from './rule-facts.ts';

// One coin costs nothing, another a thousandth: each is judged by its own fee, whatever the order of the coins.

const usdcusdt = { ...btcusdt, symbol: 'USDCUSDT', baseAsset: 'USDC' };
const pairs = [usdcusdt, btcusdt];
const FEES = { USDCUSDT: '0', BTCUSDT: '0.001' };
const { entry } = botConfig();
const NOW = { ...entry, trigger: { kind: 'immediate' }, trailing: { enabled: false }, maxSpreadPct: '5' } as const;
const configOf = (symbols: readonly string[], over: Partial<AutoTradeConfigInput> = {}) =>
  botConfig({ coins: { symbols: [...symbols] }, entry: NOW, maxOpenPositions: symbols.length, ...over });
const factsOf = (fees: Readonly<Record<string, string>>, more: Partial<RuleFacts> = {}): RuleFacts => ({
  pair: (symbol) => ({ ...btcusdt, symbol }),
  price: () => '1000',
  takerFee: (symbol) => fees[symbol] ?? '0.001',
  wallet: walletBook('10000'),
  ...more,
});
const ORDERS = [[['USDCUSDT', 'BTCUSDT']], [['BTCUSDT', 'USDCUSDT']]] as const;

describe.each(ORDERS)('coins in the order %j', (symbols) => {
  test('a line that only one of them loses with is refused, with the name of it', () => {
    const config = configOf(symbols, { trailingCost: { enabled: true, armGainPct: '0.15', distancePct: '0.1' } });
    expect(violatedRules(config, factsOf(FEES))).toMatchObject([{ code: 'LINE_BELOW_COST', symbol: 'BTCUSDT' }]);
    expect(violatedRules(config, factsOf({ ...FEES, BTCUSDT: '0' }))).toEqual([]);
  });

  test('a gain that only one of them covers its fees with is refused', () => {
    const config = configOf(symbols, { trailingCost: { enabled: false }, takeProfit: { levels: [{ gainPct: '0.2', sellPct: '100' }] } });
    expect(violatedRules(config, factsOf(FEES))).toMatchObject([{ code: 'GAIN_BELOW_FEES', symbol: 'BTCUSDT', limit: { percent: '0.2' } }]);
  });

  test('the limit that is told for one coin is enough for all of them', () => {
    const rules = (maxExposurePerCoin: string) => violatedRules(configOf(symbols, { maxExposurePerCoin }), factsOf(FEES));
    expect(rules('900')).toMatchObject([{ code: 'EXPOSURE_BELOW_LADDER', limit: { money: '1006.01' } }]);
    expect(rules('1006.01')).toEqual([]);
  });

  test('what is held breaks even by the fee of its pair, and what is reserved holds the fee of its pair', () => {
    const engine = createAutoTradeEngine({
      autoTradeId: '01890000-0000-7000-8000-000000000002',
      runNo: 1,
      mode: 'paper',
      config: configOf(symbols),
      configVersion: 1,
      pairs: symbols.map((symbol) => pairs.find((pair) => pair.symbol === symbol)!),
      takerFee: '0.5',
      takerFees: FEES,
      wallet: walletBook('10000'),
      emit: () => undefined,
    });
    const seen = symbols.map((symbol) => {
      engine.tick(symbol, START, 1000, 1000, 1000, 1000);
      const { settings, order, reserved } = engine.inspect(symbol)!.context;
      const breakEven = breakEvenPrice({ settings, quantity: '1', cost: '1000' })!;
      return [symbol, order?.quantity, reserved, toText(breakEven)];
    });
    expect(Object.fromEntries(seen.map(([symbol, ...rest]) => [symbol, rest]))).toEqual({
      USDCUSDT: ['1', '1005', '1000'],
      BTCUSDT: ['1', '1006.005', '1001.01'],
    });
  });
});

test('the preview reserves, plans exits and counts losses by the fee of each coin', () => {
  const { exits, stops } = effectiveLadder(configOf(['USDCUSDT', 'BTCUSDT']), factsOf(FEES));
  expect(exits.map(({ symbol, price }) => [symbol, price])).toEqual([
    ['USDCUSDT', '1040'],
    ['BTCUSDT', '1041.04'],
  ]);
  expect(stops).toEqual([
    { symbol: 'USDCUSDT', price: '970', loss: '30' },
    { symbol: 'BTCUSDT', price: '970.97', loss: '31.00097' },
  ]);
});

test('the order of the coins changes neither a verdict nor a plan', () => {
  const fee = fc.constantFrom('0', '0.00075', '0.001', '0.004');
  const coins = fc.dictionary(fc.constantFrom('AUSDT', 'BUSDT', 'CUSDT', 'DUSDT'), fee, { minKeys: 1 });
  const percent = fc.integer({ min: 1, max: 300 }).map((hundredths) => String(hundredths / 100));
  const permuted = coins.chain((fees) =>
    fc.record({ fees: fc.constant(fees), shuffled: fc.shuffledSubarray(Object.keys(fees), { minLength: Object.keys(fees).length }) }),
  );
  fc.assert(
    fc.property(permuted, percent, percent, percent, ({ fees, shuffled }, armGainPct, distancePct, gainPct) => {
      const judged = (symbols: readonly string[]) => {
        const config = configOf(symbols, {
          trailingCost: { enabled: true, armGainPct, distancePct },
          takeProfit: { levels: [{ gainPct, sellPct: '100' }] },
          rebuys: { levels: [{ dropPct: '3' }] },
          stopLoss: { mode: 'percent', pct: '3.05' },
          maxExposurePerCoin: '2010',
        });
        const { exits, stops, ...ladder } = effectiveLadder(config, factsOf(fees));
        const bySymbol = <Row extends { symbol: string }>(rows: readonly Row[]) => rows.toSorted((a, b) => (a.symbol < b.symbol ? -1 : 1));
        return [violatedRules(config, factsOf(fees)), ladder.worstCaseTotal, ladder.worstLoss, bySymbol(exits), bySymbol(stops)];
      };
      expect(judged(shuffled)).toEqual(judged(Object.keys(fees)));
    }),
  );
});

describe('a tape', () => {
  const config = configOf(['BTCUSDT', 'USDCUSDT'], { takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] } });
  const activationOf = (tape: readonly TapeRecord[]) => tape.find((record) => record.type === 'activated')!;
  const run = () => botStage(config, { pairs: [btcusdt, usdcusdt], fateOf: () => ({ ...NORMAL, feeAsset: 'none' }) });

  test('from before each pair had its own fee replays with the one of then for all', () => {
    const bot = run();
    bot.walk([1000, 1000, 1020, 1012, 1005]);
    expect(activationOf(bot.tape)).not.toHaveProperty('takerFees');
    expect(bot.traces.length).toBeGreaterThan(0);
    expect(replayTape(JSON.parse(JSON.stringify(bot.tape)) as [])).toEqual(bot.traces);
  });

  test('tells fees that change: what is held keeps its own, what is entered later has the new one', () => {
    const bot = run();
    bot.walk([1000, 1000]);
    bot.tell({ type: 'takerFees', takerFees: { BTCUSDT: '0', USDCUSDT: '0' } });
    const feeOf = (symbol: string) => bot.engine.inspect(symbol)?.context.settings.takerFee;
    expect([bot.state(), feeOf('BTCUSDT'), feeOf('USDCUSDT')]).toEqual(['open', '0.001', '0']);
    bot.walk([960, 960, 960], { from: START + 90_000 });
    expect([bot.kinds().at(-1), feeOf('BTCUSDT')]).toEqual(['Exit StopLoss', '0']);
    expect(replayTape(JSON.parse(JSON.stringify(bot.tape)) as [])).toEqual(bot.traces);
  });
});

test('settings of a bot with a coin filter that selects nothing now are checked by the standard fee', () => {
  const coins = { symbols: [], coinFilterIds: ['01890000-0000-7000-8000-000000000009'] };
  const trailingCost = { enabled: true, armGainPct: '0.15', distancePct: '0.1' };
  const config = autoTradeConfigSchema.parse({ ...botConfig(), coins, trailingCost });
  const [violation] = violatedRules(config, factsOf({}, { filtered: [] }));
  expect([violation?.code, violation?.symbol]).toEqual(['LINE_BELOW_COST', undefined]);
});

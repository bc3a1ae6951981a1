import { decimal, ZERO } from '@pilotfish/core/money/decimal';
import { newAccount } from '../src/accounts/account.ts';
import type { Pair, Tick } from '../src/market/market-contract.ts';
import { MarketView } from '../src/market/market-view.ts';
import { SeededMarket } from '../src/market/seeded-market.ts';
import { MatchingEngine } from '../src/matching/matching-engine.ts';
import { readOrder } from '../src/matching/order-request.ts';
import { RequestParameters } from '../src/rest/request-parameters.ts';

/**
 * Trades a second through the matching engine, with orders that rest far from the price (the usual case: every trade
 * is looked at and nothing follows) and without any. CPU seconds of the fastest of several runs.
 */
const START = Date.UTC(2025, 5, 1);
const MINUTES = 600;

function ticksOf(market: SeededMarket, pair: Pair): Tick[] {
  const ticks: Tick[] = [];
  for (let minute = 0; minute < MINUTES; minute += 1) {
    const block = market.ticks(pair, START + minute * 60_000);
    for (let k = 0; k < block.count; k += 1) {
      ticks.push({
        pair,
        id: block.firstId + k,
        time: block.times[k]!,
        price: block.prices[k]!,
        quantity: block.quantities[k]!,
        makerIsBuyer: block.makerIsBuyer[k] === 1,
      });
    }
  }
  return ticks;
}

function measure(name: string, orders: number): void {
  const market = new SeededMarket('bench');
  let now = START;
  const view = new MarketView(market, () => now);
  const pair = market.find('BTCUSDT')!;
  const account = newAccount(1, START);
  account.balances.set('USDT', { free: decimal('1000000000'), locked: ZERO });
  const engine = new MatchingEngine(view, () => account, { order: () => undefined, list: () => undefined, balances: () => undefined });
  const last = view.last(pair).price * pair.tick;
  for (let index = 0; index < orders; index += 1) {
    const price = (last * (0.5 - index * 0.001)).toFixed(2);
    engine.place(
      account,
      readOrder(
        new RequestParameters(
          new Map(Object.entries({ symbol: 'BTCUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01', price })),
        ),
        view,
      ),
    );
  }
  const ticks = ticksOf(market, pair);
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 9; run += 1) {
    const before = process.cpuUsage();
    for (const tick of ticks) {
      now = tick.time;
      engine.onTick(tick);
    }
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1e6);
  }
  console.log(`${name.padEnd(28)} ${(ticks.length / best / 1e6).toFixed(3)} M ticks/s`);
}

measure('no orders', 0);
measure('10 resting orders', 10);
measure('100 resting orders', 100);

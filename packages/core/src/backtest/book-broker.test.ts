import { expect, test } from 'vitest';
import { btcusdt } from '../../testing/pairs.ts';
import type { OrderInput } from '../auto-trades/engine/auto-trade-engine.ts';
import { type BestPrices, type BrokerOrder, createBacktestBroker } from './backtest-broker.ts';
import { DEFAULT_FILL_MODEL } from './fill-model.ts';

// The exchange of a run over recorded trades: what is known of best prices is used, what is not is not invented.

const model = { ...DEFAULT_FILL_MODEL, halfSpreadPct: 0, slippagePct: 0.1 };
function exchange() {
  const said: OrderInput[] = [];
  const broker = createBacktestBroker({ pair: btcusdt, model, deliver: (input) => said.push(input) });
  let at = 1000;
  let last = 0;
  let next = 1;
  return {
    broker,
    market(price: number, best: Partial<BestPrices> = {}, quantity?: number) {
      at += 1000;
      last = price;
      broker.tick(price, quantity, { bid: price - 0.5, ask: price, bidQuantity: undefined, askQuantity: undefined, ...best }, at);
      return this.heard();
    },
    send(order: Partial<BrokerOrder>) {
      broker.arrive(
        { clientOrderId: `o${next++}`, side: 'Buy', type: 'Market', quantity: '0.5', price: null, orderId: null, ...order },
        last,
        at,
      );
      return this.heard();
    },
    cancel(clientOrderId: string) {
      broker.cancel(clientOrderId);
      broker.settle(at);
      return this.heard();
    },
    heard: (): string[] =>
      said.splice(0).map((input) => {
        if (input.type === 'filled') return `${input.quantity} at ${input.price}, fee ${input.fee} ${input.feeAsset}, ${input.at}`;
        return input.type === 'ended' ? `${input.status}${input.code ? ` ${input.code}` : ''}` : input.type;
      }),
  };
}

test('a market order takes the best price of the other side at once', () => {
  const stage = exchange();
  stage.market(1000, { bid: 999.5, ask: 1000.25 });
  expect(stage.send({})).toEqual(['accepted', '0.5 at 1000.25, fee 0.0005 BTC, 2000', 'FILLED']);
  expect(stage.send({ side: 'Sell' })).toEqual(['accepted', '0.5 at 999.5, fee 0.49975 USDT, 2000', 'FILLED']);
});

test('fees and amounts are cut to the digits of their asset', () => {
  const stage = exchange();
  stage.market(1234.57, { bid: 1234.57, ask: 1234.58 });
  expect(stage.send({ side: 'Sell', quantity: '0.01234' })[1]).toBe('0.01234 at 1234.57, fee 0.01523459 USDT, 2000');
});

test('what one took is not there for the next, until the market trades again; the rest costs more', () => {
  const stage = exchange();
  stage.market(1000, { askQuantity: 0.6 });
  expect(stage.send({})).toContain('0.5 at 1000, fee 0.0005 BTC, 2000');
  expect(stage.send({})).toEqual(['accepted', '0.1 at 1000, fee 0.0001 BTC, 2000', '0.4 at 1001, fee 0.0004 BTC, 2000', 'FILLED']);
  expect(stage.broker.beyondBest).toBe(1);
  stage.market(1000, { askQuantity: 0.6 });
  expect(stage.send({})).toContain('0.5 at 1000, fee 0.0005 BTC, 3000');
});

test('a limit takes what it may and rests; a touch fills nothing, a trade through it does, for its share', () => {
  const stage = exchange();
  stage.market(1000, { bid: 999.5, ask: 1000, askQuantity: 0.2 });
  expect(stage.send({ type: 'Limit', price: '1000' })).toEqual(['accepted', '0.2 at 1000, fee 0.0002 BTC, 2000']);
  expect(stage.market(1000, {}, 10)).toEqual([]);
  expect(stage.market(999.99, {}, 4)).toEqual(['0.2 at 1000, fee 0.0002 BTC, 4000']);
  // A trade of a few lots gives one lot.
  expect(stage.market(999, {}, 0.00002)).toEqual(['0.00001 at 1000, fee 0.00000001 BTC, 5000']);
  expect(stage.market(999)).toEqual(['0.09999 at 1000, fee 0.00009999 BTC, 6000', 'FILLED']);
});

test('a limit above the best price pays the best price', () => {
  const stage = exchange();
  stage.market(1000, { ask: 1000.01 });
  expect(stage.send({ type: 'Limit', price: '1005' })).toContain('0.5 at 1000.01, fee 0.0005 BTC, 2000');
});

test('two resting orders share what a trade gives', () => {
  const stage = exchange();
  stage.market(1000);
  stage.send({ type: 'Limit', price: '990', quantity: '0.3' });
  stage.send({ type: 'Limit', price: '991', quantity: '0.3' });
  expect(stage.market(980, {}, 10)).toEqual(['0.3 at 990, fee 0.0003 BTC, 3000', 'FILLED', '0.2 at 991, fee 0.0002 BTC, 3000']);
});

test('a stop goes off at its price, and takes the best price unless that is beyond its limit', () => {
  const stage = exchange();
  stage.market(1000);
  const stop = { side: 'Sell', type: 'StopLimit', price: '980', stopPrice: '985' } as const;
  expect(stage.send(stop)).toEqual(['accepted']);
  expect(stage.market(985.01)).toEqual([]);
  expect(stage.market(985, { bid: 984.5 })).toEqual(['0.5 at 984.5, fee 0.49225 USDT, 4000', 'FILLED']);
  stage.market(1000);
  stage.send(stop);
  // A trade beyond both prices: it rests as a limit and is sold when the price comes back through it.
  expect(stage.market(970)).toEqual([]);
  expect(stage.market(980)).toEqual([]);
  expect(stage.market(980.01)).toEqual(['0.5 at 980, fee 0.49 USDT, 8000', 'FILLED']);
});

test('a cancel ends what is left; what the pair forbids is refused', () => {
  const stage = exchange();
  stage.market(1000);
  stage.send({ type: 'Limit', price: '900' });
  expect(stage.cancel('o1')).toEqual(['CANCELED']);
  expect(stage.cancel('o1')).toEqual([]);
  expect(stage.market(800)).toEqual([]);
  expect(stage.send({ quantity: '0.000001' })).toEqual(['REJECTED -1013 LOT_SIZE']);
  expect(stage.send({ side: 'Sell', type: 'StopLimit', price: '795', stopPrice: '801' })).toEqual(['REJECTED -2010 STOP_WOULD_TRIGGER']);
});

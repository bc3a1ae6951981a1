import type { OrderInput } from '../auto-trades/engine/engine-inputs.ts';
import type { TapeRecord } from '../auto-trades/engine/tape.ts';
import type { OrderInFlight } from '../auto-trades/position/position-state.ts';
import { add, type Decimal, decimal, fromFloat, multiply, subtract, toFloat, toText, ZERO } from '../money/decimal.ts';
import type { CandleSeries } from '../prices/candle-series.ts';
import type { Pair } from '../prices/prices-contract.ts';
import { type BacktestBroker, type BrokerOrder, createBacktestBroker } from './backtest-broker.ts';
import type { FillModel } from './fill-model.ts';
import { createTickCandles } from './tick-candles.ts';

/** One recorded trade: venue ms, and prices and quantities as doubles, as the bot saw them. */
export type RecordedTick = Omit<Extract<TapeRecord, { type: 'tick' }>, 'type'>;

type Coin = {
  readonly pair: Pair;
  readonly broker: BacktestBroker;
  readonly candles: ReturnType<typeof createTickCandles>;
  /** Units of the base asset on the account, exact. */
  base: Decimal;
  /** Price of the newest trade; NaN before the first. */
  last: number;
  /** Orders that rested before the recording knew a price. */
  early: BrokerOrder[];
};

/** An order or a cancel on its way. */
type Travelling = { readonly at: number; readonly arrive: (at: number) => void };

/**
 * The exchange of a run over recorded trades, all its pairs in one order of time. What a bot asks for reaches it
 * `latencyMs` later, and never before everything of the same millisecond has happened: nobody acts on a trade faster
 * than the market moves on. What a trade does to orders that rest is heard after the prices of its millisecond: prices
 * and the account's own events come by two connections, and one of the two has to be first.
 */
export function createTickExchange(options: {
  readonly model: FillModel;
  readonly latencyMs: number;
  readonly hear: (input: OrderInput) => void;
  readonly onRefusal: (code: string) => void;
}) {
  const { model, latencyMs, hear, onRefusal } = options;
  const coins = new Map<string, Coin>();
  let said: OrderInput[] = [];
  let travelling: Travelling[] = [];
  let now = Number.NEGATIVE_INFINITY;

  function coinOf(symbol: string): Coin {
    const coin = coins.get(symbol);
    if (!coin) throw new RangeError(`createTickExchange(): there is no pair ${symbol}`);
    return coin;
  }

  function tell(coin: Coin, input: OrderInput): void {
    if (input.type === 'filled') {
      const bought = input.feeInQuote === null;
      coin.base = bought
        ? add(coin.base, subtract(decimal(input.quantity), decimal(input.fee)))
        : subtract(coin.base, decimal(input.quantity));
    }
    said.push(input);
  }

  /** What was said is heard in order; what the bot then asks for sets out. */
  function listen(): void {
    while (said.length > 0) {
      const heard = said;
      said = [];
      for (const input of heard) hear(input);
    }
  }

  const send = (arrive: Travelling['arrive']): void => {
    travelling.push({ at: now + latencyMs, arrive });
  };

  return {
    /** `base`: units of it that are held at the beginning; `fee`: what it costs, where it has a fee of its own. */
    add(pair: Pair, base: Decimal = ZERO, fee?: string): void {
      if (coins.has(pair.symbol)) return;
      const coin: Coin = {
        pair,
        broker: createBacktestBroker({
          pair,
          model: fee === undefined ? model : { ...model, takerFee: fee, makerFee: fee },
          deliver: (input) => tell(coin, input),
          holdings: () => coin.base,
          onRefusal: ({ code, rule }) => onRefusal(`${code} ${rule}`),
        }),
        candles: createTickCandles(pair.symbol),
        base,
        last: Number.NaN,
        early: [],
      };
      coins.set(pair.symbol, coin);
    },
    knows: (symbol: string): boolean => coins.has(symbol),
    /** A trade of the market: what rests meets it. The bot hears of that at the next `reach`. */
    trade({ symbol, at, price, bid, ask, quantity, bidQuantity, askQuantity }: RecordedTick): void {
      const coin = coinOf(symbol);
      now = Math.max(now, at);
      coin.last = price;
      coin.candles.add(at, price, quantity ?? 0);
      coin.broker.tick(price, quantity, { bid, ask, bidQuantity, askQuantity }, at);
      for (const order of coin.early.splice(0)) coin.broker.arrive(order, price, at);
    },
    /** The price of a pair jumped over a standstill: orders from before it are void. */
    withdraw(symbol: string, at: number): void {
      coinOf(symbol).broker.withdraw(at);
      listen();
    },
    /** What is held of a pair counts in another unit: so many for one; 0 takes it away. */
    scale(symbol: string, factor: string): void {
      const coin = coinOf(symbol);
      coin.base = multiply(coin.base, decimal(factor));
    },
    /** Where a pair stands before its first trade. */
    observe({ symbol, at, price, bid, ask }: RecordedTick): void {
      const coin = coinOf(symbol);
      if (!Number.isNaN(coin.last)) return;
      now = Math.max(now, at);
      coin.last = price;
      coin.broker.tick(price, undefined, { bid, ask, bidQuantity: undefined, askQuantity: undefined }, at);
    },
    place(symbol: string, order: OrderInFlight): void {
      const coin = coinOf(symbol);
      // What an order executed before the recording began is not executed again.
      const quantity = toText(subtract(decimal(order.quantity), decimal(order.executed)));
      send((at) => {
        if (Number.isNaN(coin.last)) coin.early.push({ ...order, quantity });
        else coin.broker.arrive({ ...order, quantity }, coin.last, at);
      });
    },
    cancel(symbol: string, clientOrderId: string): void {
      const { broker } = coinOf(symbol);
      send((at) => {
        broker.cancel(clientOrderId);
        broker.settle(at);
      });
    },
    /**
     * Everything up to a moment: what was said is heard, orders arrive and are answered. A moment itself is over only
     * when its last price is; `inclusive` ends it.
     */
    reach(until: number, inclusive = false): void {
      if (until <= now && !inclusive) return;
      listen();
      for (;;) {
        const next = travelling[0];
        if (!next || next.at > until || (next.at === until && !inclusive)) return;
        travelling = travelling.slice(1);
        now = Math.max(now, next.at);
        next.arrive(now);
        listen();
      }
    },
    /** Candles of the pairs that traded. */
    get candles(): CandleSeries[] {
      return [...coins.values()].map(({ candles }) => candles.series).filter(({ openTime }) => openTime.length > 0);
    },
    /** What is held at its last price, in the quote asset: exact, and as a double for drawing. */
    get held(): Decimal {
      let value = ZERO;
      for (const { base, last, pair } of coins.values())
        if (last > 0) value = add(value, multiply(base, fromFloat(last, pair.pricePrecision)));
      return value;
    },
    get heldFloat(): number {
      let value = 0;
      for (const { base, last } of coins.values()) if (last > 0 && base.units !== 0n) value += toFloat(base) * last;
      return value;
    },
    get slippage(): Decimal {
      let paid = ZERO;
      for (const { broker } of coins.values()) paid = add(paid, broker.slippage);
      return paid;
    },
    get beyondBest(): number {
      let orders = 0;
      for (const { broker } of coins.values()) orders += broker.beyondBest;
      return orders;
    },
  };
}

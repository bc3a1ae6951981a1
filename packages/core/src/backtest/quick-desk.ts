import { Decision, decide, mayDecide, Phase, type PositionColumns } from '../auto-trades/decide.ts';
import { comparePicks, type Pick } from '../auto-trades/pick-order.ts';
import type { Desk, DeskOptions } from './backtest-desk.ts';
import { createQuickBooks } from './quick-books.ts';
import { createQuickColumns } from './quick-columns.ts';
import { createQuickExchange, type QuickExchange, type QuickNews } from './quick-exchange.ts';
import { createQuickFills } from './quick-fills.ts';
import { createQuickJudge } from './quick-judgement.ts';
import { ASK, AT, BID, createQuickBook, createQuickRun, HIGH, PRICE, type QuickState } from './quick-position.ts';
import { quickResult } from './quick-result.ts';
import { createQuickSteps } from './quick-steps.ts';
import { createQuickRows } from './quick-traces.ts';

/** Most decisions of one tick, as in the engine. */
const ROUNDS = 4;

/** A desk whose positions can be looked at between its steps. */
export type QuickDesk = Desk & {
  readonly columns: PositionColumns;
  readonly states: readonly Readonly<QuickState>[];
  readonly exchanges: readonly QuickExchange[];
  /** By slot, where the market of a coin stands: what `tick` looks at and leaves as it is. */
  readonly markets: readonly Float64Array[];
  /** A price of a coin that its market holds already. */
  readonly tick: (slot: number) => void;
};

/**
 * The engine and the exchanges of a backtest: the same decisions (`decide.ts`), the same rules (asked of
 * `position-lines.ts` where doubles leave a doubt), the same rows, but in whole numbers instead of contexts of decimal
 * text. `quick-run.test.ts` holds it against the engine, figure by figure. Throws `NotCovered` for whatever it does not
 * know.
 */
export function createQuickDesk(options: DeskOptions): QuickDesk {
  const { config, coins, dataGapMs } = options;
  const news: QuickNews[] = [];
  const rows = options.told ? createQuickRows() : undefined;
  /** The coin whose slot has just become free, and when; -1: none has. */
  let freedSlot = -1;
  let freedAt = 0;
  const run = createQuickRun(options, rows, {
    ended(slot, at) {
      freedSlot = slot;
      freedAt = at;
    },
    withdraw(symbol) {
      for (const { symbol: own, withdraw } of traders) if (symbol === null || own === symbol) withdraw();
    },
  });
  const { columns, pauses, wallet } = run;
  const traders = coins.map(({ pair }, slot) => {
    const book = createQuickBook(run, slot);
    const levels = createQuickColumns(book);
    const exchange = createQuickExchange(book, news);
    const books = createQuickBooks(book, levels);
    const steps = createQuickSteps(book, levels, exchange);
    const hears = createQuickFills(book, levels, books, steps);
    const { act, withdraw } = createQuickJudge(book, levels, books, steps);
    books.start();
    return {
      book,
      market: book.market,
      exchange,
      hears,
      act,
      withdraw,
      symbol: pair.symbol,
      now: (at: number) => book.now(at),
      load: () => levels.load(),
    };
  });
  const several = coins.length > 1;
  let volumes: Float64Array = new Float64Array(coins.length);

  const mayEnter = (symbol: string, at: number): boolean =>
    run.occupied < config.maxOpenPositions && !(at < run.cooldownUntil) && pauses.allows(symbol, at);
  /** Buys are for a bot that may buy; everything else is decided whatever stands against buying. */
  function allowed(decision: Decision, symbol: string, at: number): boolean {
    if (decision === Decision.Triggered || decision === Decision.Enter) return mayEnter(symbol, at);
    return decision === Decision.Rebuy || decision === Decision.RebuyLowered ? pauses.allows(symbol, at) : true;
  }

  /** A slot has become free: of the coins whose entry holds at their last price the first by the bot's order takes it. */
  function compete(): void {
    const at = freedAt;
    const except = freedSlot;
    freedSlot = -1;
    if (!several || run.occupied >= config.maxOpenPositions) return;
    const picks: Pick[] = [];
    traders.forEach(({ market, symbol }, slot) => {
      const phase = columns.phase[slot]!;
      if (slot === except || (phase !== Phase.Watching && phase !== Phase.Trailing)) return;
      if (phase === Phase.Watching && config.entry.trailing.enabled) return;
      const [seen, price, high] = [market[AT]!, market[PRICE]!, market[HIGH]!];
      if (seen === 0 || at - seen > dataGapMs || !mayEnter(symbol, at)) return;
      const decision = decide(columns, slot, price, at, high, dataGapMs);
      if (decision !== Decision.Triggered && decision !== Decision.Enter) return;
      picks.push({ slot, decision, symbol, rank: slot, volume: volumes[slot]!, dropDepth: high > 0 ? 1 - price / high : 0 });
    });
    for (const { slot, decision, symbol } of picks.sort(comparePicks(config.pickOrder))) {
      const { act, now, market } = traders[slot]!;
      if (mayEnter(symbol, at)) act(decision, now(Math.max(at, market[AT]!)));
    }
  }

  function tick(slot: number): void {
    const { market, symbol, act, now } = traders[slot]!;
    pauses.pass(market[AT]!);
    for (let round = 0; round < ROUNDS; round += 1) {
      const decision = decide(columns, slot, market[PRICE]!, market[AT]!, market[HIGH]!, dataGapMs);
      if (decision === Decision.None) break;
      const at = market[AT]!;
      if (!allowed(decision, symbol, at) || !act(decision, now(at))) break;
    }
    columns.lastTickAt[slot] = market[AT]!;
  }

  return {
    columns,
    markets: traders.map(({ market }) => market),
    tick,
    states: traders.map(({ book }) => book.state),
    exchanges: traders.map(({ exchange }) => exchange),
    engine: {
      tickSlot(slot, at, price, bid, ask, high) {
        const { market } = traders[slot]!;
        market[PRICE] = price;
        market[BID] = bid;
        market[ASK] = ask;
        market[HIGH] = high;
        market[AT] = at;
        tick(slot);
      },
      observeSlot(slot, at, price, bid, ask, high) {
        const { market } = traders[slot]!;
        market[PRICE] = price;
        market[BID] = bid;
        market[ASK] = ask;
        market[HIGH] = high;
        market[AT] = at;
        columns.lastTickAt[slot] = at;
      },
      mayDecideSlot: (slot, low, high, top, from, until) => mayDecide(columns, slot, low, high, top, from, until, dataGapMs),
      reference(at, price) {
        if (pauses.reference(at, price)) run.withdraw(null);
      },
      conditions(symbol, input) {
        for (const { symbol: own, book, load } of traders) {
          if (own !== symbol) continue;
          book.state.verdict = input;
          load();
        }
      },
    },
    brokers: traders.map(({ exchange }) => exchange),
    get cash() {
      return wallet.cash;
    },
    get waiting() {
      return news.length > 0;
    },
    hear() {
      for (let each = news.shift(); each; each = news.shift()) {
        traders[each.slot]!.hears(each);
        while (freedSlot >= 0) compete();
      }
    },
    tellVolumes(values) {
      volumes = values;
    },
    finish: () =>
      quickResult(
        run,
        traders.map(({ book }) => book),
        traders.map(({ exchange }) => exchange.slippage),
      ),
  };
}

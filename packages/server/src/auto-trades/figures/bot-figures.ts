import { type AutoTradeFigures, CURVE_EXITS } from '@pilotfish/core/auto-trades/bot-figures-contract';
import { heldAt, realisedSince } from '@pilotfish/core/auto-trades/held-at';
import { amountAtRisk, nextOfBot } from '@pilotfish/core/auto-trades/position-risk';
import {
  add,
  type Decimal,
  decimal,
  divide,
  HUNDRED,
  isPositive,
  multiply,
  subtract,
  sum,
  toText,
  ZERO,
} from '@pilotfish/core/money/decimal';
import { openResult } from '@pilotfish/core/positions/position-figures';
import { dayOf } from '@pilotfish/core/time/calendar-day';
import { paidIn } from '@pilotfish/core/wallets/wallet-book';
import type { AppContext } from '../../app/context.ts';
import type { Feature } from '../../app/feature.ts';
import type { Market } from '../../market/market.ts';
import { sellPrice } from '../../market/sell-price.ts';
import { timeZoneOf } from '../../notifications/notifier.ts';
import type { CandleReader } from '../../prices/candle-reader.ts';
import type { WalletsStore } from '../../wallets/wallets-store.ts';
import type { AutoTradesService } from '../auto-trades-service.ts';
import { type BotHolding, type BotHoldings, holdsSomething } from './bot-holdings.ts';
import { type Ended, exitTallies } from './exit-tallies.ts';
import type { FiguresStore, PositionFill, StoredPosition } from './figures-store.ts';
import { midnightPrices } from './midnight-prices.ts';

/** A look at positions that change meanwhile is taken again, this often at most. */
const MOST_LOOKS = 3;
/** Decimals of percentages. */
const PERCENT_PLACES = 4;

const percentOf = (part: Decimal, whole: Decimal): string | null =>
  isPositive(whole) ? toText(divide(multiply(part, HUNDRED), whole, PERCENT_PLACES)) : null;
/** The sum; null as soon as one part is not known: less than everything would look like everything. */
const sumOfKnown = (values: readonly (Decimal | null)[]): Decimal | null =>
  values.reduce<Decimal | null>((total, value) => (total === null || value === null ? null : add(total, value)), ZERO);

/** A position as it stood at midnight, and what selling it then would have brought above its cost: null when that is not known. */
type AtMidnight = { readonly id: string; readonly autoTradeId: string; readonly open: Decimal | null };

export type BotFiguresParts = {
  readonly service: Pick<AutoTradesService, 'running'>;
  readonly holdings: BotHoldings;
  readonly figures: FiguresStore;
  readonly wallets: Pick<WalletsStore, 'book'>;
  readonly market: Market;
  readonly reader: Pick<CandleReader, 'candles'>;
};

/** What a list of bots shows beside each: its result open, today and in total, and what is at risk. */
export function botFiguresFeature({ database, now }: Pick<AppContext, 'database' | 'now'>, parts: BotFiguresParts): Feature {
  const { service, holdings, figures, wallets, market } = parts;
  const tallies = exitTallies(figures, CURVE_EXITS);
  const pricesAt = midnightPrices(parts.reader, now);

  /** Open results at midnight of what was held then, and what was realised since, by bot. */
  async function sinceMidnight(bots: readonly BotHolding[], midnight: number) {
    const ids = bots.map(({ row }) => row.id);
    const [ended, traded] = [await figures.closedSince(ids, midnight), await figures.fillsOf(ids, midnight)];
    const [closed, fills] = [ended.rows, traded.rows];
    const wasHeld = (openedAt: number | null): boolean => openedAt !== null && openedAt < midnight;
    const currencies = new Map(bots.map(({ row, wallet }) => [row.id, wallet.currency]));
    const held: { id: string; autoTradeId: string; symbol: string; taker: Decimal; stood: ReturnType<typeof heldAt> }[] = [];
    const look = (each: Pick<StoredPosition, 'id' | 'autoTradeId' | 'symbol' | 'takerFee'>, sums: { quantity: string; cost: string }) => {
      const { baseAsset } = holdings.pairOf(each.symbol, currencies.get(each.autoTradeId) ?? '');
      const stood = heldAt(fills.get(each.id) ?? [], { ...sums, baseAsset }, midnight);
      held.push({ id: each.id, autoTradeId: each.autoTradeId, symbol: each.symbol, taker: decimal(each.takerFee), stood });
    };
    for (const { row, positions } of bots)
      for (const { position, pair, quantity, cost, taker } of positions)
        if (position.openedAt !== null && wasHeld(Date.parse(position.openedAt)))
          look(
            { id: position.id, autoTradeId: row.id, symbol: pair.symbol, takerFee: toText(taker) },
            { quantity: toText(quantity), cost: toText(cost) },
          );
    for (const each of closed) if (wasHeld(each.context.openedAt)) look(each, each.context);
    const prices = await pricesAt(
      held.map(({ symbol }) => symbol),
      midnight,
    );
    const atMidnight: AtMidnight[] = held.map(({ id, autoTradeId, symbol, taker, stood }) => {
      const price = prices.get(symbol) ?? null;
      return { id, autoTradeId, open: stood && price && openResult(stood, price, taker) };
    });
    const lateFees = new Map<string, Decimal>();
    for (const { autoTradeId, context } of closed)
      lateFees.set(autoTradeId, add(lateFees.get(autoTradeId) ?? ZERO, decimal(context.lateFees ?? '0')));
    const realised = new Map<string, Decimal>();
    for (const rows of fills.values()) {
      const [{ autoTradeId } = { autoTradeId: '' }] = rows;
      realised.set(autoTradeId, add(realised.get(autoTradeId) ?? ZERO, realisedSince(rows as readonly PositionFill[], midnight)));
    }
    return {
      /** Null, too, while a row of it cannot be read: what was realised is then not whole. */
      openOf: (id: string) =>
        ended.unread.has(id) || traded.unread.has(id)
          ? null
          : sumOfKnown(atMidnight.flatMap(({ autoTradeId, open }) => (autoTradeId === id ? [open] : []))),
      realisedOf: (id: string) => subtract(realised.get(id) ?? ZERO, lateFees.get(id) ?? ZERO),
    };
  }

  async function figuresOf(
    { row, wallet, positions }: BotHolding,
    ended: Ended,
    since: Awaited<ReturnType<typeof sinceMidnight>>,
    lastEventAt: number | undefined,
  ): Promise<AutoTradeFigures> {
    const held = positions.filter(holdsSomething);
    const valued = held.map((each) => ({ ...each, price: sellPrice(market, each.pair.symbol) }));
    const open = sumOfKnown(valued.map(({ quantity, cost, taker, price }) => price && openResult({ quantity, cost }, price, taker)));
    const stopped = valued.filter(({ stop }) => stop !== null);
    const atRisk = sumOfKnown(stopped.map(({ quantity, stop, taker, price }) => price && amountAtRisk(quantity, price, stop!, taker)));
    const realised = sum([ended.realised, ...positions.map(({ position }) => decimal(position.realised))]);
    const fees = sum([ended.fees, ...positions.map(({ position }) => decimal(position.fees))]);
    const before = since.openOf(row.id);
    const today = open === null || before === null ? null : subtract(add(since.realisedOf(row.id), open), before);
    const budget = decimal(paidIn((await wallets.book(wallet)).sums));
    const total = open && add(realised, open);
    const exits = ended.exits.figures(budget);
    const text = (value: Decimal | null): string | null => (value ? toText(value) : null);
    return {
      id: row.id,
      holds: held.map(({ pair }) => pair.symbol),
      slots: { used: positions.length, most: row.config.maxOpenPositions },
      next: nextOfBot(service.running(row.id)?.evaluations() ?? []),
      open: text(open),
      realised: toText(realised),
      total: text(total),
      today: text(today),
      inUse: toText(sum(held.map(({ cost }) => cost))),
      budget: toText(budget),
      returnPct: total && percentOf(total, budget),
      atRisk: { amount: text(atRisk), without: held.length - stopped.length },
      exits: exits.exits,
      wins: exits.wins,
      winRatePct: text(exits.winRatePct),
      profitFactor: text(exits.profitFactor),
      maxDrawdownPct: text(exits.maxDrawdownPct),
      averageHoldSeconds: exits.averageHeldMs === null ? null : Math.round(exits.averageHeldMs / 1000),
      fees: toText(fees),
      curve: exits.curve.map(({ at, value }) => ({ at: new Date(at).toISOString(), value: toText(value) })),
      lastEventAt: lastEventAt === undefined ? null : new Date(lastEventAt).toISOString(),
    };
  }

  /** Whether nothing that takes up a slot has changed since it was read. */
  async function stands(bots: readonly BotHolding[], ids: readonly string[]): Promise<boolean> {
    const read = bots.flatMap(({ positions }) => positions);
    const stamps = await figures.stamps(ids);
    return stamps.size === read.length && read.every(({ position, updatedAt }) => stamps.get(position.id) === updatedAt);
  }

  async function figuresOfAll(accountId: string, midnight: number): Promise<AutoTradeFigures[]> {
    for (let look = 1; ; look += 1) {
      const bots = await holdings.of(accountId);
      if (bots.length === 0) return [];
      const ids = bots.map(({ row }) => row.id);
      const since = await sinceMidnight(bots, midnight);
      const [ended, lastEvents] = [await tallies.of(accountId, ids), await figures.lastEvents(ids)];
      // A position that was sold in between would be in both sums, or in none.
      if (look < MOST_LOOKS && !(await stands(bots, ids))) continue;
      return Promise.all(
        bots.flatMap((bot) => {
          const over = ended.get(bot.row.id);
          return over ? [figuresOf(bot, over, since, lastEvents.get(bot.row.id))] : [];
        }),
      );
    }
  }

  return {
    handlers: {
      listAutoTradeFigures: async ({ account }) =>
        figuresOfAll(account.id, dayOf(market.asOf || now(), await timeZoneOf(database.queries, account.id)).start),
    },
  };
}

import type { AutoTradeLog } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { isPilotfishOrder, positionIdFor, positionIdOfOldOrder, startOfOrder } from '@pilotfish/core/auto-trades/position/position-ids';
import { compare, decimal, isPositive, toText } from '@pilotfish/core/money/decimal';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import type { Logger } from 'pino';
import type { Queries } from '../database/database.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { type Rows, requireRead, textOfUnread, unreadOf } from '../exchange/exchange-rows.ts';
import type { OrderPayload } from '../exchange/payloads.ts';
import type { AccountKey, TradingAccounts } from '../exchange-connection/trading-accounts.ts';
import { differingAssets, type Holdings, holdingsOf, symbolsInDoubt, UnreadPairError } from './account-differences.ts';
import type { AccountStatesStore } from './account-states-store.ts';
import type { Trader } from './account-traders.ts';
import type { AutoTradesStore, BotRow } from './auto-trades-store.ts';
import type { OrderIntentsStore } from './order-intents-store.ts';
import { endedStatus } from './order-outcome.ts';

/** Why bots are halted whose database is older than the account they trade on. */
export const SET_BACK = 'database-set-back';
/** Positions of version 0.1.0 that a set-back database has forgotten: at most so many of each coin are thought of. */
const MOST_FORGOTTEN = 500;

/**
 * Holds an account at the exchange against what the database knows of it, once for each start, before anything is
 * signed for it. A database that was set back (a backup, a copy, a snapshot of the machine) has forgotten orders that
 * were executed: bots that went on from it would buy and sell twice what they hold once.
 *
 * Balances and open orders are asked for first, and the orders of a pair only where a balance is not what the
 * database explains: the exchange has no list of orders over all pairs. What is ours and unknown, and executed
 * nothing, is withdrawn and noted. What executed something is never booked: why it was placed is lost with the
 * database. All bots of the account are halted, and its owner decides.
 */
export function accountCheck(parts: {
  readonly exchange: Pick<Exchange, 'account' | 'openOrders' | 'ordersOf' | 'cancelOrder'>;
  readonly accounts: Pick<TradingAccounts, 'get'>;
  readonly states: Pick<AccountStatesStore, 'expected' | 'knownPositions' | 'toldOrders' | 'save'>;
  readonly intents: Pick<OrderIntentsStore, 'knownOrders'>;
  readonly store: Pick<AutoTradesStore, 'appendLogs' | 'newestPositions'>;
  readonly queries: Queries;
  /** Of this installation (`Installation`). */
  readonly tag: string;
  readonly pair: (symbol: string) => Pair | undefined;
  /** Whether a pair is unknown only because its row could not be read (`Market`). */
  readonly isUnread: (symbol: string) => boolean;
  readonly tradersOn: (key: AccountKey) => Promise<readonly Trader[]>;
  readonly halt: (bots: readonly BotRow[], reason: string) => Promise<void>;
  readonly now: () => number;
  readonly newId: () => string;
  readonly log: Logger;
}) {
  const { exchange, states, log } = parts;
  const checks = new Map<AccountKey, Promise<void>>();
  const unreadPairs = new Map<AccountKey, string>();

  /** @throws ExchangeError where one that may be ours and unknown cannot be read: what it executed is not nothing */
  async function ordersIn(asked: Promise<Rows<OrderPayload>>): Promise<readonly OrderPayload[]> {
    const orders = await asked;
    const ids = unreadOf(orders).flatMap((row) => textOfUnread(row, 'clientOrderId') ?? []);
    const known = await parts.intents.knownOrders(ids.filter(isPilotfishOrder));
    requireRead(orders, (row) => {
      const id = textOfUnread(row, 'clientOrderId');
      return id === undefined || (isPilotfishOrder(id) && !known.has(id));
    });
    return orders;
  }

  /** Whether an order was placed by this installation, in whatever start of it. */
  async function ours(bots: readonly BotRow[], orders: readonly OrderPayload[]): Promise<OrderPayload[]> {
    const old = orders.filter(({ clientOrderId }) => positionIdOfOldOrder(clientOrderId) !== undefined);
    const positions = old.length === 0 ? new Set<string>() : await positionsAround(bots, old);
    return orders.filter(({ clientOrderId }) => {
      const position = positionIdOfOldOrder(clientOrderId);
      return position === undefined ? startOfOrder(clientOrderId)?.tag === parts.tag : positions.has(position);
    });
  }

  /** Ids of version 0.1.0 name no installation: ours are those of positions that we know, or that came after them. */
  async function positionsAround(bots: readonly BotRow[], orders: readonly OrderPayload[]): Promise<Set<string>> {
    const named = new Set(orders.map(({ clientOrderId }) => positionIdOfOldOrder(clientOrderId) ?? ''));
    const found = new Set(await states.knownPositions([...named]));
    for (const bot of bots) {
      const newest = await parts.store.newestPositions(bot.id, bot.context.runNo);
      for (const symbol of new Set(orders.map((order) => order.symbol))) {
        const last = newest.find((position) => position.symbol === symbol)?.number ?? 0;
        for (let number = last + 1; number <= last + MOST_FORGOTTEN; number += 1) {
          const id = positionIdFor(bot.id, bot.context.runNo, symbol, number);
          if (named.has(id)) found.add(id);
        }
      }
    }
    return found;
  }

  /** What of these orders is ours and not in the database, or has executed more than its owner was told. */
  async function unknownOf(key: AccountKey, bots: readonly BotRow[], orders: readonly OrderPayload[]): Promise<OrderPayload[]> {
    const named = orders.filter(({ clientOrderId }) => isPilotfishOrder(clientOrderId));
    const known = await parts.intents.knownOrders(named.map(({ clientOrderId }) => clientOrderId));
    const told = await states.toldOrders(key);
    const fresh = named.filter(({ clientOrderId, executedQty }) => {
      const before = told.get(clientOrderId);
      return !known.has(clientOrderId) && (before === undefined || compare(decimal(executedQty), decimal(before)) > 0);
    });
    return ours(bots, fresh);
  }

  async function check(key: AccountKey): Promise<void> {
    const traders = await parts.tradersOn(key);
    const accountId = traders[0]?.bot.accountId;
    if (accountId === undefined) return;
    const symbolsTraded = traders.flatMap((each) => each.symbols);
    // Which assets differ by the orders of such a pair is not known: they would not be asked for.
    const unreadPair = symbolsTraded.find(parts.isUnread);
    if (unreadPair !== undefined) throw new UnreadPairError(unreadPair);
    const { signer } = await parts.accounts.get(key);
    const bots = traders.map(({ bot }) => bot);
    const { balances } = await exchange.account(signer);
    const held = holdingsOf(balances);
    // An order that rests locks what it would spend: where nothing is locked there is none, and asking for all costs 80.
    const unread = unreadOf(balances);
    const mayRest = unread.length > 0 || balances.some(({ locked }) => isPositive(decimal(locked)));
    const open = mayRest ? await ordersIn(exchange.openOrders(signer, undefined)) : [];
    const expected = await states.expected(key, (symbol) => parts.pair(symbol));
    const differing = differingAssets(expected, held);
    // Of a balance that cannot be read nobody knows whether it differs.
    const unreadAssets = new Set(unread.map((row) => textOfUnread(row, 'asset')));
    for (const asset of unreadAssets) differing.add(asset ?? '');
    const orders = new Map(open.map((order) => [order.clientOrderId, order]));
    for (const symbol of symbolsInDoubt(differing, symbolsTraded, parts))
      for (const order of await ordersIn(exchange.ordersOf(signer, symbol))) orders.set(order.clientOrderId, order);
    const unknown = await unknownOf(key, bots, [...orders.values()]);
    const executed = unknown.filter(hasExecuted);
    const withdrawn: OrderPayload[] = [];
    // Beside what is not understood nothing is touched: one of these may be the stop that protects a position.
    if (executed.length === 0)
      for (const order of unknown.filter(({ status }) => endedStatus(status) === undefined)) {
        const { symbol, clientOrderId } = order;
        const ended = await exchange.cancelOrder(signer, { symbol, origClientOrderId: clientOrderId });
        const after = { ...order, status: ended.status, executedQty: ended.executedQty, cummulativeQuoteQty: ended.cummulativeQuoteQty };
        (hasExecuted(after) ? executed : withdrawn).push(after);
      }
    if (executed.length > 0) await stand(key, accountId, traders, executed);
    for (const { symbol, clientOrderId } of withdrawn)
      log.warn(
        { symbol, clientOrderId },
        'an order of this installation that the database does not know was withdrawn; nothing of it was executed',
      );
    // Last: a start that ends before this finds the same again.
    await states.save({ key, accountId, held: withUnreadOf(expected, held, unreadAssets), at: parts.now(), told: unknown });
  }

  /** Halts every bot of the account, and says which orders stand behind it. */
  async function stand(key: AccountKey, accountId: string, traders: readonly Trader[], executed: readonly OrderPayload[]): Promise<void> {
    log.error(
      { accountId, account: key.slice(0, 5), orders: executed.length, symbols: [...new Set(executed.map(({ symbol }) => symbol))] },
      'the exchange has executed orders of this installation that the database does not know: it was set back; its bots are halted',
    );
    await parts.halt(
      traders.map(({ bot }) => bot),
      SET_BACK,
    );
    const lines = new Map<string, AutoTradeLog[]>();
    for (const order of executed) {
      const trader = traders.find(({ symbols }) => symbols.includes(order.symbol)) ?? traders[0];
      if (!trader) continue;
      const at = new Date(parts.now()).toISOString();
      const facts = {
        quantity: toText(decimal(order.executedQty)),
        quote: toText(decimal(order.cummulativeQuoteQty)),
        orderId: order.orderId,
        clientOrderId: order.clientOrderId,
      };
      const code = order.side === 'BUY' ? 'UNKNOWN_BUY' : 'UNKNOWN_SELL';
      const line = { id: parts.newId(), at, positionId: null, symbol: order.symbol, code, level: 'error', facts } as const;
      lines.set(trader.bot.id, [...(lines.get(trader.bot.id) ?? []), line]);
    }
    for (const [id, each] of lines) await parts.store.appendLogs(id, each, parts.queries);
  }

  return {
    /**
     * Resolves when the account is known to be what the database says, or its bots are halted. Two at once are one.
     * @throws ExchangeError | AppError when the account cannot be asked; nothing may be signed for it then
     */
    ensure: (key: AccountKey): Promise<void> => {
      const known = checks.get(key);
      if (known) return known;
      const asked = check(key).then(
        () => void unreadPairs.delete(key),
        (error: unknown) => {
          if (checks.get(key) === asked) checks.delete(key);
          if (error instanceof UnreadPairError) unreadPairs.set(key, error.symbol);
          else unreadPairs.delete(key);
          throw error;
        },
      );
      checks.set(key, asked);
      return asked;
    },
    /** The pairs that cannot be read, and because of which an account could not be checked. */
    unreadPairs: unreadPairs as ReadonlyMap<AccountKey, string>,
    /** Other keys are there: whatever account they lead to is asked anew. */
    forget: (key: AccountKey): void => void checks.delete(key),
  };
}
export type AccountCheck = ReturnType<typeof accountCheck>;

/** What an account holds, and of what could not be read what was expected: saved as absent it would differ by itself the next time. */
function withUnreadOf(expected: Holdings | undefined, held: Holdings, unread: ReadonlySet<string | undefined>): Holdings {
  const missing = [...(expected ?? [])].filter(([asset]) => !held.has(asset) && (unread.has(asset) || unread.has(undefined)));
  return new Map([...held, ...missing]);
}

const hasExecuted = ({ executedQty }: OrderPayload): boolean => isPositive(decimal(executedQty));

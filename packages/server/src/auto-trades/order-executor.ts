import type { OrderInput } from '@pilotfish/core/auto-trades/engine/engine-inputs';
import { type CoinBalance, LATE, type OrderInFlight, UNLISTED } from '@pilotfish/core/auto-trades/position/position-state';
import { AppError } from '@pilotfish/core/http/problem';
import { decimal, isPositive, subtract } from '@pilotfish/core/money/decimal';
import type { Timers } from '@pilotfish/core/time/timers';
import type { Logger } from 'pino';
import type { Exchange } from '../exchange/exchange.ts';
import {
  breaksRule,
  ExchangeError,
  isDuplicate,
  isKeyRefusal,
  isNotTraded,
  KeptBackError,
  lacksBalance,
  namesNoPair,
  refusalCode,
  refusalDetail,
} from '../exchange/exchange-error.ts';
import { WRONG_TIME } from '../exchange/exchange-rest.ts';
import type { OrderPayload, PlacedOrderPayload } from '../exchange/payloads.ts';
import type { AccountKey, TradingAccount, TradingAccounts } from '../exchange-connection/trading-accounts.ts';
import type { CoinsLacking } from './coins-lacking.ts';
import { bookHolds } from './order-book.ts';
import type { IntentRow, IntentStatus, OrderIntentsStore } from './order-intents-store.ts';
import { archivedEnd, type Execution, orderEnd, toldExecutions } from './order-outcome.ts';
import { orderParameters } from './order-parameters.ts';
import {
  ABSENT_AFTER_MS,
  EARLIER_DOUBT_MS,
  ENTRY_PATIENCE_MS,
  GATEWAY_PATIENCE_MS,
  LEAST_RETRY_MS,
  MOST_RESENDS,
  RULES_PATIENCE_MS,
  retryDelay,
  VANISHED_AFTER_MS,
} from './order-patience.ts';
import { ordersLately } from './orders-lately.ts';

/** Thrown in the turn of signing: the request does not leave. */
class NotSigned extends Error {}
const STOPPED = 'STOPPED';

/** One moment by both clocks of the process, ms: one stands still while a machine sleeps, the other can be set. */
export type Moment = { readonly wall: number; readonly running: number };

export type OrderExecutor = {
  /**
   * Sends an intent that is on disk. Intents of one position leave one after the other; those of others do not wait
   * for them, so an exit is never held up by an entry.
   * @param decided when it was decided, before it was written: a process can stand still in between
   */
  submit(intent: IntentRow, decided?: Moment): void;
  /** Finds out what became of an order that may have left, and tells its bot. */
  reconcile(intent: IntentRow & { readonly status?: IntentStatus }): Promise<void>;
  idle(): Promise<void>;
  stop(): void;
};

/**
 * Sends order intents to the exchange. The kill switch is looked at in the same turn in which a request is signed. An
 * answer that never came is settled by asking for the order, never by sending it again: an order that the exchange
 * does not know, asked once its receive window is over by the exchange's own clock, was not executed and never will be.
 * Nor is one sent again that was refused for its time: it may have been frozen on its way for as long as you like. Its
 * bot is told once the time is known again, and decides by the prices of then.
 * Only the order of a pair that has left the exchange is asked for no longer: it needs a person.
 */
export function orderExecutor(options: {
  exchange: Pick<Exchange, 'order' | 'placeOrder' | 'cancelOrder' | 'tradesOfOrder' | 'depth' | 'rest'>;
  accounts: Pick<TradingAccounts, 'get'>;
  store: Pick<OrderIntentsStore, 'setIntent'>;
  /** Why an order of this bot may not be signed now, as a stable code: a kill switch, frozen exits, no more entries. */
  refusal: (autoTradeId: string, order: OrderInFlight, symbol: string) => string | undefined;
  /** Resolves when an account is known to be what the database says. @throws ExchangeError when that cannot be found out */
  checked: (accountKey: AccountKey) => Promise<void>;
  /** Fills are delivered with the exchange's own amounts; the runner values fees. */
  deliver: (autoTradeId: string, input: OrderInput) => void;
  /** The key no longer works for this account. */
  onKeyRefused: (autoTradeId: string) => void;
  /** The account holds less than the wallet promised. */
  onUnderfunded: (autoTradeId: string) => void;
  /** What the account has of the coin of a sale that it had too little for. */
  lacking: CoinsLacking;
  /** The exchange asks something else of orders than we knew: resolves when its rules are read again, and the bot has them. */
  onRuleRefused: (autoTradeId: string) => Promise<void>;
  /** Reads the list of the exchange again: whether it lists the pair no more. False where that is not certain. */
  hasLeft: (symbol: string) => Promise<boolean>;
  now: () => number;
  timers: Pick<Timers, 'wait' | 'running'>;
  log: Logger;
}): OrderExecutor {
  const { exchange, accounts, store, deliver, now, log } = options;
  const wait = (ms: number) => options.timers.wait(ms, { ref: true });
  const queues = new Map<string, Promise<void>>();
  /** Whatever an earlier process signed, it signed before this moment of the exchange's clock. */
  let begunAt: number | undefined;
  /** Orders signed here that are not over yet: the time they carry, and whether the exchange is known to have them. */
  const signed = new Map<string, { timestamp: number; taken: boolean }>();
  const lately = ordersLately(now);
  let stopped = false;

  /** Waits before the next try; false when there is none any more. */
  const again = (tried: number): Promise<boolean> => wait(retryDelay(tried)).then(() => !stopped);
  const moment = (): Moment => ({ wall: now(), running: options.timers.running() });
  /** How long ago that was, ms, by whichever clock says more. */
  const ageOf = ({ wall, running }: Moment): number => Math.max(now() - wall, options.timers.running() - running);

  /** For the record only: what the exchange did is told whether this can be written or not. */
  const note = async (intent: IntentRow, status: IntentStatus, detail: string | null): Promise<void> => {
    await store.setIntent(intent.id, status, detail, now()).catch((error: unknown) => {
      log.error({ err: error, clientOrderId: intent.clientOrderId, status }, 'the status of an order intent could not be written');
    });
  };

  const over = (intent: IntentRow, input: OrderInput): void => {
    signed.delete(intent.clientOrderId);
    deliver(intent.autoTradeId, input);
  };

  /** @param said the exchange's own sentence, where it refused, and what the account has where that is too little */
  const refuse = async (intent: IntentRow, code: string, said: { detail?: string; balance?: CoinBalance } = {}): Promise<void> => {
    await note(intent, 'refused', code);
    over(intent, {
      type: 'ended',
      clientOrderId: intent.clientOrderId,
      status: 'REJECTED',
      code,
      ...said,
      at: intent.order.placedAt,
    });
  };

  /** Tells the bot what was executed, then that the order is over. Throws while executions of it cannot be read yet. */
  async function settle(
    intent: IntentRow,
    account: TradingAccount,
    order: OrderPayload,
    told?: readonly Execution[],
  ): Promise<'ended' | 'standing'> {
    const { autoTradeId, clientOrderId } = intent;
    const orderId = order.orderId;
    deliver(autoTradeId, { type: 'accepted', clientOrderId, orderId });
    let at = order.updateTime ?? order.transactTime ?? order.time ?? 0;
    let missing = decimal(order.executedQty);
    if (isPositive(missing)) {
      for (const trade of told ?? (await exchange.tradesOfOrder(account.signer, order))) {
        at = Math.max(at, trade.time);
        missing = subtract(missing, decimal(trade.qty));
        deliver(autoTradeId, {
          type: 'filled',
          clientOrderId,
          orderId,
          tradeId: trade.id,
          price: trade.price,
          quantity: trade.qty,
          quoteQuantity: trade.quoteQty,
          fee: trade.commission,
          feeAsset: trade.commissionAsset,
          feeInQuote: null,
          at: trade.time,
        });
      }
    }
    // The list of trades may lag behind the order: an order that ended before its fills would lose them.
    if (isPositive(missing)) throw new ExchangeError('unreachable', 'Not all executions of the order can be read yet.');
    const end = orderEnd(order.status, order.expiryReason);
    if (!end) return 'standing';
    over(intent, { type: 'ended', clientOrderId, ...end, code: null, at });
    return 'ended';
  }

  /** The clock is measured anew when the exchange finds our time wrong; whoever asked tries again. */
  async function handled(intent: IntentRow, error: ExchangeError): Promise<void> {
    if (isKeyRefusal(error)) options.onKeyRefused(intent.autoTradeId);
    if (error.code === WRONG_TIME) await exchange.rest.syncClock().catch(() => undefined);
  }

  /**
   * Asks once for an order.
   * @param taken the exchange is known to have had it
   * @returns how long the next question may wait when nothing is known yet, ms
   */
  async function look(intent: IntentRow, taken: boolean): Promise<'ended' | 'standing' | number> {
    let patience = Number.POSITIVE_INFINITY;
    try {
      if (begunAt === undefined && !signed.has(intent.clientOrderId)) begunAt = await exchange.rest.serverTime().catch(() => undefined);
      // Asked for each time: the keys may be new ones since the last try.
      const account = await accounts.get(intent.accountKey as AccountKey);
      const order = await exchange.order(account.signer, { symbol: intent.symbol, origClientOrderId: intent.clientOrderId });
      if ((order.time ?? intent.order.placedAt) + 1000 < intent.order.placedAt) {
        // The exchange frees ids of old orders: this one is not ours.
        await lose(intent, 'AMBIGUOUS');
        return 'ended';
      }
      const known = signed.get(intent.clientOrderId);
      if (known) known.taken = true;
      const outcome = await settle(intent, account, order);
      // An order that still stands is placed, and not cancelled: the next process goes on with that.
      if (outcome === 'ended' || intent.kind === 'place') await note(intent, 'done', null);
      return outcome;
    } catch (error) {
      if (error instanceof ExchangeError && error.kind === 'refused') {
        // Unknown is not absent: only when it could no longer arrive as we asked was it never executed.
        if (error.code === -2013 && !taken) {
          patience = await timeLeft(intent);
          if (patience <= 0 && (await isMissing(intent))) {
            await refuse(intent, 'ABSENT');
            return 'ended';
          }
        }
        const archived = archivedEnd(intent, error, now());
        if (archived) {
          await note(intent, archived.type === 'lost' ? 'unknown' : 'done', archived.code);
          over(intent, archived);
          return 'ended';
        }
        // Of a pair that is gone nobody will ever say more.
        if (namesNoPair(error) && (await options.hasLeft(intent.symbol))) {
          await lose(intent, UNLISTED);
          return 'ended';
        }
        await handled(intent, error);
      }
      log.warn({ clientOrderId: intent.clientOrderId, reason: (error as Error).message }, 'the outcome of an order is not known yet');
      return patience;
    }
  }

  async function lose(intent: IntentRow, code: string): Promise<void> {
    await note(intent, 'unknown', code);
    over(intent, { type: 'lost', clientOrderId: intent.clientOrderId, code });
  }

  /** Asks until it is known what became of an order. */
  async function resolve(intent: IntentRow, taken = signed.get(intent.clientOrderId)?.taken ?? false): Promise<'ended' | 'standing'> {
    const since = now();
    let patience = 0;
    for (let attempt = 0; !stopped; attempt += 1) {
      // What waits for this order, an exit perhaps, goes on as soon as it can be known.
      if (attempt > 0) await wait(Math.min(retryDelay(attempt - 1), Math.max(patience, LEAST_RETRY_MS)));
      const outcome = await look(intent, taken);
      if (typeof outcome !== 'number') return outcome;
      patience = outcome;
      if (taken && now() - since > VANISHED_AFTER_MS && (await isMissing(intent))) {
        await lose(intent, 'VANISHED');
        return 'ended';
      }
    }
    return 'ended';
  }

  /** How long the exchange would still take the order, if it came only now, ms by its own clock; not at all below zero. */
  async function timeLeft(intent: IntentRow): Promise<number> {
    const time = await exchange.rest.serverTime().catch(() => Number.NEGATIVE_INFINITY);
    const latest = signed.get(intent.clientOrderId)?.timestamp ?? (begunAt ?? Number.POSITIVE_INFINITY) + EARLIER_DOUBT_MS;
    return latest + ABSENT_AFTER_MS - time;
  }

  async function isMissing(intent: IntentRow): Promise<boolean> {
    try {
      const account = await accounts.get(intent.accountKey as AccountKey);
      await exchange.order(account.signer, { symbol: intent.symbol, origClientOrderId: intent.clientOrderId });
      return false;
    } catch (error) {
      return error instanceof ExchangeError && error.kind === 'refused' && error.code === -2013;
    }
  }

  /** The account of an order. Keys that cannot be read just now are waited for by what sells; keys that are gone are not. */
  async function accountOf(intent: IntentRow, patient: boolean): Promise<TradingAccount | undefined> {
    for (let attempt = 0; !stopped; attempt += 1) {
      if (attempt > 0) await wait(retryDelay(attempt - 1));
      try {
        return await accounts.get(intent.accountKey as AccountKey);
      } catch (error) {
        log.warn({ clientOrderId: intent.clientOrderId, reason: (error as Error).message }, 'the keys of an order could not be read');
        if (error instanceof AppError) options.onKeyRefused(intent.autoTradeId);
        else if (patient) continue;
        return undefined;
      }
    }
    return undefined;
  }

  async function place(intent: IntentRow, decided: Moment): Promise<void> {
    const { order } = intent;
    // Whatever buys can wait or be let go; what sells cannot.
    const entry = order.side === 'Buy';
    const account = await accountOf(intent, !entry);
    if (!account) return stopped ? undefined : refuse(intent, 'NOT_CONNECTED');
    const since = now();
    const isOld = () => entry && ageOf(decided) > ENTRY_PATIENCE_MS;
    let trouble = 'RATE_LIMITED';
    for (let attempt = 0; !stopped; attempt += 1) {
      if (attempt > 0) await wait(retryDelay(attempt - 1));
      let placed: PlacedOrderPayload;
      try {
        await options.checked(account.key);
        if (entry && order.type === 'Market' && !(await bookHolds(exchange, intent))) return refuse(intent, 'SLIPPAGE');
        placed = await exchange.placeOrder(account.signer, orderParameters(intent.symbol, order), {
          urgent: order.side === 'Sell',
          beforeSigning: (timestamp) => {
            const code = stopped ? STOPPED : options.refusal(intent.autoTradeId, order, intent.symbol);
            if (code !== undefined) throw new NotSigned(code);
            if (entry && lately.leavesToExits(intent.accountKey))
              throw new ExchangeError('limited', 'Entries leave the orders that are left to exits.');
            // The market has moved on since it was decided.
            if (isOld()) throw new NotSigned(trouble);
            signed.set(intent.clientOrderId, { timestamp, taken: false });
            lately.note(intent.accountKey);
          },
        });
      } catch (error) {
        // The next start finds the intent as it is: nothing has left.
        if (error instanceof NotSigned) return error.message === STOPPED ? undefined : refuse(intent, error.message);
        if (!(error instanceof ExchangeError)) {
          log.error({ err: error, clientOrderId: intent.clientOrderId }, 'an order may or may not have been sent');
          return void (await resolve(intent));
        }
        if (error.kind === 'unknown') {
          await note(intent, 'unknown', error.message);
          return void (await resolve(intent));
        }
        // A gateway before the exchange let nobody in: of the order itself nothing was said, and a sale is tried again.
        const turnedAway = !entry && error.code === undefined && now() < since + GATEWAY_PATIENCE_MS;
        if (error.code === WRONG_TIME) return tooLate(intent);
        if (error.kind === 'refused' && !turnedAway) {
          await handled(intent, error);
          // It is there: an attempt has one id for ever.
          if (isDuplicate(error)) return void (await resolve(intent, true));
          if (entry && lacksBalance(error)) options.onUnderfunded(intent.autoTradeId);
          const lacks = !entry && lacksBalance(error);
          const balance = lacks ? await options.lacking(intent, again) : 'unknown';
          if (lacks && stopped) return;
          // Held by an order that is over by now: nothing stands in its way any more.
          if (balance === 'enough' && attempt < MOST_RESENDS) continue;
          const said = typeof balance === 'string' ? {} : { balance };
          // Trading of the coin pauses: what was to be sold is decided anew at its first price, by nobody's hand.
          if (!entry && isNotTraded(error)) return refuse(intent, 'MARKET_CLOSED');
          if (!entry && breaksRule(error)) await Promise.race([rulesRead(intent), wait(RULES_PATIENCE_MS)]);
          return refuse(intent, namesNoPair(error) ? UNLISTED : refusalCode(error), { detail: refusalDetail(error), ...said });
        }
        // Not taken at all: limited, or nobody there. Trying again is safe.
        await handled(intent, error);
        // We alone kept it back: nobody is bothered by asking again soon, and what sells leaves when it may.
        if (error instanceof KeptBackError) {
          log.warn({ clientOrderId: intent.clientOrderId }, 'an order is kept back: this may not be the only server of its database');
          attempt = Math.min(attempt, 1);
        }
        trouble = error.kind === 'limited' ? 'RATE_LIMITED' : 'UNREACHABLE';
        if (isOld()) return refuse(intent, trouble);
        continue;
      }
      // From here on the order stands: whatever fails now is settled by asking, never by placing again.
      const mark = signed.get(intent.clientOrderId);
      if (mark) mark.taken = true;
      account.expect(intent.clientOrderId);
      await note(intent, 'sent', null);
      const known: OrderPayload = {
        ...placed,
        price: order.price ?? '0',
        origQty: order.quantity,
        cummulativeQuoteQty: '0',
        type: order.type,
        side: order.side === 'Buy' ? 'BUY' : 'SELL',
      };
      try {
        await settle(intent, account, known, toldExecutions(placed));
      } catch (error) {
        log.warn({ clientOrderId: intent.clientOrderId, reason: (error as Error).message }, 'a placed order could not be settled at once');
        return void (await resolve(intent, true));
      }
      return note(intent, 'done', null);
    }
  }

  /**
   * Signed too long before it arrived, or by a clock that had stood still with the machine: nobody can tell which, so
   * not even a sale is signed anew with the time of now. Told only when the time is known again, and never at once:
   * the decision that follows is signed by it, and an exchange that refuses every time is not asked without a pause.
   */
  async function tooLate(intent: IntentRow): Promise<void> {
    log.warn({ clientOrderId: intent.clientOrderId }, 'the exchange refused an order for its time: it is decided anew');
    for (let attempt = 0; !stopped; attempt += 1) {
      await wait(retryDelay(attempt));
      const isKnown = await exchange.rest.syncClock().then(
        () => true,
        () => false,
      );
      if (isKnown) return refuse(intent, LATE);
    }
  }

  /** Whatever goes wrong with the rules: that the sale was refused is told. */
  const rulesRead = (intent: IntentRow): Promise<void> =>
    options
      .onRuleRefused(intent.autoTradeId)
      .catch((error: unknown) =>
        log.error({ err: error, clientOrderId: intent.clientOrderId }, 'the rules of now could not be taken over'),
      );

  /** Until the order is over: a cancel that was lost or refused is sent again while the order still stands. */
  async function cancel(intent: IntentRow): Promise<void> {
    for (let attempt = 0; !stopped; attempt += 1) {
      if (attempt > 0) await wait(retryDelay(attempt - 1));
      try {
        const account = await accounts.get(intent.accountKey as AccountKey);
        await exchange.cancelOrder(account.signer, { symbol: intent.symbol, origClientOrderId: intent.clientOrderId });
      } catch (error) {
        log.warn({ clientOrderId: intent.clientOrderId, reason: (error as Error).message }, 'an order could not be cancelled at once');
        // Refused may mean that it is over already, unknown that only the answer was lost: both are asked for below.
        if (error instanceof KeptBackError) attempt = Math.min(attempt, 1);
        if (!(error instanceof ExchangeError) || error.kind === 'limited' || error.kind === 'unreachable') continue;
        await handled(intent, error);
      }
      if ((await resolve(intent)) === 'ended') return;
    }
  }

  function enqueue(intent: IntentRow, work: () => Promise<void>): Promise<void> {
    const key = intent.positionId;
    const before = queues.get(key) ?? Promise.resolve();
    const after = before
      .then(work)
      .catch((error: unknown) => {
        log.error({ err: error, clientOrderId: intent.clientOrderId }, 'an order intent failed');
      })
      .finally(() => {
        if (queues.get(key) === after) queues.delete(key);
      });
    queues.set(key, after);
    return after;
  }

  return {
    submit: (intent, decided = moment()) => void enqueue(intent, () => (intent.kind === 'place' ? place(intent, decided) : cancel(intent))),
    reconcile: (intent) =>
      enqueue(intent, async () => {
        await resolve(intent, intent.status === 'sent' || intent.status === 'done' || signed.get(intent.clientOrderId)?.taken === true);
      }),
    idle: async () => {
      while (queues.size > 0) await Promise.all(queues.values());
    },
    stop: () => {
      stopped = true;
    },
  };
}

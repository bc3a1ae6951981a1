import { decimal, multiply, toText } from '@pilotfish/core/money/decimal';
import type { Cancel, Timers } from '@pilotfish/core/time/timers';
import type { Logger } from 'pino';
import type { PermittedPairs } from '../exchange-connection/permitted-pairs.ts';
import type { Market } from '../market/market.ts';
import { type AskedJump, askedJumps } from './asked-jumps.ts';
import type { BotCoins } from './bot-coins.ts';
import { type BotConditions, conditionsOf } from './bot-conditions.ts';
import type { RunningBot } from './bot-runner.ts';
import type { FollowedFees } from './followed-fees.ts';

const ROUND_MS = 1000;
/** Coin filters remember their coins for at least five minutes: asking them more often tells nothing new. */
const COINS_MS = 30_000;
const FEES_MS = 20_000;
const LATE_FEES_MS = 10 * 60_000;
const VOLUMES_MS = 60_000;
const ORDERS_MS = 120_000;
/** Far shorter than what counts as a gap. */
const CONNECTED_MS = 10_000;
const PAIRS_MS = 60_000;
const JUMPS_MS = 60_000;
const HOUR_MS = 3_600_000;

export type BotTending = ReturnType<typeof botTending>;

/**
 * Looks after running bots, round after round: judges their conditions at each close of a candle, brings them the
 * coins that their filters select now, and lets coins go whose halt is over.
 */
export function botTending(parts: {
  readonly running: ReadonlyMap<string, RunningBot>;
  readonly conditions: BotConditions;
  readonly coins: BotCoins;
  readonly market: Pick<Market, 'loaded' | 'asOf' | 'stale' | 'ticker'>;
  /** When a fill was executed, and what an asset was worth in that minute. */
  readonly filledAt: (positionId: string, tradeId: string) => Promise<number | undefined>;
  readonly rateAt: (asset: string, quote: string, at: number) => Promise<string | undefined>;
  /** What the exchange takes of the pairs. */
  readonly fees: Pick<FollowedFees, 'ofCoins' | 'round'>;
  readonly permitted: Pick<PermittedPairs, 'forbidden'>;
  /** Values fees of positions that are over and that no bot at work looks after. */
  readonly valueLateFees: () => Promise<void>;
  readonly expireHalts: () => void;
  /** Tells an owner again of a jump, so many hours after it. */
  readonly jumpStands: (bot: RunningBot['bot'], jump: AskedJump, hours: number) => Promise<void>;
  /** Asks the exchange for the orders of a bot that are in flight. */
  readonly reconcile: (bot: RunningBot) => Promise<void>;
  readonly now: () => number;
  readonly timers: Timers;
  readonly log: Logger;
}) {
  const { running, conditions, coins, market, now, timers, log } = parts;
  /** Close that each coin of a bot was judged at. A bot that was activated anew is judged anew. */
  const judged = new WeakMap<RunningBot, Map<string, number>>();
  const askedAt = new WeakMap<RunningBot, number>();
  const valuedAt = new WeakMap<RunningBot, number>();
  const volumesAt = new WeakMap<RunningBot, number>();
  const pairsAt = new WeakMap<RunningBot, number>();
  const reconciledAt = new WeakMap<RunningBot, number>();
  const jumpsAt = new WeakMap<RunningBot, number>();
  let lateFeesAt = Number.NEGATIVE_INFINITY;
  let timer: Cancel | undefined;
  let connection: Cancel | undefined;
  let stopped = false;

  async function judge(bot: RunningBot): Promise<void> {
    if (!conditionsOf(bot.bot.config) || market.stale()) return;
    const known = judged.get(bot) ?? new Map<string, number>();
    judged.set(bot, known);
    const { accountId, config } = bot.bot;
    const { close, verdicts } = await conditions.judge({ accountId, config, symbols: bot.symbols() }, known, market.asOf);
    for (const [symbol, verdict] of verdicts) {
      known.set(symbol, close);
      bot.conditions(symbol, verdict);
    }
  }

  async function selectCoins(bot: RunningBot): Promise<void> {
    const { accountId, config } = bot.bot;
    if (config.coins.coinFilterIds.length === 0 || now() - (askedAt.get(bot) ?? Number.NEGATIVE_INFINITY) < COINS_MS) return;
    askedAt.set(bot, now());
    const selected = await coins.of(accountId, config, bot.wallet.currency, bot.coins());
    await parts.fees.ofCoins(bot, selected);
    await followPermissions(bot, selected);
    await bot.setCoins(selected);
  }

  /** Fees in assets that had no price when their fill was heard of, at the minute of the fill. */
  async function valueFees(bot: RunningBot): Promise<void> {
    const fees = bot.unvaluedFees();
    if (fees.length === 0 || now() - (valuedAt.get(bot) ?? Number.NEGATIVE_INFINITY) < FEES_MS) return;
    valuedAt.set(bot, now());
    for (const { positionId, tradeId, fee, feeAsset } of fees) {
      const at = await parts.filledAt(positionId, tradeId);
      const rate = at === undefined ? undefined : await parts.rateAt(feeAsset, bot.wallet.currency, at);
      if (rate) bot.feeValued(positionId, tradeId, toText(multiply(decimal(fee), decimal(rate))));
    }
  }

  /** What the order of coins by volume is told by. */
  function tellVolumes(bot: RunningBot): void {
    if (bot.bot.config.pickOrder !== 'volume' || now() - (volumesAt.get(bot) ?? Number.NEGATIVE_INFINITY) < VOLUMES_MS) return;
    volumesAt.set(bot, now());
    bot.setVolumes(Object.fromEntries(bot.symbols().map((symbol) => [symbol, Number(market.ticker(symbol)?.quoteVolume ?? 0)])));
  }

  /** Before coins are new to the bot: what its account may not trade is not entered at its first price. */
  async function followPermissions(bot: RunningBot, added: readonly string[]): Promise<void> {
    bot.setForbidden(await parts.permitted.forbidden(bot.accountKey, [...new Set([...bot.symbols(), ...added])]));
  }

  /** The market reads what the exchange lists, and asks of orders, once an hour; a bot lives for months. */
  async function followPairs(bot: RunningBot): Promise<void> {
    if (now() - (pairsAt.get(bot) ?? Number.NEGATIVE_INFINITY) < PAIRS_MS) return;
    pairsAt.set(bot, now());
    // Not waited for: an account that answers late must not hold up the exits of all others.
    void followPermissions(bot, bot.bot.config.coins.symbols).catch(() => undefined);
    await bot.followPairs();
  }

  /** Until its owner has said what a jump was, no stop works for what is held: that is told every hour of the market. */
  async function remindOfJumps(bot: RunningBot): Promise<void> {
    if (now() - (jumpsAt.get(bot) ?? Number.NEGATIVE_INFINITY) < JUMPS_MS) return;
    jumpsAt.set(bot, now());
    bot.noteStandstills();
    for (const asked of askedJumps(bot.engine)) {
      const hours = Math.floor((market.asOf - asked.jump.at) / HOUR_MS);
      if (hours > 0) await parts.jumpStands(bot.bot, asked, hours);
    }
  }

  /** An order whose end was told by an event that got lost would rest in our books for ever: it is asked for now and then. */
  function lookAfterOrders(bot: RunningBot): void {
    const last = reconciledAt.get(bot) ?? now();
    if (!reconciledAt.has(bot)) reconciledAt.set(bot, last);
    if (bot.inFlight().length === 0 || now() - last < ORDERS_MS) return;
    reconciledAt.set(bot, now());
    // Asking may take as long as the exchange is away: nothing else waits for it.
    parts
      .reconcile(bot)
      .catch((error: unknown) => log.warn({ err: error, autoTradeId: bot.bot.id }, 'orders in flight could not be asked for'));
  }

  /** Without this the protected cost would end on a pair that seldom trades, as after a lost connection. */
  function tellConnected(): void {
    if (market.loaded && !market.stale()) for (const bot of running.values()) bot.connected();
  }

  async function tend(bot: RunningBot): Promise<void> {
    await followPairs(bot);
    await selectCoins(bot);
    tellVolumes(bot);
    await judge(bot);
    await valueFees(bot);
    await remindOfJumps(bot);
    lookAfterOrders(bot);
  }

  async function round(): Promise<void> {
    if (!market.loaded) return;
    parts.expireHalts();
    if (now() - lateFeesAt >= LATE_FEES_MS) {
      lateFeesAt = now();
      parts.valueLateFees().catch((error: unknown) => log.warn({ err: error }, 'fees of positions that are over could not be valued'));
    }
    parts.fees.round().catch((error: unknown) => log.warn({ err: error }, 'fees of pairs could not be followed'));
    for (const bot of running.values()) {
      // One bot that cannot be looked after leaves none of the others alone.
      await tend(bot).catch((error: unknown) =>
        log.warn({ err: error, autoTradeId: bot.bot.id }, 'a bot could not be looked after in this round'),
      );
      if (stopped) return;
    }
  }

  function next(): void {
    timer = timers.after(ROUND_MS, () => void round().finally(() => stopped || next()));
  }

  return {
    start: (): void => {
      next();
      // Not in the rounds, which wait for the exchange: a late call would look like a gap.
      connection = timers.every(CONNECTED_MS, tellConnected);
    },
    round,
    stop: (): void => {
      stopped = true;
      timer?.();
      connection?.();
    },
  };
}

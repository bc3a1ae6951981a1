import { decimal, subtract, toText } from '../../money/decimal.ts';
import { digits } from '../../money/figure.ts';
import { paidIn, type WalletBook } from '../../wallets/wallet-book.ts';
import type { Protections } from '../config/auto-trade-config.ts';
import { NAMED, REFUSED } from '../position/position-refusals.ts';
import type { PositionContext, Refusals } from '../position/position-state.ts';
import { asSentence } from '../refusal-words.ts';
import {
  type ClosedTrade,
  guardHolds,
  judgeProtections,
  PROTECTIONS,
  type ProtectionVerdict,
  type ProtectionWarning,
  protectionLookback,
  soldCost,
} from './protections.ts';
import { createRollingHigh, type RollingHigh } from './rolling-high.ts';

/** A protection that stepped in. Times in venue ms; `until` of the BTC guard is a guess: it ends when BTC recovers. */
export type ProtectionNotice = ProtectionVerdict & { readonly at: number };
export type ProtectionWarningNotice = ProtectionWarning & { readonly at: number };
export type PauseEnd = { readonly scope: 'bot' | 'coin'; readonly symbol: string | null; readonly reason: string; readonly at: number };
/** Why and until when (venue ms) a coin is not entered. `detail`: what the exchange said, where that is the reason. */
export type CoinPause = { readonly until: number; readonly reason: string; readonly detail?: string };
/** A pause in force, as it is stored and restored. `symbol` null: of the whole bot. */
export type Pause = CoinPause & { readonly symbol: string | null };

const isProtection = (reason: string): boolean => (PROTECTIONS as readonly string[]).includes(reason);

/** Without a newer price of the reference than this nothing is known of it, and nothing is bought under its guard. */
const REFERENCE_STALE_MS = 300_000;

/**
 * Why a bot, or one coin of it, buys nothing for a while: protections after closed positions, the guard on the
 * reference price, and pauses by hand. Time is the market's; what it has to tell is told after the input is done.
 */
export function createBotPauses(options: {
  readonly protections: Protections;
  readonly wallet: WalletBook;
  readonly history: readonly ClosedTrade[];
  readonly pauses: readonly Pause[];
  /** Prices of the reference in the window of the guard, oldest first. */
  readonly references: readonly (readonly [at: number, price: number])[];
}) {
  let protections = options.protections;
  let lookback = protectionLookback(protections);
  let history = [...options.history];
  let botUntil = Number.NaN;
  let botReason = '';
  const coins = new Map<string, CoinPause>();
  /** Pauses by hand: a protection of the same coin neither shortens nor outlives them. */
  const byHand = new Map<string, CoinPause>();
  /** Of coins whose entries are refused: their positions know it, so it is not restored from `options.pauses`. */
  const refused = new Map<string, CoinPause>();
  const ofCoins = [byHand, coins, refused];
  /** The earliest end of a coin's pause: nearly every tick compares with this number only. */
  let nextCoinEnd = Number.POSITIVE_INFINITY;
  let window: RollingHigh | undefined;
  let referenceAt = Number.NaN;
  let guarded = false;
  const notices: ProtectionNotice[] = [];
  const warnings: ProtectionWarningNotice[] = [];
  const ends: PauseEnd[] = [];

  const settleCoins = (): void => {
    nextCoinEnd = Number.POSITIVE_INFINITY;
    for (const paused of ofCoins) for (const { until } of paused.values()) nextCoinEnd = Math.min(nextCoinEnd, until);
  };
  const openWindow = (): void => {
    window = protections.btcGuard ? createRollingHigh(protections.btcGuard.windowMin) : undefined;
    referenceAt = Number.NaN;
    guarded = false;
  };
  openWindow();
  for (const { symbol, until, reason } of options.pauses) {
    if (symbol === null) {
      botUntil = until;
      botReason = reason;
    } else if (!reason.startsWith(REFUSED)) (isProtection(reason) ? coins : byHand).set(symbol, { until, reason });
  }
  settleCoins();
  for (const [at, price] of options.references) look(at, price);

  /** Takes a price of the reference into the window and says whether its guard holds now. */
  function look(at: number, price: number): void {
    const guard = protections.btcGuard;
    if (!guard || !window) return;
    window.add(at, price);
    referenceAt = at;
    guarded = guardHolds(guard, price, window.high, guarded);
  }

  /** The pause of a coin that lasts longest. */
  function pauseOf(symbol: string): CoinPause | undefined {
    let longest: CoinPause | undefined;
    for (const paused of ofCoins) {
      const pause = paused.get(symbol);
      if (pause && !(longest && longest.until >= pause.until)) longest = pause;
    }
    return longest;
  }

  /** A closed position that protections judge by. */
  function remember(trade: ClosedTrade, at: number): void {
    history.push(trade);
    const oldest = at - lookback;
    if (history[0]!.closedAt < oldest && history.length > 1) history = history.filter(({ closedAt }) => closedAt >= oldest);
  }

  /** What the protections say of the positions remembered; `paid` was put into the wallet. Answers the pauses that follow. */
  function judge(at: number, paid: string): readonly ProtectionNotice[] {
    const judged = judgeProtections(protections, history, paid);
    for (const warning of judged.warnings) warnings.push({ ...warning, at });
    const found = judged.verdicts.map((verdict) => ({ ...verdict, at }));
    for (const verdict of found) {
      if (verdict.symbol !== null) coins.set(verdict.symbol, { until: verdict.until, reason: verdict.protection });
      else if (!(verdict.until <= botUntil)) [botUntil, botReason] = [verdict.until, verdict.protection];
      notices.push(verdict);
    }
    settleCoins();
    return found;
  }

  return {
    notices,
    warnings,
    ends,
    /** Pauses whose time is over by `at` end. Answers whether one did. */
    pass(at: number): boolean {
      if (!(at >= botUntil) && at < nextCoinEnd) return false;
      if (at >= botUntil) {
        ends.push({ scope: 'bot', symbol: null, reason: botReason, at });
        botUntil = Number.NaN;
      }
      for (const paused of ofCoins)
        for (const [symbol, { until, reason }] of paused) {
          if (at < until) continue;
          paused.delete(symbol);
          // One more try follows, which says more.
          if (paused !== refused) ends.push({ scope: 'coin', symbol, reason, at });
        }
      settleCoins();
      return true;
    },
    /** False while the whole bot, or this coin, buys nothing. */
    allows(symbol: string, at: number): boolean {
      if (at < botUntil || guarded || (window && !(at - referenceAt <= REFERENCE_STALE_MS))) return false;
      if (nextCoinEnd === Number.POSITIVE_INFINITY) return true;
      const coin = pauseOf(symbol);
      return coin === undefined || at >= coin.until;
    },
    /** Why nothing is bought, for the question why; null when something may be. */
    bot(at: number): { readonly reason: string; readonly until: number | null } | null {
      if (at < botUntil) return { reason: botReason, until: botUntil };
      if (guarded) return { reason: 'btcGuard', until: null };
      return window && !(at - referenceAt <= REFERENCE_STALE_MS) ? { reason: 'reference-unknown', until: null } : null;
    },
    coin(symbol: string, at: number): CoinPause | null {
      const coin = pauseOf(symbol);
      return coin && at < coin.until ? coin : null;
    },
    /** A time that is over lifts the pause of the coin. */
    pauseCoin(symbol: string, until: number, reason: string): void {
      byHand.set(symbol, { until, reason });
      settleCoins();
    },
    /** What the position of a coin knows of its refused entries: a pause of its own, or the end of one. */
    refuse(symbol: string, refusals: Refusals | null): void {
      if (!refusals?.until) {
        if (refused.delete(symbol)) settleCoins();
        return;
      }
      const { code, detail, until } = refusals;
      const isOurs = detail === null && NAMED.has(code);
      refused.set(
        symbol,
        isOurs ? { until, reason: `${REFUSED}-${code}` } : { until, reason: REFUSED, detail: asSentence(detail ?? code) },
      );
      settleCoins();
    },
    /** The price of the reference. Answers true when its guard has just stepped in. */
    reference(at: number, price: number): boolean {
      const guard = protections.btcGuard;
      if (!guard || !window) return false;
      const before = guarded;
      look(at, price);
      if (guarded === before) return false;
      if (!guarded) {
        ends.push({ scope: 'bot', symbol: null, reason: 'btcGuard', at });
        return false;
      }
      const fallPct = ((window.high - price) / window.high) * 100;
      notices.push({
        protection: 'btcGuard',
        scope: 'bot',
        symbol: null,
        until: at + guard.windowMin * 60_000,
        observed: fallPct.toFixed(4),
        limit: digits(guard.dropPct),
        at,
      });
      return true;
    },
    /** A position was closed. Answers the pauses that follow. */
    closed(context: PositionContext, at: number): readonly ProtectionNotice[] {
      const { sums } = options.wallet;
      const paid = paidIn(sums);
      const cost = soldCost(context);
      if (cost === null) return [];
      remember(
        {
          symbol: context.settings.symbol,
          closedAt: at,
          realised: toText(subtract(decimal(context.realised), decimal(context.lateFees))),
          cost,
          walletRealised: sums.realised,
          paidIn: paid,
        },
        at,
      );
      return judge(at, paid);
    },
    /** A fee of a position that is over has its value now: what is judged later counts it, as after a restart. */
    lateFee({ settings, closedAt }: PositionContext, fee: string): void {
      history = history.map((trade) =>
        trade.symbol === settings.symbol && trade.closedAt === closedAt
          ? { ...trade, realised: toText(subtract(decimal(trade.realised), decimal(fee))) }
          : trade,
      );
    },
    /** New settings: pauses in force stay, the window of the reference begins anew when it changed. */
    setProtections(next: Protections): void {
      const changed = JSON.stringify(next.btcGuard) !== JSON.stringify(protections.btcGuard);
      protections = next;
      lookback = protectionLookback(next);
      if (!changed) return;
      if (guarded) ends.push({ scope: 'bot', symbol: null, reason: 'btcGuard', at: referenceAt });
      openWindow();
    },
    get history(): readonly ClosedTrade[] {
      return history;
    },
    /** Everything in force, to be stored: `options.pauses` restores it. */
    get pauses(): readonly Pause[] {
      const found: Pause[] = Number.isNaN(botUntil) ? [] : [{ symbol: null, until: botUntil, reason: botReason }];
      for (const paused of ofCoins) for (const [symbol, pause] of paused) found.push({ symbol, ...pause });
      return found;
    },
  };
}

import type { Protections } from '../auto-trades/auto-trade-config.ts';
import { type BotPauses, createBotPauses, type ProtectionNotice } from '../auto-trades/bot-pauses.ts';
import { type ClosedTrade, judgeLossStreak } from '../auto-trades/protections.ts';
import { toText } from '../money/decimal.ts';
import type { WalletBook } from '../wallets/wallet-book.ts';
import { COST_PLACES, costText } from './quick-scales.ts';

const HOUR_MS = 3_600_000;
/** Nearer to its limit than this a protection is asked exactly. */
const NEAR = 1 - 1e-9;

/** A closed position whose amounts become text only when a protection is asked. All amounts at 28 places. */
class QuickTrade implements ClosedTrade {
  readonly symbol: string;
  readonly closedAt: number;
  readonly result: bigint;
  readonly matched: bigint;
  readonly walletResult: bigint;
  readonly paid: bigint;
  readonly resultFloat: number;
  readonly walletFloat: number;
  constructor(symbol: string, closedAt: number, result: bigint, matched: bigint, walletResult: bigint, paid: bigint) {
    this.symbol = symbol;
    this.closedAt = closedAt;
    this.result = result;
    this.matched = matched;
    this.walletResult = walletResult;
    this.paid = paid;
    this.resultFloat = Number(result) / 1e28;
    this.walletFloat = Number(walletResult) / 1e28;
  }
  get realised(): string {
    return costText(this.result);
  }
  get cost(): string {
    return costText(this.matched);
  }
  get walletRealised(): string {
    return costText(this.walletResult);
  }
  get paidIn(): string {
    return toText({ units: this.paid, scale: COST_PLACES });
  }
}

const NOTHING: readonly ProtectionNotice[] = [];
const isLoss = ({ result }: QuickTrade): boolean => result < 0n;

/**
 * The pauses of a bot (`bot-pauses.ts`) for a quick run: the protections themselves are asked only after a trade that
 * may have tripped one.
 */
export function createQuickPauses(protections: Protections, wallet: WalletBook) {
  const pauses: BotPauses = createBotPauses({ protections, wallet, history: [], pauses: [], references: [] });
  const { lossStreak, drawdown, lowProfitCoin, dailyLoss } = protections;
  const limit = Number(drawdown.maxPct);
  let trades: QuickTrade[] = [];
  const kept = Math.max(lossStreak.lookbackHours, drawdown.lookbackHours) * HOUR_MS;

  /** Whether a protection whose amounts have to be exact may have tripped. */
  function mayTrip(at: number): boolean {
    if (lowProfitCoin !== null || dailyLoss !== null) return true;
    if (!(limit > 0)) return false;
    const last = trades[trades.length - 1]!;
    const since = at - drawdown.lookbackHours * HOUR_MS;
    let top = last.walletFloat;
    let first = last;
    for (let index = trades.length - 2; index >= 0 && trades[index]!.closedAt > since; index -= 1) {
      first = trades[index]!;
      if (first.walletFloat > top) top = first.walletFloat;
    }
    // The curve begins where the wallet stood before the first of them.
    if (first.walletFloat - first.resultFloat > top) top = first.walletFloat - first.resultFloat;
    const height = Number(last.paid) / 1e28 + top;
    return !((top - last.walletFloat) * 100 < limit * height * NEAR);
  }

  return {
    /** Ends pauses whose time is over. */
    pass(at: number): void {
      if (pauses.pass(at)) pauses.ends.length = 0;
    },
    allows: (symbol: string, at: number): boolean => pauses.allows(symbol, at),
    /** From when on a coin may be bought when no other position is closed before that; without a guard on the reference. */
    allowedFrom(symbol: string, at: number): number {
      let from = at;
      for (;;) {
        const until = (pauses.bot(from) ?? pauses.coin(symbol, from))?.until;
        if (!until) return from;
        from = until;
      }
    },
    /** The price of the reference. Answers true when its guard has just stepped in. */
    reference(at: number, price: number): boolean {
      const steps = pauses.reference(at, price);
      pauses.notices.length = 0;
      pauses.ends.length = 0;
      return steps;
    },
    /** A position was closed. Answers the pauses that follow. */
    closed(symbol: string, at: number, result: bigint, matched: bigint, walletResult: bigint, paid: bigint): readonly ProtectionNotice[] {
      const trade = new QuickTrade(symbol, at, result, matched, walletResult, paid);
      trades.push(trade);
      if (trades.length > 64 && trades[0]!.closedAt <= at - kept) trades = trades.filter(({ closedAt }) => closedAt > at - kept);
      pauses.remember(trade, at);
      const streak = judgeLossStreak(lossStreak, trades, isLoss);
      const asked = mayTrip(at);
      if (!streak && !asked) return NOTHING;
      const notices = asked ? pauses.judge(at, trade.paidIn) : streak ? pauses.follow([streak], at) : NOTHING;
      pauses.notices.length = 0;
      pauses.warnings.length = 0;
      return notices;
    },
  };
}

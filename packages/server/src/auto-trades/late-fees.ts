import { feeValued } from '@pilotfish/core/auto-trades/position/position-fills';
import type { PositionContext } from '@pilotfish/core/auto-trades/position/position-state';
import { decimal, multiply, toText } from '@pilotfish/core/money/decimal';
import { afterMove } from '@pilotfish/core/wallets/wallet-book';
import type { Logger } from 'pino';
import type { Market } from '../market/market.ts';
import type { WalletsStore } from '../wallets/wallets-store.ts';
import type { AutoTradesStore, UnvaluedPosition } from './auto-trades-store.ts';
import { accountKeyOf } from './bot-rules.ts';
import { withSettings } from './position-rows.ts';
import type { StepWriter } from './step-writer.ts';
import { unlistedPair } from './unlisted-pair.ts';

/** What changed so shortly before a round may not have been on disk in it, ms. */
const MARGIN_MS = 60_000;

/**
 * Values the fees of closed positions that no bot at work looks after: of a bot that is disabled or deleted, of a run
 * that is over, of a wallet that its bot has left. They were paid all the same, by the wallet that the position was of.
 */
export function lateFees(parts: {
  readonly store: Pick<AutoTradesStore, 'unvalued' | 'config' | 'filledAt'>;
  readonly wallets: Pick<WalletsStore, 'find' | 'book'>;
  readonly market: Pick<Market, 'pair' | 'asOf'>;
  readonly rateAt: (asset: string, quote: string, at: number) => Promise<string | undefined>;
  /** Of today: it is another one after a write that failed. */
  readonly writer: () => StepWriter;
  /** Whether the bot of a position is at work, or about to be, and looks after the position's fees itself. */
  readonly isLookedAfter: (position: UnvaluedPosition, walletId: string) => boolean;
  /** How often the row of each bot has changed so far. */
  readonly versions: ReadonlyMap<string, number>;
  /** What was read of a bot before is not what is on disk any more. */
  readonly changed: (autoTradeId: string) => void;
  readonly now: () => number;
  readonly log: Logger;
}) {
  const { store, wallets, market, now, log } = parts;
  /** Whatever changed before this (wall ms) has all of its fees valued. */
  let settledBefore = 0;
  let round: Promise<void> | undefined;

  /** Answers whether nothing of the position is left to value. */
  async function value(position: UnvaluedPosition, before: Map<string, number | undefined>): Promise<boolean> {
    const { autoTradeId, accountId, symbol } = position;
    const config = await store.config(autoTradeId, position.configVersion);
    const wallet = await wallets.find(accountId, config.walletId);
    if (!wallet) return true;
    const pair = market.pair(symbol) ?? unlistedPair(symbol, wallet.currency);
    const { baseAsset, quoteAsset, filters, pricePrecision } = pair;
    const { runNo, configVersion, takerFee } = position;
    const own = { autoTradeId, runNo, config, configVersion, symbol, takerFee, mode: wallet.mode };
    let context: PositionContext = withSettings(position.context, { ...own, baseAsset, quoteAsset, filters, pricePrecision });
    const values: { tradeId: string; feeInQuote: string }[] = [];
    for (const { tradeId, fee, feeAsset } of context.unvalued) {
      const at = await store.filledAt(position.id, tradeId);
      const rate = at === undefined ? undefined : await parts.rateAt(feeAsset, wallet.currency, at);
      if (rate) values.push({ tradeId, feeInQuote: toText(multiply(decimal(fee), decimal(rate))) });
    }
    const book = await wallets.book(wallet);
    const accountKey = accountKeyOf(wallet);
    // From here on nothing is waited for: what was read is still so, and nobody else books it.
    if (parts.isLookedAfter(position, wallet.id) || parts.versions.get(autoTradeId) !== before.get(autoTradeId)) return false;
    for (const each of values) {
      context = feeValued(context, { type: 'fee.valued', ...each, at: market.asOf });
      for (const effect of context.effects) if (effect.kind === 'wallet') book.sums = afterMove(book.sums, effect.entry);
      const step = { symbol, from: 'closed', state: 'closed', context } as const;
      const record = { autoTradeId, accountId, accountKey, walletId: wallet.id, step, walletSums: book.sums, recordedAt: now() };
      // It writes no row of the story, which is numbered.
      parts.writer().push({ ...record, firstSeq: 0 });
    }
    if (values.length > 0) {
      parts.changed(autoTradeId);
      before.set(autoTradeId, parts.versions.get(autoTradeId));
    }
    return context.unvalued.length === 0;
  }

  async function look(): Promise<void> {
    const [before, begunAt, writer] = [new Map<string, number | undefined>(parts.versions), now(), parts.writer()];
    await writer.settled();
    let isDone = true;
    for (const position of await store.unvalued(settledBefore)) {
      const { id, autoTradeId } = position;
      const whole = await value(position, before).catch((error: unknown) => {
        log.warn({ err: error, autoTradeId, positionId: id }, 'a fee of a position that is over could not be valued yet');
        return false;
      });
      isDone &&= whole;
    }
    await writer.settled();
    // What could not be written is looked for again.
    if (isDone && parts.writer() === writer) settledBefore = begunAt - MARGIN_MS;
  }

  return {
    /** Values what can be valued now; two at once are one. */
    round: (): Promise<void> => {
      round ??= look().finally(() => {
        round = undefined;
      });
      return round;
    },
  };
}

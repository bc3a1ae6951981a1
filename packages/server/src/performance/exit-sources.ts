import { BY_HAND, type ExitReason } from '@pilotfish/core/auto-trades/exit-reason-contract';
import { type Decimal, decimal, multiply, rescale } from '@pilotfish/core/money/decimal';
import type { PerformanceReason } from '@pilotfish/core/performance/performance-contract';
import type { UncountedExit } from '@pilotfish/core/performance/performance-exits';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { eachInTurns } from './in-turns.ts';

/** What everything is added up in. */
export const CURRENCY = 'USDT';
/** Digits of a result: those that leave the server, so that sums of results leave it as they are. */
const RESULT_SCALE = 28;

/** An exit as its source has it, before its day is known. `net` is in the primary currency, null for what no figure counts. */
export type SourceExit = {
  readonly at: number;
  readonly whose: string;
  readonly walletId: string | null;
  readonly coin: string;
  readonly reason: PerformanceReason | null;
  readonly net: Decimal | null;
  readonly fees: Decimal;
  readonly heldMs: number | null;
  readonly isExit: boolean;
  readonly cause: UncountedExit['cause'] | null;
};
/** What is held, and what selling it now brings above its cost; null without a price or a rate. */
export type OpenHolding = { readonly whose: string; readonly coin: string; readonly result: Decimal | null };
export type ExitSource = {
  /** Oldest first, with the names of bots and wallets. */
  exits(accountId: string): Promise<{
    readonly exits: readonly SourceExit[];
    readonly names: { readonly bots: ReadonlyMap<string, string>; readonly wallets: ReadonlyMap<string, string> };
  }>;
  held(accountId: string): Promise<readonly OpenHolding[]>;
};

type BotNames = ReadonlyMap<string, { readonly name: string; readonly walletId: string; readonly walletName: string }>;
type InCurrency = { readonly coin: string; readonly currency: string; readonly result: Decimal | null };
/** An exit of the ledger (`positions/ledger-exits.ts`). */
type LedgerExit = {
  readonly at: number;
  readonly coin: string;
  readonly kind: 'sale' | 'conversion' | 'fee';
  readonly fills: readonly string[];
  readonly net: Decimal | null;
  readonly fees: Decimal;
  readonly boughtAt: number | null;
  readonly why: 'excluded' | 'broken' | undefined;
};
/** A sale of a bot on paper (`auto-trades/figures/paper-exits.ts`). */
type PaperSale = { readonly at: number; readonly autoTradeId: string; readonly symbol: string; readonly currency: string };
type PaperExit = PaperSale & {
  readonly reason: ExitReason;
  readonly net: Decimal;
  readonly fees: Decimal;
  readonly boughtAt: number | null;
};

export type SourceParts = {
  readonly market: { rate(asset: string, quote: string): string | undefined };
  readonly ledgerExits: (accountId: string) => Promise<readonly LedgerExit[]>;
  /** The account's bots and, by `symbol tradeId`, the fills that they brought about with its own money. */
  readonly botFills: (accountId: string) => Promise<{
    readonly bots: BotNames;
    readonly fills: ReadonlyMap<string, { readonly autoTradeId: string; readonly positionId: string; readonly reason: ExitReason | null }>;
  }>;
  /** When the bots' positions bought first, by their ids. */
  readonly boughtAt: (accountId: string) => Promise<ReadonlyMap<string, number>>;
  readonly paperExits: (accountId: string) => Promise<{
    readonly bots: BotNames;
    readonly exits: readonly PaperExit[];
    readonly unread: readonly PaperSale[];
  }>;
  /** The coin and the currency of a pair, of one that is listed no more too. */
  readonly pairOf: (symbol: string, currency: string) => Pick<Pair, 'baseAsset' | 'quoteAsset'>;
  /** What is open: of bots, and by hand (`whose` is null then). */
  readonly held: (accountId: string, mode: 'live' | 'paper') => Promise<readonly (InCurrency & { readonly whose: string | null })[]>;
};

/** Where exits of each mode come from: those of live money from the ledger, those on paper from what the bots told. */
export function exitSources(parts: SourceParts): { readonly live: ExitSource; readonly paper: ExitSource } {
  const { market } = parts;
  const inPrimary = (value: Decimal, currency: string): Decimal | null => {
    const rate = currency === CURRENCY ? '1' : market.rate(currency, CURRENCY);
    return rate === undefined ? null : rescale(multiply(value, decimal(rate)), RESULT_SCALE, 'half-even');
  };
  const heldIn = (mode: 'live' | 'paper') => async (accountId: string) =>
    (await parts.held(accountId, mode)).map(({ whose, coin, currency, result }) => ({
      whose: whose ?? BY_HAND,
      coin,
      result: result && inPrimary(result, currency),
    }));
  const namesOf = (bots: BotNames) => ({
    bots: new Map([...bots].map(([id, { name }]) => [id, name])),
    wallets: new Map([...bots.values()].map(({ walletId, walletName }) => [walletId, walletName])),
  });

  return {
    live: {
      held: heldIn('live'),
      exits: async (accountId) => {
        const exits = await parts.ledgerExits(accountId);
        // Asked for after the ledger: what a bot sold is then known of every fill that the ledger has from it.
        const [{ bots, fills }, boughtAt] = [await parts.botFills(accountId), await parts.boughtAt(accountId)];
        const found: SourceExit[] = [];
        await eachInTurns(exits, ({ at, coin, kind, fills: own, net, fees, boughtAt: bought, why }) => {
          const origin = own.map((name) => fills.get(name)).find((fill) => fill !== undefined);
          // What a bot spent on another coin was not bought by the position that it opened with it.
          const since = (kind === 'sale' && origin ? boughtAt.get(origin.positionId) : undefined) ?? bought;
          found.push({
            at,
            whose: origin?.autoTradeId ?? BY_HAND,
            walletId: (origin && bots.get(origin.autoTradeId)?.walletId) ?? null,
            coin,
            reason: kind === 'sale' ? (origin?.reason ?? BY_HAND) : 'conversion',
            net,
            fees,
            heldMs: since === null ? null : Math.max(0, at - since),
            isExit: kind !== 'fee',
            cause: why === 'broken' ? 'cost-unknown' : (why ?? (net === null ? 'no-rate' : null)),
          });
        });
        return { exits: found, names: namesOf(bots) };
      },
    },
    paper: {
      held: heldIn('paper'),
      exits: async (accountId) => {
        const { bots, exits, unread } = await parts.paperExits(accountId);
        const of = ({ at, autoTradeId, symbol, currency }: PaperSale) => ({
          at,
          whose: autoTradeId,
          walletId: bots.get(autoTradeId)?.walletId ?? null,
          coin: parts.pairOf(symbol, currency).baseAsset,
          isExit: true,
        });
        const found: SourceExit[] = [];
        await eachInTurns(exits, (exit) => {
          const { quoteAsset } = parts.pairOf(exit.symbol, exit.currency);
          const net = inPrimary(exit.net, quoteAsset);
          found.push({
            ...of(exit),
            reason: exit.reason,
            net,
            fees: inPrimary(exit.fees, quoteAsset) ?? exit.fees,
            heldMs: exit.boughtAt === null ? null : Math.max(0, exit.at - exit.boughtAt),
            cause: net === null ? 'no-rate' : null,
          });
        });
        const lost = unread.map(
          (sale): SourceExit => ({ ...of(sale), reason: null, net: null, fees: decimal('0'), heldMs: null, cause: 'unread' }),
        );
        return { exits: [...found, ...lost], names: namesOf(bots) };
      },
    },
  };
}

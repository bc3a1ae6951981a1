import { add, type Decimal, decimal, divide, HUNDRED, isPositive, multiply, sum, toText, ZERO } from '../money/decimal.ts';
import type { Money, Percent } from '../money/figure.ts';
import type { AutoTrade } from './auto-trades-contract.ts';
import type { AutoTradeFigures } from './bot-figures-contract.ts';

/** A bot and its figures; undefined while these are not known. */
export type BotWithFigures = {
  readonly bot: Pick<AutoTrade, 'mode' | 'currency' | 'walletId'>;
  readonly figures: AutoTradeFigures | undefined;
};

/** What the bots of one mode and one currency come to. A sum with an unknown part is null, never the sum of the rest. */
export type BotTotals = {
  /** Of all sums. */
  readonly currency: string;
  readonly bots: number;
  readonly open: Money | null;
  readonly today: Money | null;
  readonly total: Money | null;
  /** total in percent of the budget. */
  readonly returnPct: Percent | null;
  /** As in the figures of one bot: `without` counts positions that no stop sells. */
  readonly atRisk: { readonly amount: Money | null; readonly without: number };
  readonly inUse: Money | null;
  /** Of every wallet once, however many bots share it. */
  readonly budget: Money | null;
  readonly inUsePct: Percent | null;
  readonly exits: number;
  readonly winRatePct: Percent | null;
  /** Why a sum is null: the figures of a bot are not known yet, or a price is not. */
  readonly unknown: 'figures' | 'price';
  /** Bots of this mode whose wallets have another currency: never added. */
  readonly leftOut: readonly { readonly currency: string; readonly bots: number }[];
};

/** The currency of the sums: the primary one, or where no bot has it, that of most bots. */
function currencyOf(counts: ReadonlyMap<string, number>, primary: string): string {
  if (counts.has(primary)) return primary;
  const [most] = [...counts].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1));
  return most?.[0] ?? primary;
}

const shareOf = (part: Decimal | null, whole: Decimal | null): Percent | null =>
  part === null || whole === null || !isPositive(whole) ? null : toText(divide(multiply(part, HUNDRED), whole, 8));

/**
 * Adds up the bots of one mode in one currency, in exact decimals.
 * @param primary the currency that is preferred where bots have several
 */
export function botTotals(all: readonly BotWithFigures[], mode: AutoTrade['mode'], primary = 'USDT'): BotTotals {
  const ofMode = all.filter(({ bot }) => bot.mode === mode);
  const counts = new Map<string, number>();
  for (const { bot } of ofMode) counts.set(bot.currency, (counts.get(bot.currency) ?? 0) + 1);
  const currency = currencyOf(counts, primary);
  const rows = ofMode.filter(({ bot }) => bot.currency === currency);
  const known = rows.flatMap(({ figures }) => figures ?? []);
  const isComplete = known.length === rows.length;
  const added = (value: (figures: AutoTradeFigures) => Money | null): Decimal | null => {
    const parts = known.map(value);
    return isComplete && parts.every((part) => part !== null) ? sum(parts.map(decimal)) : null;
  };
  const total = added((figures) => figures.total);
  const inUse = added((figures) => figures.inUse);
  // Bots of one wallet share its budget.
  const wallets = new Map(rows.map(({ bot, figures }) => [bot.walletId, figures?.budget]));
  const budgets = [...wallets.values()];
  const budget = isComplete
    ? budgets.reduce<Decimal>((whole, part) => (part === undefined ? whole : add(whole, decimal(part))), ZERO)
    : null;
  const text = (value: Decimal | null): Money | null => (value === null ? null : toText(value));
  const exits = known.reduce((count, figures) => count + figures.exits, 0);
  const wins = known.reduce((count, figures) => count + figures.wins, 0);
  return {
    currency,
    bots: rows.length,
    open: text(added((figures) => figures.open)),
    today: text(added((figures) => figures.today)),
    total: text(total),
    returnPct: shareOf(total, budget),
    atRisk: {
      amount: text(added((figures) => figures.atRisk.amount)),
      without: known.reduce((count, figures) => count + figures.atRisk.without, 0),
    },
    inUse: text(inUse),
    budget: text(budget),
    inUsePct: shareOf(inUse, budget),
    exits,
    winRatePct: isComplete && exits > 0 ? shareOf(decimal(wins), decimal(exits)) : null,
    unknown: isComplete ? 'price' : 'figures',
    leftOut: [...counts].filter(([other]) => other !== currency).map(([other, bots]) => ({ currency: other, bots })),
  };
}

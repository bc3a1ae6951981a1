import { type Decimal, ZERO } from '@pilotfish/core/money/decimal';
import { returnOn } from '@pilotfish/core/positions/position-figures';
import type { PositionOrigin } from '@pilotfish/core/positions/position-origin';
import type { ClosedExit, ClosedRow } from '@pilotfish/core/positions/positions-contract';
import type { BotNames } from './closed-list.ts';
import { amount, amountOrNull } from './wire-amount.ts';

/** A position of a bot on paper that is over after it bought something. Sums in the quote asset, `dust` in its coin; times in ms. */
export type EndedOnPaper = {
  readonly id: string;
  readonly autoTradeId: string;
  readonly symbol: string;
  readonly baseAsset: string;
  readonly quoteAsset: string;
  /** 1, 2, 3 … within the pair and the bot, in the order they opened. */
  readonly number: number;
  readonly openedAt: number;
  readonly closedAt: number;
  /** After all fees, those that got their value later among them. */
  readonly realised: Decimal;
  readonly fees: Decimal;
  readonly matchedCost: Decimal;
  readonly dust: Decimal;
  /** Fills in it. */
  readonly trades: number;
  readonly exit: Exclude<ClosedExit, 'hand'>;
};
/** What ended of the account's bots on paper, and its bots, deleted ones too. */
export type BotsEnded = (accountId: string) => Promise<{ readonly positions: readonly EndedOnPaper[]; readonly bots: BotNames }>;

/** A closed position on paper as the list and its sums ask for it. */
export type PaperClosed = ReturnType<typeof closedOnPaper>;

/** It has one bot and no fill by hand: what its owner has the bot sell is sold by the bot, and the exit says why (`Manual`). */
export function closedOnPaper(ended: EndedOnPaper) {
  const { id, autoTradeId, exit, realised, matchedCost } = ended;
  const origin: PositionOrigin = { bots: [autoTradeId], byHand: false, exit };
  return {
    of: { id, position: { ...ended, lastAt: ended.closedAt, cost: ZERO } },
    figures: { returnPct: returnOn(realised, matchedCost), value: ZERO, unrealised: ZERO },
    origin,
  };
}

/** A row of the closed list. Nothing may be asked of it: its bot looks after its positions. */
export function paperRow({ of, figures, origin }: PaperClosed, nameOf: (botId: string) => string): ClosedRow {
  const { id, position } = of;
  return {
    id,
    exchange: 'Binance',
    symbol: position.symbol,
    baseAsset: position.baseAsset,
    quoteAsset: position.quoteAsset,
    number: position.number,
    openedAt: new Date(position.openedAt).toISOString(),
    closedAt: new Date(position.closedAt).toISOString(),
    closedBy: origin.exit === 'gone' ? 'gone' : 'sell',
    quantity: '0',
    averageCost: null,
    breakEven: null,
    averageAsOnExchange: null,
    realised: amount(position.realised),
    returnPct: amountOrNull(figures.returnPct),
    matchedCost: amount(position.matchedCost),
    fees: amount(position.fees),
    dust: amount(position.dust),
    trades: position.trades,
    broken: [],
    excludedFromTotals: false,
    reopened: false,
    allowed: [],
    bots: origin.bots.map((bot) => ({ id: bot, name: nameOf(bot) })),
    byHand: origin.byHand,
    exit: origin.exit,
  };
}

import { decimal, greaterThan, HUNDRED, isZero, multiply, ONE, subtract, toText } from '../../money/decimal.ts';
import type { Percent } from '../../money/figure.ts';
import { STANDARD_FEE } from '../../money/trading-terms.ts';
import type { Pair } from '../../prices/prices-contract.ts';
import type { ScreenerKnowledge } from '../../prices/screener-rules.ts';
import type { WalletBook } from '../../wallets/wallet-book.ts';
import type { AutoTradeConfig } from './auto-trade-config.ts';
import type { RuleValue } from './rule-values.ts';

/**
 * One violated rule: where, which, what is allowed and what was found. The text is `rules.<code>`, or that of the key
 * `text` where the rule belongs to somebody else.
 */
export type RuleViolation = {
  readonly path: string;
  readonly code: string;
  readonly limit?: RuleValue;
  readonly actual?: RuleValue;
  /** The pair it is about, where a bot has several. */
  readonly symbol?: string;
  readonly text?: string;
};

/** A percentage that is not what it may be. */
export const wrongPercent = (path: string, code: string, limit: Percent, actual: Percent): RuleViolation => ({
  path,
  code,
  limit: { percent: limit },
  actual: { percent: actual },
});

/** What a pair costs while its own fee is not known. */
export const STANDARD_TAKER_FEE = STANDARD_FEE;

export type RuleFacts = {
  /** Pair by symbol; undefined for a symbol the exchange does not have. */
  readonly pair: (symbol: string) => Pair | undefined;
  /** Last price by symbol, decimal text. */
  readonly price: (symbol: string) => string | undefined;
  /** Spread between the best prices in percent, decimal text; undefined while it is not known. */
  readonly spread?: (symbol: string) => string | undefined;
  /** What the exchange takes of a taker by symbol, a fraction in decimal text: every pair has its own. */
  readonly takerFee: (symbol: string) => string;
  readonly wallet: WalletBook | undefined;
  /** Whether the exchange does not let the wallet's account trade a pair; absent where there is no account. */
  readonly isForbidden?: (symbol: string) => boolean;
  /** Whether a coin filter of this id belongs to the owner. */
  readonly knowsFilter?: (id: string) => boolean;
  /** What the filters select now, where the bot takes its coins from them. */
  readonly filtered?: readonly string[];
  /** What conditions may ask; absent where no screener is at hand (a backtest checks them itself). */
  readonly knowledge?: ScreenerKnowledge;
};

/** The coins that a bot's rules are checked with: the named ones, or those that its filters select now. */
export const coinsOfConfig = (config: AutoTradeConfig, { filtered }: Pick<RuleFacts, 'filtered'>): readonly string[] =>
  config.coins.coinFilterIds.length > 0 ? (filtered ?? []) : config.coins.symbols;

/** A limit outside the band that the exchange lets prices lie in would be refused at every order. */
export function bandRules(config: AutoTradeConfig, facts: RuleFacts, side: 'entry' | 'exit'): RuleViolation[] {
  const { type, offsetPct } = config[side].order;
  if (type !== 'Limit') return [];
  for (const symbol of coinsOfConfig(config, facts)) {
    const filters = facts.pair(symbol)?.filters;
    const bound = decimal((side === 'entry' ? filters?.bidMultiplierDown : filters?.askMultiplierUp) ?? '0');
    if (isZero(bound)) continue;
    const most = multiply(side === 'entry' ? subtract(ONE, bound) : subtract(bound, ONE), HUNDRED);
    if (greaterThan(decimal(offsetPct), most))
      return [wrongPercent(`${side}.order.offsetPct`, 'OUTSIDE_PRICE_BAND', toText(most), offsetPct)];
  }
  return [];
}

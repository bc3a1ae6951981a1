import {
  add,
  compare,
  decimal,
  divide,
  HUNDRED,
  isPositive,
  isZero,
  lessThan,
  maximum,
  multiply,
  ONE,
  subtract,
  sum,
  toText,
} from '../money/decimal.ts';
import type { Pair } from '../prices/prices-contract.ts';
import type { WalletBook } from '../wallets/wallet-book.ts';
import { spendable } from '../wallets/wallet-book.ts';
import type { AutoTradeConfig } from './auto-trade-config.ts';
import { entryQuote, NOTIONAL_MARGIN } from './entry-plan.ts';
import { tooSmallToTrade, worstCost } from './position-lines.ts';

/** One violated rule: where, which, what is allowed and what was found. The text is `rules.<code>`. */
export type RuleViolation = { readonly path: string; readonly code: string; readonly limit?: string; readonly actual?: string };

export type RuleFacts = {
  /** Pair by symbol; undefined for a symbol the exchange does not have. */
  readonly pair: (symbol: string) => Pair | undefined;
  /** Last price by symbol, decimal text. */
  readonly price: (symbol: string) => string | undefined;
  readonly takerFee: string;
  readonly wallet: WalletBook | undefined;
};

const CENT = decimal('0.01');
const fraction = (percent: string) => multiply(decimal(percent), CENT);

/**
 * Every rule a bot's settings break, against live filters, prices and the wallet. Shapes are checked before by the
 * schema; an empty list means the bot may be saved.
 */
export function violatedRules(config: AutoTradeConfig, facts: RuleFacts): RuleViolation[] {
  return [
    ...coinRules(config, facts),
    ...entryRules(config, facts),
    ...takeProfitRules(config, facts),
    ...trailingRules(config, facts),
    ...stopRules(config),
  ];
}

function coinRules(config: AutoTradeConfig, { pair, wallet }: RuleFacts): RuleViolation[] {
  const found: RuleViolation[] = [];
  if (!wallet) found.push({ path: 'walletId', code: 'WALLET_UNKNOWN' });
  for (const [index, symbol] of config.coins.symbols.entries()) {
    const path = `coins.symbols.${index}`;
    const known = pair(symbol);
    if (!known) found.push({ path, code: 'SYMBOL_UNKNOWN', actual: symbol });
    else if (known.status !== 'TRADING') found.push({ path, code: 'SYMBOL_NOT_TRADING', actual: known.status });
    else if (wallet && known.quoteAsset !== wallet.currency)
      found.push({ path, code: 'WRONG_QUOTE', limit: wallet.currency, actual: known.quoteAsset });
    if (config.coins.symbols.indexOf(symbol) !== index) found.push({ path, code: 'SYMBOL_TWICE', actual: symbol });
  }
  return found;
}

function entryRules(config: AutoTradeConfig, facts: RuleFacts): RuleViolation[] {
  const { entry } = config;
  const found: RuleViolation[] = [];
  const percentBelow = (path: string, value: string, limit: string) => {
    if (!lessThan(decimal(value), decimal(limit))) found.push({ path, code: 'TOO_HIGH', limit, actual: value });
  };
  if (entry.trigger.kind === 'drop') {
    percentBelow('entry.trigger.dropPct', entry.trigger.dropPct, '100');
    if (isZero(decimal(entry.trigger.dropPct))) found.push({ path: 'entry.trigger.dropPct', code: 'MUST_BE_POSITIVE', actual: '0' });
  }
  const rebound = decimal('0.1');
  if (entry.trailing.enabled && lessThan(decimal(entry.trailing.reboundPct), rebound)) {
    found.push({ path: 'entry.trailing.reboundPct', code: 'TOO_LOW', limit: toText(rebound), actual: entry.trailing.reboundPct });
  }
  if (
    entry.trailing.enabled &&
    entry.trigger.kind === 'immediate' &&
    lessThan(decimal(entry.trailing.maxChasePct), decimal(entry.trailing.reboundPct))
  ) {
    found.push({
      path: 'entry.trailing.maxChasePct',
      code: 'CHASE_BELOW_REBOUND',
      limit: entry.trailing.reboundPct,
      actual: entry.trailing.maxChasePct,
    });
  }
  percentBelow('entry.order.offsetPct', entry.order.offsetPct, '50');
  if (compare(decimal(entry.maxSpreadPct), decimal('5')) > 0)
    found.push({ path: 'entry.maxSpreadPct', code: 'TOO_HIGH', limit: '5', actual: entry.maxSpreadPct });
  if (entry.size.mode === 'percentOfWallet' && compare(decimal(entry.size.value), HUNDRED) > 0) {
    found.push({ path: 'entry.size.value', code: 'TOO_HIGH', limit: '100', actual: entry.size.value });
  }
  return [...found, ...sizeRules(config, facts)];
}

/** Every entry must stay sellable after it was rounded to lots, and the wallet must be able to pay one. */
function sizeRules(config: AutoTradeConfig, { pair, price, takerFee, wallet }: RuleFacts): RuleViolation[] {
  if (!wallet) return [];
  const found: RuleViolation[] = [];
  const quote = decimal(entryQuote({ config }, wallet));
  for (const symbol of config.coins.symbols) {
    const known = pair(symbol);
    const last = price(symbol);
    if (!known || !last) continue;
    const smallest = toText(multiply(decimal(known.filters.minNotional), NOTIONAL_MARGIN));
    const quantity = divide(quote, decimal(last), 28, 'down');
    if (tooSmallToTrade(quantity, divide(decimal(last), NOTIONAL_MARGIN), known.filters)) {
      found.push({
        path: 'entry.size.value',
        code: 'BELOW_MIN_NOTIONAL',
        limit: `${smallest} ${known.quoteAsset} (${symbol})`,
        actual: toText(quote),
      });
      break;
    }
    const free = spendable(wallet.sums, wallet.reservePct);
    const cost = worstCost(
      { takerFee },
      quantity,
      decimal(last),
      config.entry.order.type === 'Market' ? config.entry.order.maxSlippagePct : '0',
    );
    if (lessThan(decimal(free), cost) && isZero(decimal(wallet.sums.invested)) && isZero(decimal(wallet.sums.reserved))) {
      found.push({ path: 'entry.size.value', code: 'ABOVE_WALLET', limit: free, actual: toText(quote) });
      break;
    }
  }
  return found;
}

function takeProfitRules(config: AutoTradeConfig, { takerFee }: RuleFacts): RuleViolation[] {
  const { levels } = config.takeProfit;
  const found: RuleViolation[] = [];
  if (levels.length === 0) {
    if (!config.trailingCost.enabled) found.push({ path: 'takeProfit.levels', code: 'NO_WAY_OUT' });
    return found;
  }
  const total = sum(levels.map((level) => decimal(level.sellPct)));
  if (compare(total, HUNDRED) !== 0) found.push({ path: 'takeProfit.levels', code: 'SHARES_NOT_100', limit: '100', actual: toText(total) });
  for (const [index, level] of levels.entries()) {
    const before = levels[index - 1];
    if (before && compare(decimal(level.gainPct), decimal(before.gainPct)) <= 0) {
      found.push({ path: `takeProfit.levels.${index}.gainPct`, code: 'GAINS_NOT_RISING', limit: before.gainPct, actual: level.gainPct });
    }
  }
  const least = multiply(decimal(takerFee), decimal('200'));
  const first = levels[0];
  if (first && compare(decimal(first.gainPct), least) <= 0) {
    found.push({ path: 'takeProfit.levels.0.gainPct', code: 'GAIN_BELOW_FEES', limit: toText(least), actual: first.gainPct });
  }
  return found;
}

function trailingRules(config: AutoTradeConfig, { takerFee }: RuleFacts): RuleViolation[] {
  const { trailingCost, takeProfit } = config;
  if (!trailingCost.enabled) return [];
  const found: RuleViolation[] = [];
  if (compare(decimal(trailingCost.distancePct), HUNDRED) >= 0) {
    found.push({ path: 'trailingCost.distancePct', code: 'TOO_HIGH', limit: '100', actual: trailingCost.distancePct });
    return found;
  }
  // (1 + arm)(1 − distance)(1 − taker) must be above 1: the first line may not lie where a sell loses.
  const kept = multiply(
    multiply(add(ONE, fraction(trailingCost.armGainPct)), subtract(ONE, fraction(trailingCost.distancePct))),
    subtract(ONE, decimal(takerFee)),
  );
  if (compare(kept, ONE) <= 0) {
    found.push({
      path: 'trailingCost.armGainPct',
      code: 'LINE_BELOW_COST',
      limit: '0',
      actual: toText(multiply(subtract(kept, ONE), HUNDRED)),
    });
  }
  const last = takeProfit.levels.at(-1);
  if (last && compare(decimal(last.gainPct), decimal(trailingCost.armGainPct)) <= 0) {
    found.push({ path: 'trailingCost.armGainPct', code: 'ARM_ABOVE_TAKE_PROFIT', limit: last.gainPct, actual: trailingCost.armGainPct });
  }
  return found;
}

function stopRules(config: AutoTradeConfig): RuleViolation[] {
  const { stopLoss } = config;
  if (stopLoss.mode === 'none') return [];
  return isPositive(subtract(HUNDRED, decimal(stopLoss.pct)))
    ? []
    : [{ path: 'stopLoss.pct', code: 'TOO_HIGH', limit: '100', actual: stopLoss.pct }];
}

export type LadderRung = {
  readonly symbol: string;
  readonly level: number;
  readonly price: string;
  readonly quantity: string;
  readonly quote: string;
};

/** What enabling would plan per coin at the present price, and the most it could tie up. Decimal text. */
export function effectiveLadder(
  config: AutoTradeConfig,
  facts: RuleFacts,
): { rungs: LadderRung[]; worstCaseTotal: string; currency: string } {
  const { wallet } = facts;
  const currency = wallet?.currency ?? 'USDT';
  if (!wallet) return { rungs: [], worstCaseTotal: '0', currency };
  const quote = decimal(entryQuote({ config }, wallet));
  const slippage = config.entry.order.type === 'Market' ? config.entry.order.maxSlippagePct : '0';
  const rungs: LadderRung[] = [];
  let most = decimal('0');
  for (const symbol of config.coins.symbols) {
    const known = facts.pair(symbol);
    const last = facts.price(symbol);
    if (!known || !last) continue;
    const drop = config.entry.trigger.kind === 'drop' ? config.entry.trigger.dropPct : '0';
    const price = multiply(decimal(last), subtract(ONE, fraction(drop)));
    const onTick = multiply(divide(price, decimal(known.filters.tickSize), 0, 'down'), decimal(known.filters.tickSize));
    if (!isPositive(onTick)) continue;
    const lots = multiply(
      divide(divide(quote, onTick, 28, 'down'), decimal(known.filters.stepSize), 0, 'down'),
      decimal(known.filters.stepSize),
    );
    const cost = worstCost(facts, lots, onTick, slippage);
    most = maximum(most, cost);
    rungs.push({ symbol, level: 0, price: toText(onTick), quantity: toText(lots), quote: toText(multiply(lots, onTick)) });
  }
  return { rungs, worstCaseTotal: toText(multiply(most, decimal(Math.min(config.maxOpenPositions, Math.max(rungs.length, 1))))), currency };
}

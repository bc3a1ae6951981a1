import {
  compare,
  type Decimal,
  decimal,
  divide,
  HUNDRED,
  isPositive,
  isZero,
  lessThan,
  maximum,
  multiply,
  ONE,
  toText,
} from '../../money/decimal.ts';
import type { Percent } from '../../money/figure.ts';
import { moneyPlaces } from '../../money/format.ts';
import type { FilterGroup } from '../../prices/screener-contract.ts';
import { checkFilter, isGroup } from '../../prices/screener-rules.ts';
import { spendable } from '../../wallets/wallet-book.ts';
import { entryQuote } from '../position/entry-plan.ts';
import { NOTIONAL_MARGIN, takesOrders, tooSmallToTrade } from '../position/position-lines.ts';
import { ladderTotal, planLadder, rebuyLevels } from '../position/rebuy-levels.ts';
import { type AutoTradeConfig, CONDITION_LIMITS } from './auto-trade-config.ts';
import { exitRules } from './exit-rules.ts';
import { bandRules, coinsOfConfig, type RuleFacts, type RuleViolation, wrongPercent } from './rule-facts.ts';

/**
 * Every rule a bot's settings break, against live filters, prices and the wallet. Shapes are checked before by the
 * schema; an empty list means the bot may be saved.
 */
export function violatedRules(config: AutoTradeConfig, facts: RuleFacts): RuleViolation[] {
  const { trigger } = config.entry;
  return [
    ...coinRules(config, facts),
    ...entryRules(config, facts),
    ...(trigger.kind === 'conditions' ? conditionRules('entry.trigger.rules', trigger.rules, facts) : []),
    ...(config.exit.conditions ? conditionRules('exit.conditions', config.exit.conditions, facts) : []),
    ...rebuyRules(config),
    ...exitRules(config, facts),
  ];
}

/** The screener's own rules, and the tighter bounds of a bot. */
function conditionRules(path: string, filter: FilterGroup, { knowledge }: RuleFacts): RuleViolation[] {
  let rules = 0;
  let depth = 0;
  const walk = (group: FilterGroup, level: number): void => {
    depth = Math.max(depth, level);
    for (const rule of group.rules) {
      if (isGroup(rule)) walk(rule, level + 1);
      else rules += 1;
    }
  };
  walk(filter, 1);
  if (rules === 0) return [{ path, code: 'CONDITIONS_EMPTY' }];
  if (rules > CONDITION_LIMITS.rules) return [{ path, code: 'CONDITIONS_TOO_MANY', limit: CONDITION_LIMITS.rules, actual: rules }];
  if (depth > CONDITION_LIMITS.depth) return [{ path, code: 'CONDITIONS_TOO_DEEP', limit: CONDITION_LIMITS.depth, actual: depth }];
  if (!knowledge) return [];
  return checkFilter(filter, knowledge, path).map(({ limit, actual, ...problem }) => ({
    ...problem,
    text: `screener.error.${problem.code}`,
    ...(limit === undefined ? {} : { limit: { words: limit } }),
    ...(actual === undefined ? {} : { actual: { words: actual } }),
  }));
}

function rebuyRules({ rebuys }: AutoTradeConfig): RuleViolation[] {
  const found: RuleViolation[] = [];
  const levels = rebuyLevels(rebuys);
  const at = (index: number) => (rebuys.generator ? 'rebuys.generator' : `rebuys.levels.${index}.dropPct`);
  for (const [index, level] of levels.entries()) {
    const before = levels[index - 1];
    if (compare(decimal(level.dropPct), HUNDRED) >= 0) {
      found.push(wrongPercent(at(index), 'TOO_HIGH', '100', level.dropPct));
      break;
    }
    // Below the last buy every drop is deeper; below a fixed basis only a greater one is.
    if (rebuys.basis === 'firstBuy' && before && compare(decimal(level.dropPct), decimal(before.dropPct)) <= 0) {
      found.push(wrongPercent(at(index), 'DROPS_NOT_DEEPER', before.dropPct, level.dropPct));
      break;
    }
  }
  return found;
}

function coinRules(config: AutoTradeConfig, { pair, wallet, knowsFilter, isForbidden }: RuleFacts): RuleViolation[] {
  const found: RuleViolation[] = [];
  for (const [index, id] of config.coins.coinFilterIds.entries()) {
    const path = `coins.coinFilterIds.${index}`;
    if (knowsFilter && !knowsFilter(id)) found.push({ path, code: 'FILTER_UNKNOWN' });
    else if (config.coins.coinFilterIds.indexOf(id) !== index) found.push({ path, code: 'FILTER_TWICE' });
  }
  if (!wallet) found.push({ path: 'walletId', code: 'WALLET_UNKNOWN' });
  for (const [index, symbol] of config.coins.symbols.entries()) {
    const path = `coins.symbols.${index}`;
    const known = pair(symbol);
    if (!known) found.push({ path, code: 'SYMBOL_UNKNOWN', actual: { words: symbol } });
    else if (known.status !== 'TRADING') found.push({ path, code: 'SYMBOL_NOT_TRADING', actual: { words: known.status } });
    else if (wallet && known.quoteAsset !== wallet.currency)
      found.push({ path, code: 'WRONG_QUOTE', limit: { words: wallet.currency }, actual: { words: known.quoteAsset } });
    else if (!takesOrders(known.filters, 'Market')) found.push({ path, code: 'NO_MARKET_ORDERS', actual: { words: symbol } });
    else if (!takesOrders(known.filters, config.entry.order.type))
      found.push({ path: 'entry.order.type', code: 'NO_LIMIT_ORDERS', actual: { words: symbol } });
    else if (isForbidden?.(symbol)) found.push({ path, code: 'SYMBOL_NOT_PERMITTED', actual: { words: symbol } });
    if (config.coins.symbols.indexOf(symbol) !== index) found.push({ path, code: 'SYMBOL_TWICE', actual: { words: symbol } });
  }
  return found;
}

function entryRules(config: AutoTradeConfig, facts: RuleFacts): RuleViolation[] {
  const { entry } = config;
  const found: RuleViolation[] = [];
  const percentBelow = (path: string, value: Percent, limit: string) => {
    if (!lessThan(decimal(value), decimal(limit))) found.push(wrongPercent(path, 'TOO_HIGH', limit, value));
  };
  if (entry.trigger.kind === 'drop') {
    percentBelow('entry.trigger.dropPct', entry.trigger.dropPct, '100');
    if (isZero(decimal(entry.trigger.dropPct)))
      found.push({ path: 'entry.trigger.dropPct', code: 'MUST_BE_POSITIVE', actual: { percent: '0' } });
  }
  const widest = coinsOfConfig(config, facts).reduce((most, symbol) => maximum(most, decimal(facts.spread?.(symbol) ?? '0')), decimal('0'));
  // A rebound within the spread is met by the next trade at the other side of the book.
  const rebound = maximum(decimal('0.1'), multiply(decimal('2'), widest));
  if (entry.trailing.enabled && lessThan(decimal(entry.trailing.reboundPct), rebound)) {
    // Up to the digits that are shown: what a person types from the sentence has to be enough.
    const limit = toText(divide(rebound, ONE, 4, 'up'));
    found.push(wrongPercent('entry.trailing.reboundPct', 'TOO_LOW', limit, entry.trailing.reboundPct));
  }
  const { enabled, maxChasePct, reboundPct } = entry.trailing;
  if (enabled && entry.trigger.kind === 'immediate' && lessThan(decimal(maxChasePct), decimal(reboundPct)))
    found.push(wrongPercent('entry.trailing.maxChasePct', 'CHASE_BELOW_REBOUND', reboundPct, maxChasePct));
  percentBelow('entry.order.offsetPct', entry.order.offsetPct, '50');
  found.push(...bandRules(config, facts, 'entry'));
  if (compare(decimal(entry.maxSpreadPct), decimal('5')) > 0)
    found.push(wrongPercent('entry.maxSpreadPct', 'TOO_HIGH', '5', entry.maxSpreadPct));
  if (entry.size.mode === 'percentOfWallet' && compare(decimal(entry.size.value), HUNDRED) > 0)
    found.push(wrongPercent('entry.size.value', 'TOO_HIGH', '100', entry.size.value));
  return [...found, ...sizeRules(config, facts)];
}

/** Every buy must stay sellable after it was rounded to lots, and the wallet must be able to pay the whole ladder. */
function sizeRules(config: AutoTradeConfig, facts: RuleFacts): RuleViolation[] {
  const { wallet } = facts;
  if (!wallet) return [];
  const quote = decimal(entryQuote({ config }, wallet));
  let dearest: { readonly total: Decimal; readonly rungs: number; readonly quoteAsset: string } | undefined;
  for (const symbol of coinsOfConfig(config, facts)) {
    const known = facts.pair(symbol);
    const last = facts.price(symbol);
    if (!known || !last || !isPositive(decimal(last))) continue;
    const smallest = multiply(decimal(known.filters.minNotional), NOTIONAL_MARGIN);
    const sum = (value: Decimal) => ({ money: toText(value), currency: known.quoteAsset });
    const now = divide(quote, decimal(last), 28, 'down');
    const tooSmall = (path: string, bought: Decimal) => [
      { path, code: 'BELOW_MIN_NOTIONAL', limit: sum(smallest), actual: sum(bought), symbol },
    ];
    if (tooSmallToTrade(now, divide(decimal(last), NOTIONAL_MARGIN), known.filters)) return tooSmall('entry.size.value', quote);
    const rungs = planLadder({ config, filters: known.filters, takerFee: facts.takerFee(symbol) }, decimal(last), quote);
    const small = rungs.find((rung) => tooSmallToTrade(rung.quantity, divide(rung.price, NOTIONAL_MARGIN), known.filters));
    if (small) {
      const path = config.rebuys.generator ? 'rebuys.generator' : `rebuys.levels.${small.level - 1}.sizeMultiplier`;
      return tooSmall(small.level === 0 ? 'entry.size.value' : path, small.quote);
    }
    const total = ladderTotal(rungs);
    if (!dearest || lessThan(dearest.total, total)) dearest = { total, rungs: rungs.length, quoteAsset: known.quoteAsset };
  }
  if (!dearest) return [];
  // What is enough for the dearest of the coins is enough for all, whatever their order.
  const { total, rungs, quoteAsset } = dearest;
  const sum = (value: Decimal) => ({ money: toText(value), currency: quoteAsset });
  const path = rungs > 1 ? 'rebuys' : 'entry.size.value';
  const free = decimal(spendable(wallet.sums, wallet.reservePct));
  // What positions tie up now comes back: only a wallet that is all free says that it can never be enough.
  if (lessThan(free, total) && isZero(decimal(wallet.sums.invested)) && isZero(decimal(wallet.sums.reserved)))
    return [{ path, code: 'ABOVE_WALLET', limit: sum(free), actual: sum(rungs > 1 ? total : quote) }];
  if (!config.maxExposurePerCoin || !lessThan(decimal(config.maxExposurePerCoin), total)) return [];
  const limit = sum(divide(total, ONE, moneyPlaces(quoteAsset), 'up'));
  return [{ path: 'maxExposurePerCoin', code: 'EXPOSURE_BELOW_LADDER', limit, actual: sum(decimal(config.maxExposurePerCoin)) }];
}

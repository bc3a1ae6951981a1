import {
  add,
  compare,
  type Decimal,
  decimal,
  divide,
  HUNDRED,
  isPositive,
  maximum,
  multiply,
  ONE,
  subtract,
  sum,
  toText,
} from '../../money/decimal.ts';
import type { Percent } from '../../money/figure.ts';
import { isTimeZone } from '../../time/calendar-day.ts';
import { lessPercent, takesOrders } from '../position/position-lines.ts';
import { rebuyLevels } from '../position/rebuy-levels.ts';
import type { AutoTradeConfig } from './auto-trade-config.ts';
import { bandRules, coinsOfConfig, type RuleFacts, type RuleViolation, STANDARD_TAKER_FEE, wrongPercent } from './rule-facts.ts';

const CENT = decimal('0.01');
const fraction = (percent: Percent) => multiply(decimal(percent), CENT);
const tooHigh = (path: string, limit: Percent, actual: Percent): RuleViolation => wrongPercent(path, 'TOO_HIGH', limit, actual);

type Dearest = { readonly symbol?: string; readonly takerFee: string };
/** The coin with the highest fee, whatever the order of the coins: what holds with its fee holds for all of them. */
function dearestOf(config: AutoTradeConfig, facts: RuleFacts): Dearest {
  const coins = coinsOfConfig(config, facts).map((symbol) => ({ symbol, takerFee: facts.takerFee(symbol) }));
  coins.sort((a, b) => compare(decimal(b.takerFee), decimal(a.takerFee)) || (a.symbol < b.symbol ? -1 : 1));
  return coins[0] ?? { takerFee: STANDARD_TAKER_FEE };
}

/** Rules about leaving a position, and about standing still after one. */
export function exitRules(config: AutoTradeConfig, facts: RuleFacts): RuleViolation[] {
  const dearest = dearestOf(config, facts);
  return [
    ...takeProfitRules(config, dearest),
    ...trailingRules(config, dearest),
    ...stopRules(config, dearest),
    ...restingRules(config, facts),
    ...protectionRules(config),
  ];
}

function takeProfitRules(config: AutoTradeConfig, { takerFee, ...pair }: Dearest): RuleViolation[] {
  const { levels } = config.takeProfit;
  const found: RuleViolation[] = [];
  if (levels.length === 0) {
    const other = config.trailingCost.enabled || config.timeStop !== null || config.exit.conditions !== null;
    if (!other) found.push({ path: 'takeProfit.levels', code: 'NO_WAY_OUT' });
    return found;
  }
  const total = sum(levels.map((level) => decimal(level.sellPct)));
  if (compare(total, HUNDRED) !== 0) found.push(wrongPercent('takeProfit.levels', 'SHARES_NOT_100', '100', toText(total)));
  for (const [index, level] of levels.entries()) {
    const before = levels[index - 1];
    if (before && compare(decimal(level.gainPct), decimal(before.gainPct)) <= 0)
      found.push(wrongPercent(`takeProfit.levels.${index}.gainPct`, 'GAINS_NOT_RISING', before.gainPct, level.gainPct));
  }
  const least = multiply(decimal(takerFee), decimal('200'));
  const first = levels[0];
  if (first && compare(decimal(first.gainPct), least) <= 0)
    found.push({ ...wrongPercent('takeProfit.levels.0.gainPct', 'GAIN_BELOW_FEES', toText(least), first.gainPct), ...pair });
  return found;
}

function trailingRules(config: AutoTradeConfig, { takerFee, ...pair }: Dearest): RuleViolation[] {
  const { trailingCost, takeProfit } = config;
  if (!trailingCost.enabled) return [];
  const found: RuleViolation[] = [];
  if (compare(decimal(trailingCost.distancePct), HUNDRED) >= 0)
    return [tooHigh('trailingCost.distancePct', '100', trailingCost.distancePct)];
  // (1 + arm)(1 − distance)(1 − taker) must be above 1: the first line may not lie where a sell loses.
  const kept = multiply(
    multiply(add(ONE, fraction(trailingCost.armGainPct)), subtract(ONE, fraction(trailingCost.distancePct))),
    subtract(ONE, decimal(takerFee)),
  );
  if (compare(kept, ONE) <= 0) {
    const gain = toText(multiply(subtract(kept, ONE), HUNDRED));
    found.push({ ...wrongPercent('trailingCost.armGainPct', 'LINE_BELOW_COST', '0', gain), ...pair });
  }
  const last = takeProfit.levels.at(-1);
  if (last && compare(decimal(last.gainPct), decimal(trailingCost.armGainPct)) <= 0)
    found.push(wrongPercent('trailingCost.armGainPct', 'ARM_ABOVE_TAKE_PROFIT', last.gainPct, trailingCost.armGainPct));
  return found;
}

/**
 * How far the stop has to lie below its base so that every rebuy is bought before it sells, in percent: looked at
 * before each level, since average, first and last buy drift apart as levels fill. Levels fill at their own prices,
 * in units of the first buy. Null without rebuys.
 */
function leastStop({ rebuys, stopLoss }: AutoTradeConfig, takerFee: string): Decimal | null {
  if (stopLoss.mode === 'none') return null;
  let [last, quantity, paid] = [ONE, ONE, ONE];
  let least: Decimal | null = null;
  for (const level of rebuyLevels(rebuys)) {
    const average = divide(paid, quantity);
    const from = rebuys.basis === 'firstBuy' ? ONE : rebuys.basis === 'lastBuy' ? last : average;
    const price = multiply(from, subtract(ONE, fraction(level.dropPct)));
    // What the average is measured by holds the entry fees, too: the stop lies a little higher than they would have it.
    const base = stopLoss.basis === 'firstBuy' ? ONE : multiply(average, add(ONE, decimal(takerFee)));
    if (!isPositive(price)) break;
    const needed = multiply(subtract(ONE, divide(price, base)), HUNDRED);
    least = least === null ? needed : maximum(least, needed);
    last = price;
    quantity = add(quantity, divide(decimal(level.sizeMultiplier), price));
    paid = add(paid, decimal(level.sizeMultiplier));
  }
  return least;
}

function stopRules(config: AutoTradeConfig, { takerFee, ...pair }: Dearest): RuleViolation[] {
  const { stopLoss } = config;
  if (stopLoss.mode === 'none') return [];
  const path = 'stopLoss.pct';
  if (!isPositive(subtract(HUNDRED, decimal(stopLoss.pct)))) return [tooHigh(path, '100', stopLoss.pct)];
  const least = leastStop(config, takerFee);
  // A stop above a rebuy sells before it was ever bought.
  if (least === null || compare(decimal(stopLoss.pct), least) > 0) return [];
  return [{ ...wrongPercent(path, 'STOP_ABOVE_REBUY', toText(divide(least, ONE, 2, 'up')), stopLoss.pct), ...pair }];
}

/** Orders that rest at the exchange must lie where it lets them, and need something to follow. */
function restingRules(config: AutoTradeConfig, facts: RuleFacts): RuleViolation[] {
  const { protectiveStop, stopLoss, trailingCost, dust } = config;
  const found: RuleViolation[] = [];
  if (protectiveStop.enabled) {
    if (stopLoss.mode === 'none' && !trailingCost.enabled) found.push({ path: 'protectiveStop.enabled', code: 'STOP_FOLLOWS_NOTHING' });
    if (compare(decimal(protectiveStop.limitOffsetPct), decimal('20')) > 0)
      found.push(tooHigh('protectiveStop.limitOffsetPct', '20', protectiveStop.limitOffsetPct));
    const symbol = coinsOfConfig(config, facts).find((each) => {
      const filters = facts.pair(each)?.filters;
      return filters && (filters.maxNumAlgoOrders === 0 || !takesOrders(filters, 'StopLimit'));
    });
    if (symbol) found.push({ path: 'protectiveStop.enabled', code: 'STOPS_NOT_ALLOWED', actual: { words: symbol } });
  }
  found.push(...bandRules(config, facts, 'exit'));
  if (compare(decimal(dust.maxResidualPct), decimal('10')) > 0) found.push(tooHigh('dust.maxResidualPct', '10', dust.maxResidualPct));
  return found;
}

function protectionRules({ protections }: AutoTradeConfig): RuleViolation[] {
  const { drawdown, dailyLoss, btcGuard } = protections;
  const found: RuleViolation[] = [];
  if (compare(decimal(drawdown.maxPct), HUNDRED) > 0) found.push(tooHigh('protections.drawdown.maxPct', '100', drawdown.maxPct));
  if (dailyLoss && !isTimeZone(dailyLoss.tz))
    found.push({ path: 'protections.dailyLoss.tz', code: 'ZONE_UNKNOWN', actual: { words: dailyLoss.tz } });
  if (btcGuard) {
    if (!isPositive(lessPercent(ONE, decimal(btcGuard.dropPct))))
      found.push(tooHigh('protections.btcGuard.dropPct', '100', btcGuard.dropPct));
    if (compare(decimal(btcGuard.resumePct), decimal(btcGuard.dropPct)) >= 0)
      found.push(wrongPercent('protections.btcGuard.resumePct', 'RESUME_ABOVE_DROP', btcGuard.dropPct, btcGuard.resumePct));
  }
  return found;
}

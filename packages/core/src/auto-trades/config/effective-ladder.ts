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
  toMultiple,
  toText,
  ZERO,
} from '../../money/decimal.ts';
import type { Pair } from '../../prices/prices-contract.ts';
import type { EffectiveLadder } from '../auto-trades-contract.ts';
import { entryQuote } from '../position/entry-plan.ts';
import { lessPercent, lotStep, NOTIONAL_MARGIN, tooSmallToTrade } from '../position/position-lines.ts';
import { ladderTotal, type PlannedRung, planLadder } from '../position/rebuy-levels.ts';
import type { AutoTradeConfig } from './auto-trade-config.ts';
import { coinsOfConfig, type RuleFacts } from './rule-facts.ts';

/** The price that an entry is planned at: the present one, or where the drop would be met. */
function plannedPrice(config: AutoTradeConfig, last: string): Decimal {
  const { trigger } = config.entry;
  return trigger.kind === 'drop' ? lessPercent(decimal(last), decimal(trigger.dropPct)) : decimal(last);
}

/** What enabling would plan per coin at the present price, and the most it could tie up. Decimal text. */
export function effectiveLadder(config: AutoTradeConfig, facts: RuleFacts): EffectiveLadder {
  const { wallet } = facts;
  const currency = wallet?.currency ?? 'USDT';
  if (!wallet) return { rungs: [], exits: [], stops: [], worstCaseTotal: '0', worstLoss: null, currency };
  const quote = decimal(entryQuote({ config }, wallet));
  const rungs: EffectiveLadder['rungs'] = [];
  const exits: EffectiveLadder['exits'] = [];
  const stops: EffectiveLadder['stops'] = [];
  const totals: Decimal[] = [];
  for (const symbol of coinsOfConfig(config, facts)) {
    const known = facts.pair(symbol);
    const last = facts.price(symbol);
    if (!known || !last) continue;
    const takerFee = facts.takerFee(symbol);
    const planned = planLadder({ config, filters: known.filters, takerFee }, plannedPrice(config, last), quote);
    const first = planned[0];
    if (!first) continue;
    totals.push(ladderTotal(planned));
    for (const rung of planned)
      rungs.push({ symbol, level: rung.level, price: toText(rung.price), quantity: toText(rung.quantity), quote: toText(rung.quote) });
    const stop = plannedStop(config, planned, takerFee, known);
    if (stop) stops.push({ symbol, ...stop });
    exits.push(...plannedExits(config, symbol, known, first, takerFee));
  }
  // The dearest coins first: no choice of coins can tie up, or lose, more.
  const most = (amounts: readonly Decimal[]) => toText(sum(amounts.toSorted((a, b) => compare(b, a)).slice(0, config.maxOpenPositions)));
  const worstLoss = stops.length === 0 ? null : most(stops.map(({ loss }) => decimal(loss)));
  return { rungs, exits, stops, worstCaseTotal: most(totals), worstLoss, currency };
}

/** The stop after every level was bought at its price: cost with entry fees, less what the sale brings after its own. */
function plannedStop(
  { stopLoss }: AutoTradeConfig,
  rungs: readonly PlannedRung[],
  takerFee: string,
  pair: Pair,
): { readonly price: string; readonly loss: string } | undefined {
  const quantity = sum(rungs.map((rung) => rung.quantity));
  if (stopLoss.mode === 'none' || !isPositive(quantity)) return undefined;
  const fee = decimal(takerFee);
  const cost = multiply(sum(rungs.map((rung) => rung.quote)), add(ONE, fee));
  const base = stopLoss.basis === 'firstBuy' ? rungs[0]!.price : divide(cost, quantity);
  const price = toMultiple(lessPercent(base, decimal(stopLoss.pct)), decimal(pair.filters.tickSize), 'down');
  const brought = multiply(multiply(quantity, price), subtract(ONE, fee));
  return { price: toText(price), loss: toText(divide(maximum(ZERO, subtract(cost, brought)), ONE, 8)) };
}

/** The take-profit levels of a position that bought the entry alone: the smallest that they have to be tradable with. */
function plannedExits(config: AutoTradeConfig, symbol: string, pair: Pair, entry: PlannedRung, takerFee: string): EffectiveLadder['exits'] {
  const { levels } = config.takeProfit;
  const average = divide(multiply(entry.price, add(ONE, decimal(takerFee))), ONE, 12);
  const exits: EffectiveLadder['exits'] = [];
  let carried = decimal('0');
  for (const [level, { gainPct, sellPct }] of levels.entries()) {
    const price = toMultiple(multiply(average, add(ONE, divide(decimal(gainPct), HUNDRED))), decimal(pair.filters.tickSize), 'up');
    const share = add(carried, divide(multiply(entry.quantity, decimal(sellPct)), HUNDRED, 28));
    const last = level === levels.length - 1;
    const lots = toMultiple(share, lotStep(pair.filters), 'down');
    const merged = !last && tooSmallToTrade(lots, divide(price, NOTIONAL_MARGIN), pair.filters);
    carried = merged ? share : decimal('0');
    exits.push({
      symbol,
      level,
      gainPct,
      price: toText(price),
      quantity: toText(lots),
      quote: toText(multiply(lots, price)),
      mergedInto: merged ? level + 1 : null,
    });
  }
  return exits;
}

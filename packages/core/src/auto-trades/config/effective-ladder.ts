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
import { LOOSE_FILTERS } from '../../prices/loose-filters.ts';
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

/** A rung with everything that this version tells of it. */
type FullRung = Required<EffectiveLadder['rungs'][number]>;
type FullLadder = Omit<EffectiveLadder, 'rungs'> & { rungs: FullRung[] };

/** What is held once a rung and all before it are bought at their prices. */
type Standing = {
  readonly quantity: Decimal;
  /** Paid for it, entry fees included, in the quote asset. */
  readonly cost: Decimal;
  /** Cost of one unit; of nothing at all what the first unit would cost. */
  readonly average: Decimal;
};

/**
 * Stands for a coin that has no price yet, or is not known yet: whatever its price, its ladder costs no more than this one,
 * whose orders are not rounded to lots. Left out, it would make what can be tied up and lost too small.
 */
const UNROUNDED: Pick<Pair, 'filters'> = { filters: { ...LOOSE_FILTERS, stepSize: '0' } };

/** What enabling would plan per coin at the present price, and the most it could tie up. Decimal text. */
export function effectiveLadder(config: AutoTradeConfig, facts: RuleFacts): FullLadder {
  const { wallet } = facts;
  const currency = wallet?.currency ?? 'USDT';
  if (!wallet) return { rungs: [], exits: [], stops: [], worstCaseTotal: '0', worstLoss: null, currency };
  const quote = decimal(entryQuote({ config }, wallet));
  const rungs: FullRung[] = [];
  const exits: EffectiveLadder['exits'] = [];
  const stops: EffectiveLadder['stops'] = [];
  const totals: Decimal[] = [];
  const losses: Decimal[] = [];
  const coins = coinsOfConfig(config, facts);
  // Filters select other coins later: a slot that has none yet is filled all the same.
  const open = config.coins.coinFilterIds.length > 0 ? Math.max(0, config.maxOpenPositions - coins.length) : 0;
  for (const symbol of [...coins, ...Array<string>(open).fill('')]) {
    const known = facts.pair(symbol);
    const last = facts.price(symbol);
    const takerFee = facts.takerFee(symbol);
    const pair = known && last ? known : UNROUNDED;
    const planned = planLadder({ config, filters: pair.filters, takerFee }, plannedPrice(config, (known && last) || '1000'), quote);
    const steps = plannedSteps(config, planned, symbol, takerFee, pair);
    const [first, full] = [steps[0], steps.at(-1)];
    if (!first || !full) continue;
    totals.push(pair === UNROUNDED ? divide(ladderTotal(planned), ONE, 8, 'up') : ladderTotal(planned));
    if (full.rung.lossAtStop !== null) losses.push(decimal(full.rung.lossAtStop));
    if (pair === UNROUNDED) continue;
    rungs.push(...steps.map(({ rung }) => rung));
    exits.push(...first.exits);
    const { stopPrice, lossAtStop } = full.rung;
    if (stopPrice !== null && lossAtStop !== null) stops.push({ symbol, price: stopPrice, loss: lossAtStop });
  }
  // The dearest coins first: no choice of coins can tie up, or lose, more.
  const most = (amounts: readonly Decimal[]) => toText(sum(amounts.toSorted((a, b) => compare(b, a)).slice(0, config.maxOpenPositions)));
  const worstLoss = config.stopLoss.mode === 'none' ? null : most(losses);
  return { rungs, exits, stops, worstCaseTotal: most(totals), worstLoss, currency };
}

/** Each rung of one coin with what stands once it and all before it are bought: cost, average, sells and stop. */
function plannedSteps(
  config: AutoTradeConfig,
  planned: readonly PlannedRung[],
  symbol: string,
  takerFee: string,
  pair: Pick<Pair, 'filters'>,
): { readonly rung: FullRung; readonly exits: EffectiveLadder['exits'] }[] {
  const withFee = add(ONE, decimal(takerFee));
  let [quantity, cost] = [ZERO, ZERO];
  return planned.map((rung) => {
    quantity = add(quantity, rung.quantity);
    cost = add(cost, multiply(rung.quote, withFee));
    const average = isPositive(quantity) ? divide(cost, quantity) : multiply(rung.price, withFee);
    const held: Standing = { quantity, cost, average };
    const exits = plannedExits(config, symbol, pair, held);
    return {
      rung: {
        symbol,
        level: rung.level,
        price: toText(rung.price),
        quantity: toText(rung.quantity),
        quote: toText(rung.quote),
        invested: toText(cost),
        averageCost: toText(divide(average, ONE, 12)),
        ...plannedStop(config, planned[0]!.price, held, takerFee, pair),
        sells: exits.map(({ price, quote, mergedInto }) => ({ price, quote: mergedInto === null ? quote : null })),
      },
      exits,
    };
  });
}

/** Where the stop sells what is held then, and what that loses: its cost, less what the sale brings after its own fee. */
function plannedStop(
  { stopLoss }: AutoTradeConfig,
  firstPrice: Decimal,
  { quantity, cost, average }: Standing,
  takerFee: string,
  pair: Pick<Pair, 'filters'>,
): Pick<FullRung, 'stopPrice' | 'lossAtStop'> {
  if (stopLoss.mode === 'none' || !isPositive(quantity)) return { stopPrice: null, lossAtStop: null };
  const base = stopLoss.basis === 'firstBuy' ? firstPrice : average;
  const price = toMultiple(lessPercent(base, decimal(stopLoss.pct)), decimal(pair.filters.tickSize), 'down');
  const brought = multiply(multiply(quantity, price), subtract(ONE, decimal(takerFee)));
  return { stopPrice: toText(price), lossAtStop: toText(divide(maximum(ZERO, subtract(cost, brought)), ONE, 8)) };
}

/** The take-profit levels of what is held then. */
function plannedExits(config: AutoTradeConfig, symbol: string, pair: Pick<Pair, 'filters'>, held: Standing): EffectiveLadder['exits'] {
  const { levels } = config.takeProfit;
  const average = divide(held.average, ONE, 12);
  const exits: EffectiveLadder['exits'] = [];
  let carried = ZERO;
  for (const [level, { gainPct, sellPct }] of levels.entries()) {
    const price = toMultiple(multiply(average, add(ONE, divide(decimal(gainPct), HUNDRED))), decimal(pair.filters.tickSize), 'up');
    const share = add(carried, divide(multiply(held.quantity, decimal(sellPct)), HUNDRED, 28));
    const last = level === levels.length - 1;
    const lots = toMultiple(share, lotStep(pair.filters), 'down');
    const merged = !last && tooSmallToTrade(lots, divide(price, NOTIONAL_MARGIN), pair.filters);
    carried = merged ? share : ZERO;
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

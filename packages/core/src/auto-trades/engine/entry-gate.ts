import {
  type Decimal,
  decimal,
  divide,
  fromFloat,
  greaterThan,
  HUNDRED,
  lessThan,
  multiply,
  plusPercent,
  subtract,
  toText,
} from '../../money/decimal.ts';
import { digits, type Percent } from '../../money/figure.ts';
import type { Evaluation } from '../auto-trades-contract.ts';
import { planEntry, spreadPct } from '../position/entry-plan.ts';
import { lessPercent, percentOf } from '../position/position-lines.ts';
import { isoText } from '../position/position-traces.ts';
import type { EntryRefusal, Inspection } from './engine-inputs.ts';

/** One rule of an evaluation: what was seen, what it must be, and whether it held. */
export type JudgedRule = Readonly<Evaluation['rules'][number]>;

/** Whether a price has risen far enough from the low that is followed; `low` null: none is yet. */
export const reboundRule = (low: string | null, price: Decimal, reboundPct: Percent): JudgedRule => ({
  rule: 'rebound',
  observed: low && percentOf(price, decimal(low)),
  limit: digits(reboundPct),
  pass: low !== null && !lessThan(price, plusPercent(decimal(low), decimal(reboundPct))),
});

/** The rules before any entry of a coin, by hand or not: whether the bot, the coin and the clock allow one. */
export function gateRules({ gate }: Inspection, at: number): JudgedRule[] {
  const { botPause, coinPause } = gate;
  return [
    ...(gate.permitted ? [] : [{ rule: 'coin-permitted', observed: null, limit: null, pass: false }]),
    { rule: 'entries-on', observed: String(gate.acceptsEntries), limit: 'true', pass: gate.acceptsEntries },
    { rule: 'coin-listed', observed: String(gate.tradable), limit: 'true', pass: gate.tradable },
    { rule: 'slot-free', observed: String(gate.occupied), limit: String(gate.slots), pass: gate.occupied < gate.slots },
    {
      rule: 'bot-not-paused',
      observed: botPause?.reason ?? null,
      limit: botPause?.until ? isoText(botPause.until) : null,
      pass: botPause === null,
    },
    {
      rule: 'coin-not-paused',
      observed: coinPause?.reason ?? null,
      limit: coinPause ? isoText(coinPause.until) : null,
      pass: coinPause === null,
      detail: coinPause?.detail,
    },
    {
      rule: 'cooldown-over',
      observed: gate.cooldownUntil > at ? isoText(gate.cooldownUntil) : null,
      limit: isoText(at),
      pass: gate.cooldownUntil <= at,
    },
  ];
}

/** The rule that triggers an entry, and the rebound that is awaited after it. */
export function triggerRules({ state, context, moment, high, verdict }: Inspection): JudgedRule[] {
  const { trigger, trailing } = context.settings.config.entry;
  const triggered = state === 'trailingEntry';
  const rules: JudgedRule[] = [];
  const price = decimal(moment!.price);
  if (trigger.kind === 'drop') {
    const top = Number.isFinite(high) ? fromFloat(high, context.settings.pricePrecision) : undefined;
    const level = top && lessPercent(top, decimal(trigger.dropPct));
    const dropped = top && divide(multiply(subtract(top, price), HUNDRED), top, 4);
    const pass = triggered || (level !== undefined && !greaterThan(price, level));
    rules.push({ rule: 'drop', observed: dropped ? toText(dropped) : null, limit: digits(trigger.dropPct), pass });
  }
  if (trigger.kind === 'conditions') {
    const known = verdict && moment!.at <= verdict.validUntil ? verdict.entry : null;
    rules.push({ rule: 'conditions', observed: known === null ? null : String(known), limit: 'true', pass: triggered || known === true });
  }
  if (trigger.kind === 'manual') rules.push({ rule: 'manual', observed: null, limit: null, pass: triggered });
  if (trailing.enabled) rules.push(reboundRule(context.entryLow, price, trailing.reboundPct));
  return rules;
}

/** Whether an order of the entry is possible now: the spread, the filters, the exposure and the money. */
export function planRules({ context, moment, wallet }: Inspection): JudgedRule[] {
  const { maxSpreadPct } = context.settings.config.entry;
  const spread = spreadPct(moment!);
  const wide = greaterThan(decimal(spread), decimal(maxSpreadPct));
  const rules: JudgedRule[] = [{ rule: 'spread', observed: spread, limit: digits(maxSpreadPct), pass: !wide }];
  const plan = planEntry(context.settings, wallet, moment!, context.carriedCost);
  if (plan.ok) return [...rules, { rule: 'budget', observed: plan.reserve, limit: null, pass: true }];
  return plan.rule === 'spread' ? rules : [...rules, { rule: plan.rule, observed: plan.observed, limit: plan.limit, pass: false }];
}

/** The first rule that stands against an entry by hand; null when there is none. */
export function failingRule(inspection: Inspection | undefined): EntryRefusal | null {
  if (!inspection) return { rule: 'coin-listed', observed: 'false', limit: 'true' };
  const { state, moment, context } = inspection;
  if (state !== 'watching' && state !== 'trailingEntry') return { rule: 'not-held', observed: context.positionId, limit: null };
  if (!moment) return { rule: 'no-data', observed: null, limit: null };
  const failed = [...gateRules(inspection, moment.at), ...planRules(inspection)].find(({ pass }) => !pass);
  return failed ? { rule: failed.rule, observed: failed.observed, limit: failed.limit } : null;
}

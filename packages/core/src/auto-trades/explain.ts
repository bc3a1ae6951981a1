import {
  type Decimal,
  decimal,
  divide,
  fromFloat,
  greaterThan,
  isPositive,
  lessThan,
  maximum,
  multiply,
  ONE,
  plusPercent,
  toText,
  ZERO,
} from '../money/decimal.ts';
import type { Pair } from '../prices/prices-contract.ts';
import { type AutoTradePosition, type Evaluation, POSITION_STATE_NAMES } from './auto-trades-contract.ts';
import { type AutoTradeContext, type AutoTradeStateName, silenceOf } from './engine/auto-trade-machine.ts';
import type { Inspection } from './engine/engine-inputs.ts';
import { gateRules, planRules, type JudgedRule as Rule, reboundRule, triggerRules } from './engine/entry-gate.ts';
import type { PositionState } from './position/auto-trade-position-machine.ts';
import { levelOutcomes } from './position/level-outcomes.ts';
import { jumpIsAsked, proposedFactor } from './position/position-jump.ts';
import { movedNames } from './position/position-levels.ts';
import {
  armPrice,
  averageCost,
  breakEvenPrice,
  gainPrice,
  lessPercent,
  stopLossPrice,
  takeProfitPrice,
  textOf,
} from './position/position-lines.ts';
import { planRebuy, rebuyFrom, rebuyPrice } from './position/position-rebuy.ts';
import { stopRefusedBy } from './position/position-resident.ts';
import { nextSlice } from './position/position-slices.ts';
import type { MarketMoment, PositionContext } from './position/position-state.ts';
import { isoText } from './position/position-traces.ts';

const HOUR_MS = 3_600_000;

/** What is known beside the engine: of the bot, and whether the exchange trades the coin now. */
export type Surroundings = {
  readonly state: AutoTradeStateName;
  readonly context: AutoTradeContext;
  readonly pairStatus: Pair['status'];
};

/**
 * Why a coin was or was not traded at its last tick: every rule in the order it is judged, with what was seen, what
 * it must be, and whether it held; the first that failed; and what the bot waits for next.
 */
export function explain(inspection: Inspection, bot: Surroundings): Evaluation {
  const { state, context, moment } = inspection;
  const symbol = context.settings.symbol;
  const holding = state !== 'watching' && state !== 'trailingEntry';
  const judged = moment ? (holding ? holdingRules(inspection) : entryRules(inspection, bot)) : [];
  // No price of such a coin comes, and none of the rules has a say until it trades again.
  const halted = bot.pairStatus !== 'TRADING';
  const silent = holding ? silenceOf(bot.state, bot.context) : null;
  const rules = [
    ...(halted ? [{ rule: 'coin-trading', observed: bot.pairStatus, limit: null, pass: false }] : []),
    ...(silent === null ? [] : [{ rule: 'exits-sent', observed: silent, limit: null, pass: false }]),
    ...judged,
  ];
  const first = rules.find((rule) => !rule.pass);
  return {
    symbol,
    at: moment ? isoText(moment.at) : null,
    price: moment?.price ?? null,
    state: POSITION_STATE_NAMES[state],
    rules: [...rules],
    stoppedBy: holding ? null : (first?.rule ?? (moment ? null : 'no-data')),
    waitsFor:
      silent !== null
        ? { code: silent, price: null, at: null }
        : halted && LEFT_TO_PRICES.has(state)
          ? { code: 'trading', price: null, at: null }
          : waitsFor(inspection),
  };
}

/** States in which nothing but the market is waited for. */
const LEFT_TO_PRICES: ReadonlySet<PositionState> = new Set(['watching', 'trailingEntry', 'open', 'protected']);

function entryRules(inspection: Inspection, bot: Surroundings): Rule[] {
  const at = inspection.moment!.at;
  return [
    { rule: 'bot-running', observed: bot.context.reason ?? bot.state, limit: 'running', pass: bot.state === 'running' },
    ...gateRules(inspection, at),
    ...triggerRules(inspection),
    ...planRules(inspection),
  ];
}

type Holding = Pick<Inspection, 'state' | 'context' | 'moment' | 'verdict' | 'gate'>;
/** What sells or buys for a position, in the order it is judged: reached or not. */
function holdingRules({ state, context, moment, verdict, gate }: Holding): Rule[] {
  const rules: Rule[] = [];
  const seen = moment!.price;
  const price = decimal(seen);
  const offered = moment!.bid;
  const bid = decimal(offered);
  const { timeStop, exit } = context.settings.config;
  const stop = context.stopPrice;
  if (stop !== null) rules.push({ rule: 'stop-loss', observed: seen, limit: stop, pass: !greaterThan(price, decimal(stop)) });
  if (context.line !== null)
    rules.push({ rule: 'protected-cost', observed: seen, limit: context.line, pass: !greaterThan(price, decimal(context.line)) });
  const arm = armPrice(context);
  if (arm && context.line === null)
    rules.push({ rule: 'trailing-cost-armed', observed: seen, limit: toText(arm), pass: !lessThan(price, arm) });
  const target = context.targetPrice;
  if (target !== null) rules.push({ rule: 'target-price', observed: offered, limit: target, pass: !lessThan(bid, decimal(target)) });
  const slice = nextSlice(context);
  if (slice) rules.push({ rule: 'take-profit', observed: offered, limit: toText(slice.price), pass: !lessThan(bid, slice.price) });
  const average = averageCost(context);
  if (timeStop && context.openedAt !== null) {
    const until = context.openedAt + timeStop.hours * HOUR_MS;
    rules.push({ rule: 'time-stop', observed: isoText(moment!.at), limit: isoText(until), pass: moment!.at >= until });
    const bound = timeStop.onlyIfGainPctAbove;
    if (bound !== null && average) {
      const least = plusPercent(average, decimal(bound));
      rules.push({ rule: 'time-stop-gain', observed: offered, limit: text(least), pass: greaterThan(bid, least) });
    }
  }
  if (exit.conditions !== null) {
    const known = verdict && moment!.at <= verdict.validUntil ? verdict.exit : null;
    rules.push({ rule: 'exit-conditions', observed: known === null ? null : String(known), limit: 'true', pass: known === true });
    const least = exit.minGainPct === null ? null : gainPrice(context, exit.minGainPct);
    if (least) rules.push({ rule: 'exit-gain', observed: offered, limit: text(least), pass: !lessThan(bid, least) });
  }
  if (state === 'open' || state === 'protected') rules.push(...rebuyRules({ context, moment: moment!, gate }));
  const refusedBy = stopRefusedBy(context);
  const { resident } = context;
  if (resident) rules.push({ rule: 'protective-stop', observed: seen, limit: resident.stopPrice ?? null, pass: resident.orderId !== null });
  else if (refusedBy !== null) rules.push({ rule: 'protective-stop', observed: refusedBy, limit: null, pass: false });
  if (context.order) rules.push({ rule: 'no-order-in-flight', observed: context.order.clientOrderId, limit: null, pass: false });
  const pause = context.salePause;
  if (pause) rules.push({ rule: 'sale-filled', observed: pause.reason, limit: null, pass: false });
  if (state === 'needsAttention') rules.push({ rule: 'needs-attention', observed: context.attention, limit: null, pass: false });
  return rules;
}

/** Rules by which a held position is sold, and what else has to hold for one of them. */
const SELLING: readonly (readonly string[])[] = [
  ['stop-loss'],
  ['protected-cost'],
  ['target-price'],
  ['take-profit'],
  ['time-stop', 'time-stop-gain'],
];

/**
 * The rules by which a held position would be sold at its last price. With it a change is judged before it is made:
 * what would trade at once is said and asked first.
 */
export function sellsNow(inspection: Holding): readonly string[] {
  if (!inspection.moment || !isHeld(inspection.state, inspection.context)) return [];
  const rules = new Map(holdingRules(inspection).map((each) => [each.rule, each.pass]));
  return SELLING.filter(([first = '', ...others]) => rules.get(first) === true && others.every((other) => rules.get(other) !== false)).map(
    ([first = '']) => first,
  );
}

/** What the next rebuy waits for; an order of it is planned only when its price has come. */
function rebuyRules({ context, moment, gate }: Pick<Inspection, 'context' | 'gate'> & { readonly moment: MarketMoment }): Rule[] {
  const level = rebuyPrice(context);
  if (!level) return [];
  const price = decimal(moment.price);
  const followed = context.rebuyLow !== null;
  const reached = followed || !greaterThan(price, level);
  const rules: Rule[] = [{ rule: 'rebuy', observed: moment.price, limit: toText(level), pass: reached }];
  const from = rebuyFrom(context);
  if (from > moment.at) rules.push({ rule: 'rebuy-spacing', observed: isoText(moment.at), limit: isoText(from), pass: false });
  const paused = gate.acceptsEntries ? (gate.botPause?.reason ?? gate.coinPause?.reason ?? null) : 'entries-off';
  const stands = gate.permitted ? paused : 'coin-permitted';
  if (stands !== null) rules.push({ rule: 'rebuy-allowed', observed: stands, limit: null, pass: false });
  if (!reached) return rules;
  const { trailingReboundPct } = context.settings.config.rebuys;
  if (isPositive(decimal(trailingReboundPct))) rules.push(reboundRule(context.rebuyLow, price, trailingReboundPct));
  const plan = planRebuy(context, moment);
  if (!plan.ok) rules.push({ rule: plan.rule, observed: plan.observed, limit: plan.limit, pass: false });
  return rules;
}

/** A level that need not lie on a tick, short enough to read. */
const text = (value: Decimal): string => toText(divide(value, ONE, 8));

function waitsFor({ state, context, moment, high, cooldownUntil, gate }: Inspection): Evaluation['waitsFor'] {
  const { config, filters } = context.settings;
  switch (state) {
    case 'watching': {
      const { botPause, coinPause } = gate;
      if (!gate.permitted) return { code: 'permission', price: null, at: null };
      if (!botPause && coinPause?.detail !== undefined)
        return { code: 'refused', price: null, at: isoText(coinPause.until), detail: coinPause.detail };
      const pause = botPause ?? coinPause;
      if (pause)
        return { code: pause.until === null ? 'recovery' : 'pause', price: null, at: pause.until === null ? null : isoText(pause.until) };
      if (moment && cooldownUntil > moment.at) return { code: 'cooldown', price: null, at: isoText(cooldownUntil) };
      const { trigger } = config.entry;
      if (trigger.kind === 'manual' || trigger.kind === 'conditions') return { code: trigger.kind, price: null, at: null };
      if (trigger.kind !== 'drop' || !Number.isFinite(high))
        return { code: trigger.kind === 'drop' ? 'data' : 'entry', price: null, at: null };
      const level = lessPercent(fromFloat(high, context.settings.pricePrecision), decimal(trigger.dropPct));
      const tick = decimal(filters.tickSize);
      return { code: 'drop', price: toText(multiply(divide(level, tick, 0, 'down'), tick)), at: null };
    }
    case 'trailingEntry':
      return { code: 'rebound', price: context.entryLow, at: context.trailUntil === null ? null : isoText(context.trailUntil) };
    case 'open':
      return config.trailingCost.enabled && !context.lineDisarmed
        ? { code: 'arm', price: textOf(armPrice(context)), at: null }
        : { code: 'take-profit', price: textOf(nextSlice(context)?.price ?? null), at: null };
    case 'protected':
      return { code: 'protected-cost', price: context.line, at: null };
    case 'entryPending':
    case 'adding':
    case 'reducing':
    case 'exitPending': {
      if (context.salePause) return { code: 'sale-again', price: null, at: isoText(context.salePause.until) };
      return { code: 'order', price: context.order?.price ?? null, at: context.order ? isoText(context.order.deadline) : null };
    }
    case 'needsAttention':
      return { code: 'user', price: null, at: null };
    default:
      return null;
  }
}

const HELD: ReadonlySet<PositionState> = new Set(['open', 'protected', 'adding', 'reducing', 'exitPending', 'needsAttention']);
/** What a buy that is still in flight has bought is held, and guarded, too. */
const isHeld = (state: PositionState, { quantity }: PositionContext): boolean =>
  HELD.has(state) || (state === 'entryPending' && isPositive(decimal(quantity)));

/** Levels sell in their order: one that a new average has put below a moved one before it waits for that. */
function takeProfitLines(context: PositionContext): AutoTradePosition['lines']['takeProfit'] {
  let before = ZERO;
  return context.settings.config.takeProfit.levels.map(({ sellPct }, index) => {
    const done = index < context.levelsDone;
    const own = takeProfitPrice(context, index) ?? ZERO;
    if (!done) before = maximum(before, own);
    return { price: toText(done ? own : before), sellPct, done };
  });
}

/** A position with the lines that its chart shows. What may be asked of it depends on its bot, too: `allowed-actions.ts`. */
export function describePosition(state: PositionState, context: PositionContext): Omit<AutoTradePosition, 'allowed' | 'withheld'> {
  const open = isHeld(state, context);
  const { timeStop } = context.settings.config;
  return {
    id: context.positionId,
    symbol: context.settings.symbol,
    runNo: context.settings.runNo,
    state: POSITION_STATE_NAMES[state],
    machineState: state,
    attention: context.attention,
    stopRefused: open ? stopRefusedBy(context) : null,
    jump:
      jumpIsAsked(context) && context.jump ? { ...context.jump, at: isoText(context.jump.at), factor: proposedFactor(context.jump) } : null,
    openedAt: context.openedAt === null ? null : isoText(context.openedAt),
    closedAt: context.closedAt === null ? null : isoText(context.closedAt),
    exitReason: context.exitReason,
    quantity: context.quantity,
    invested: context.cost,
    averageCost: textOf(averageCost(context)),
    breakEven: open ? textOf(breakEvenPrice(context)) : null,
    realised: context.realised,
    fees: context.fees,
    lines: {
      trigger: context.triggerPrice,
      entryLow: context.entryLow,
      arm: open && context.line === null ? textOf(armPrice(context)) : null,
      protectedCost: context.line,
      peak: context.peak,
      stopLoss: open ? (context.stopPrice ?? textOf(stopLossPrice(context))) : null,
      takeProfit: open ? takeProfitLines(context) : [],
      rebuys: open
        ? context.ladder.slice(context.rebuysDone).flatMap((_, offset) => {
            const level = context.rebuysDone + offset;
            const price = rebuyPrice(context, level);
            return price ? [{ level: level + 1, price: toText(price) }] : [];
          })
        : [],
      target: context.targetPrice,
      protectiveStop: context.resident?.stopPrice ?? null,
      timeStopAt: open && timeStop && context.openedAt !== null ? isoText(context.openedAt + timeStop.hours * HOUR_MS) : null,
      moved: open ? movedNames(context) : [],
    },
    levels: open ? levelOutcomes(context) : [],
  };
}

import { decimal, divide, fromFloat, greaterThan, HUNDRED, lessThan, multiply, subtract, toText } from '../money/decimal.ts';
import type { WalletBook } from '../wallets/wallet-book.ts';
import type { AutoTradeEngine } from './auto-trade-engine.ts';
import type { AutoTradeStateName } from './auto-trade-machine.ts';
import type { AutoTradePosition, Evaluation } from './auto-trades-contract.ts';
import { planEntry, spreadPct } from './entry-plan.ts';
import type { PositionState } from './position-chart.ts';
import { armPrice, averageCost, breakEvenPrice, lessPercent, stopLossPrice, takeProfitPrice } from './position-lines.ts';
import type { PositionContext } from './position-state.ts';

/** The names users see for the states of a position's machine. */
export const POSITION_STATE_NAMES = {
  watching: 'Watching',
  trailingEntry: 'TrailingEntry',
  entryPending: 'EntryPending',
  open: 'Open',
  protected: 'Protected',
  reducing: 'Reducing',
  exitPending: 'ExitPending',
  needsAttention: 'NeedsAttention',
  closed: 'Closed',
  detached: 'Detached',
} as const satisfies Record<PositionState, string>;

type Inspection = NonNullable<ReturnType<AutoTradeEngine['inspect']>>;
type Rule = Evaluation['rules'][number];

const iso = (ms: number): string => new Date(ms).toISOString();

/**
 * Why a coin was or was not traded at its last tick: every rule in the order it is judged, with what was seen, what
 * it must be, and whether it held; the first that failed; and what the bot waits for next.
 */
export function explain(
  inspection: Inspection,
  bot: { state: AutoTradeStateName; reason: string | null; openPositions: number; wallet: WalletBook },
): Evaluation {
  const { state, context, moment } = inspection;
  const symbol = context.settings.symbol;
  const holding = state !== 'watching' && state !== 'trailingEntry';
  const rules = moment ? (holding ? holdingRules(state, context, moment) : entryRules(inspection, bot)) : [];
  const first = rules.find((rule) => !rule.pass);
  return {
    symbol,
    at: moment ? iso(moment.at) : null,
    price: moment?.price ?? null,
    state: POSITION_STATE_NAMES[state],
    rules,
    stoppedBy: holding ? null : (first?.rule ?? (moment ? null : 'no-data')),
    waitsFor: waitsFor(inspection),
  };
}

function entryRules(
  { state, context, moment, high, cooldownUntil }: Inspection,
  bot: { state: AutoTradeStateName; reason: string | null; openPositions: number; wallet: WalletBook },
): Rule[] {
  const { config } = context.settings;
  const at = moment!.at;
  const rules: Rule[] = [
    { rule: 'bot-running', observed: bot.reason ?? bot.state, limit: 'running', pass: bot.state === 'running' },
    {
      rule: 'slot-free',
      observed: String(bot.openPositions),
      limit: String(config.maxOpenPositions),
      pass: bot.openPositions < config.maxOpenPositions,
    },
    { rule: 'cooldown-over', observed: cooldownUntil > at ? iso(cooldownUntil) : null, limit: iso(at), pass: cooldownUntil <= at },
  ];
  const { trigger, trailing } = config.entry;
  if (trigger.kind === 'drop') {
    const known = Number.isFinite(high);
    const top = known ? fromFloat(high, context.settings.pricePrecision) : undefined;
    const level = top && lessPercent(top, decimal(trigger.dropPct));
    const dropped = top && divide(multiply(subtract(top, decimal(moment!.price)), HUNDRED), top, 4);
    rules.push({
      rule: 'drop',
      observed: dropped ? toText(dropped) : null,
      limit: trigger.dropPct,
      pass: state === 'trailingEntry' || (level !== undefined && !greaterThan(decimal(moment!.price), level)),
    });
  }
  if (trailing.enabled) {
    const low = context.entryLow;
    const rebound = low && toText(divide(multiply(subtract(decimal(moment!.price), decimal(low)), HUNDRED), decimal(low), 4));
    rules.push({
      rule: 'rebound',
      observed: rebound,
      limit: trailing.reboundPct,
      pass: rebound !== null && !lessThan(decimal(rebound), decimal(trailing.reboundPct)),
    });
  }
  const spread = spreadPct(moment!);
  rules.push({
    rule: 'spread',
    observed: spread,
    limit: config.entry.maxSpreadPct,
    pass: !greaterThan(decimal(spread), decimal(config.entry.maxSpreadPct)),
  });
  const plan = planEntry(context.settings, bot.wallet, moment!);
  rules.push(
    plan.ok
      ? { rule: 'budget', observed: plan.reserve, limit: null, pass: true }
      : { rule: plan.rule === 'spread' ? 'size' : plan.rule, observed: plan.observed, limit: plan.limit, pass: plan.rule === 'spread' },
  );
  return rules;
}

function holdingRules(state: PositionState, context: PositionContext, moment: NonNullable<Inspection['moment']>): Rule[] {
  const rules: Rule[] = [];
  const price = decimal(moment.price);
  const stop = context.stopPrice;
  if (stop !== null) rules.push({ rule: 'stop-loss', observed: moment.price, limit: stop, pass: !greaterThan(price, decimal(stop)) });
  if (context.line !== null)
    rules.push({ rule: 'protected-cost', observed: moment.price, limit: context.line, pass: !greaterThan(price, decimal(context.line)) });
  const arm = armPrice(context);
  if (arm && context.line === null)
    rules.push({ rule: 'trailing-cost-armed', observed: moment.price, limit: toText(arm), pass: !lessThan(price, arm) });
  const target = takeProfitPrice(context, context.levelsDone);
  if (target) rules.push({ rule: 'take-profit', observed: moment.price, limit: toText(target), pass: !lessThan(price, target) });
  if (context.order) rules.push({ rule: 'no-order-in-flight', observed: context.order.clientOrderId, limit: null, pass: false });
  if (state === 'needsAttention') rules.push({ rule: 'needs-attention', observed: context.attention, limit: null, pass: false });
  return rules;
}

function waitsFor({ state, context, moment, high, cooldownUntil }: Inspection): Evaluation['waitsFor'] {
  const { config, filters } = context.settings;
  const text = (value: ReturnType<typeof decimal> | null) => (value ? toText(value) : null);
  switch (state) {
    case 'watching': {
      if (moment && cooldownUntil > moment.at) return { code: 'cooldown', price: null, at: iso(cooldownUntil) };
      const { trigger } = config.entry;
      if (trigger.kind !== 'drop' || !Number.isFinite(high))
        return { code: trigger.kind === 'drop' ? 'data' : 'entry', price: null, at: null };
      const level = lessPercent(fromFloat(high, context.settings.pricePrecision), decimal(trigger.dropPct));
      const tick = decimal(filters.tickSize);
      return { code: 'drop', price: toText(multiply(divide(level, tick, 0, 'down'), tick)), at: null };
    }
    case 'trailingEntry':
      return { code: 'rebound', price: context.entryLow, at: context.trailUntil === null ? null : iso(context.trailUntil) };
    case 'open':
      return config.trailingCost.enabled && !context.lineDisarmed
        ? { code: 'arm', price: text(armPrice(context)), at: null }
        : { code: 'take-profit', price: text(takeProfitPrice(context, context.levelsDone)), at: null };
    case 'protected':
      return { code: 'protected-cost', price: context.line, at: null };
    case 'entryPending':
    case 'reducing':
    case 'exitPending':
      return { code: 'order', price: context.order?.price ?? null, at: context.order ? iso(context.order.deadline) : null };
    case 'needsAttention':
      return { code: 'user', price: null, at: null };
    default:
      return null;
  }
}

/** A position with the lines that its chart shows. */
export function describePosition(state: PositionState, context: PositionContext): AutoTradePosition {
  const text = (value: ReturnType<typeof decimal> | null) => (value ? toText(value) : null);
  const open = state === 'open' || state === 'protected' || state === 'reducing' || state === 'exitPending' || state === 'needsAttention';
  return {
    id: context.positionId,
    symbol: context.settings.symbol,
    runNo: context.settings.runNo,
    state: POSITION_STATE_NAMES[state],
    machineState: state,
    attention: context.attention,
    openedAt: context.openedAt === null ? null : iso(context.openedAt),
    closedAt: context.closedAt === null ? null : iso(context.closedAt),
    exitReason: context.exitReason,
    quantity: context.quantity,
    invested: context.cost,
    averageCost: text(averageCost(context)),
    breakEven: open ? text(breakEvenPrice(context)) : null,
    realised: context.realised,
    fees: context.fees,
    lines: {
      trigger: context.triggerPrice,
      entryLow: context.entryLow,
      arm: open && context.line === null ? text(armPrice(context)) : null,
      protectedCost: context.line,
      peak: context.peak,
      stopLoss: open ? (context.stopPrice ?? text(stopLossPrice(context))) : null,
      takeProfit: open
        ? context.settings.config.takeProfit.levels.map((level, index) => ({
            price: text(takeProfitPrice(context, index)) ?? '0',
            sellPct: level.sellPct,
            done: index < context.levelsDone,
          }))
        : [],
      rebuys: [],
      target: null,
      protectiveStop: null,
      timeStopAt: null,
    },
  };
}

import type { AutoTradeConfig } from '../auto-trades/auto-trade-config.ts';

/** Proof that every setting was looked at: a new one is a property of the rest, which has none. */
const nothingElse = (...rest: readonly Readonly<Record<string, never>>[]): boolean => rest.every((each) => Object.keys(each).length === 0);

/**
 * Whether the quick run knows every rule of a bot. A setting that nobody has thought of here is a type error, and at run
 * time the exact engine's: every field is named, what is not read is covered whatever it says.
 */
export function coversConfig(config: AutoTradeConfig): boolean {
  const { name: _name, walletId: _walletId, coins: _coins, timeframe: _timeframe, notifications: _notifications, ...a } = config;
  const { maxOpenPositions: _slots, maxPositionsPerCoin: _one, maxExposurePerCoin: _exposure, pickOrder: _pick, fees: _fees, ...b } = a;
  const { entry, rebuys, takeProfit, trailingCost, stopLoss, protectiveStop, timeStop, exit, cooldown, protections, dust, ...rest } = b;
  const { size, trigger, trailing, order, maxSpreadPct: _spread, ...restOfEntry } = entry;
  const { mode: _mode, value: _value, ...restOfSize } = size;
  const { enabled: _trails, reboundPct: _rebound, expiryMin: _expiry, maxChasePct: _chase, ...restOfTrailing } = trailing;
  const { enabled: _draws, armGainPct: _arm, distancePct: _distance, stepPct: _step, ...c } = trailingCost;
  const { expiryMin: _lineExpiry, onExpiry: _onExpiry, floor: _floor, ...restOfLine } = c;
  const { levels, ...restOfLevels } = takeProfit;
  const { order: exitOrder, conditions: _when, minGainPct: _least, ...restOfExit } = exit;
  const { afterWinMin: _win, afterLossMin: _loss, scope: _scope, ...restOfCooldown } = cooldown;
  const { lossStreak: _streak, drawdown: _drawdown, lowProfitCoin: _low, dailyLoss: _daily, btcGuard, ...restOfProtections } = protections;
  const { levels: rungs, generator, basis: _basis, minMinutesBetween: _apart, trailingReboundPct: _follows, ...restOfRebuys } = rebuys;
  const { enabled: _rests, limitOffsetPct: _below, ...restOfStop } = protectiveStop;
  const { policy: _policy, maxResidualPct: _residual, ...restOfDust } = dust;
  return (
    nothingElse(rest, restOfEntry, restOfSize, restOfTrailing, restOfLine, restOfLevels, restOfExit, restOfCooldown, restOfProtections) &&
    nothingElse(restOfDust, restOfRebuys, restOfStop) &&
    coversTrigger(trigger) &&
    coversStop(stopLoss) &&
    coversTimeStop(timeStop) &&
    levels.every(({ gainPct: _gain, sellPct: _sell, ...restOfLevel }) => nothingElse(restOfLevel)) &&
    rungs.every(({ dropPct: _deep, sizeMultiplier: _much, ...restOfRung }) => nothingElse(restOfRung)) &&
    coversGenerator(generator) &&
    coversOrder(order) &&
    coversOrder(exitOrder) &&
    coversGuard(btcGuard)
  );
}

function coversGuard(guard: AutoTradeConfig['protections']['btcGuard']): boolean {
  if (guard === null) return true;
  const { dropPct: _drop, windowMin: _window, resumePct: _resume, ...rest } = guard;
  return nothingElse(rest);
}

function coversGenerator(generator: AutoTradeConfig['rebuys']['generator']): boolean {
  if (generator === null) return true;
  const { count: _count, stepPct: _step, stepScale: _scale, sizeScale: _size, ...rest } = generator;
  return nothingElse(rest);
}

function coversTrigger(trigger: AutoTradeConfig['entry']['trigger']): boolean {
  if (trigger.kind === 'immediate') return true;
  if (trigger.kind === 'conditions') {
    const { kind: _kind, rules: _rules, ...rest } = trigger;
    return nothingElse(rest);
  }
  if (trigger.kind !== 'drop') return false;
  const { kind: _kind, dropPct: _drop, lookbackMin: _lookback, ...rest } = trigger;
  return nothingElse(rest);
}

function coversStop(stopLoss: AutoTradeConfig['stopLoss']): boolean {
  if (stopLoss.mode === 'none') return true;
  const { mode: _mode, pct: _pct, basis: _basis, confirmSec: _confirm, ...rest } = stopLoss;
  return nothingElse(rest);
}

function coversTimeStop(timeStop: AutoTradeConfig['timeStop']): boolean {
  if (timeStop === null) return true;
  const { hours: _hours, onlyIfGainPctAbove: _above, ...rest } = timeStop;
  return nothingElse(rest);
}

function coversOrder(order: AutoTradeConfig['entry']['order']): boolean {
  const { type, offsetPct: _offset, timeoutSec: _timeout, onTimeout: _on, maxReprices: _most, maxSlippagePct: _slip, ...rest } = order;
  return nothingElse(rest) && (type === 'Limit' || type === 'Market');
}

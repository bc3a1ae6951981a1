import { createBollinger } from '@pilotfish/core/indicators/bollinger';
import { createEma } from '@pilotfish/core/indicators/ema';
import { createMacd } from '@pilotfish/core/indicators/macd';
import { createRsi } from '@pilotfish/core/indicators/rsi';
import { createSma } from '@pilotfish/core/indicators/sma';
import { decimal, divide, HUNDRED, isPositive, multiply, plusPercent, subtract, toText } from '@pilotfish/core/money/decimal';
import type { Percent, Price } from '@pilotfish/core/money/figure';
import type { AlertCondition } from '@pilotfish/core/price-alerts/alert-kinds';
import { exactPrice, type LevelCondition, type LevelMemory } from '@pilotfish/core/price-alerts/level-rule';

/** What an alert's judge goes on from. Times are market time in epoch ms, unless said. */
export type AlertMemory = {
  /** From when on it is true. */
  readonly since: number;
  readonly rule?: LevelMemory;
  /** Where steps are counted from. */
  readonly anchor?: string;
  /** Whether what it waits for was so when it was last looked at. */
  readonly truth?: boolean;
  /** Open time of the candle that was judged last. */
  readonly candle?: number;
  /** Coins of the filter. */
  readonly coins?: readonly string[];
  /** The last trace of a bot that was looked at. */
  readonly cursor?: string;
  /** State of each bot, or of the pair. */
  readonly states?: Readonly<Record<string, string>>;
  /** Wall time at which its owner made, replaced or enabled it. */
  readonly armedAt?: number;
  /** New pairs that are not told yet, and those told last. */
  readonly listed?: readonly string[];
  readonly told?: readonly string[];
  /** Target price of the position, and on which side of the price it lay when it was set or armed: 1 above, -1 below. */
  readonly target?: string;
  readonly side?: 1 | -1;
  /** Wall time of the last reminder. */
  readonly remindedAt?: number;
};

/** What a condition says now, and whether it is far enough from it to be armed again. */
export type Verdict = {
  readonly truth: boolean;
  readonly left: boolean;
  readonly facts: Readonly<Record<string, string | number>>;
};

/** The band around an anchor whose ends are the next steps; an anchor that is far off moves by whole steps. */
export function stepBand(pct: Percent, anchor: Price, price: number): { anchor: string; condition: LevelCondition } {
  const step = divide(multiply(decimal(anchor), decimal(pct)), HUNDRED);
  const count = Math.trunc((price - Number(anchor)) / Number(toText(step)));
  const moved = subtract(decimal(anchor), multiply(step, decimal(String(-count))));
  const near = Math.abs(count) >= 1 && isPositive(moved) ? moved : decimal(anchor);
  const upper = plusPercent(near, decimal(pct));
  const lower = subtract(near, subtract(upper, near));
  return {
    anchor: toText(near),
    condition: { kind: 'channel', event: 'exit', lower: isPositive(lower) ? toText(lower) : '0.00000001', upper: toText(upper) },
  };
}

/** A value beside its bound. `slack`: how far it must come back, in the value's own unit. */
const beside = (value: number, relation: 'above' | 'below', bound: number, slack: number, inclusive: boolean) => {
  const above = inclusive ? value >= bound : value > bound;
  const below = inclusive ? value <= bound : value < bound;
  return {
    truth: relation === 'above' ? above : below,
    left: relation === 'above' ? value < bound - slack || (slack === 0 && !above) : value > bound + slack || (slack === 0 && !below),
  };
};
const rounded = (value: number): number => Number(value.toPrecision(8));

/** A change since `reference`, exact where floats cannot tell. */
export function judgeChange(
  { direction, pct }: Extract<AlertCondition, { kind: 'change' }>,
  price: number,
  reference: number,
  hysteresisPct: Percent,
): Verdict {
  const from = exactPrice(reference);
  const change = divide(multiply(subtract(exactPrice(price), from), HUNDRED), from);
  const value = Number(toText(change));
  const sides = direction === 'either' ? (['up', 'down'] as const) : [direction];
  const verdicts = sides.map((side) =>
    beside(
      value,
      side === 'up' ? 'above' : 'below',
      side === 'up' ? Number(pct) : -Number(pct),
      Math.min(Number(hysteresisPct), Number(pct)),
      true,
    ),
  );
  return {
    truth: verdicts.some(({ truth }) => truth),
    left: verdicts.every(({ left }) => left),
    facts: { change: rounded(value), from: toText(from), found: `${value > 0 ? '+' : ''}${value.toFixed(2)}%` },
  };
}

export const judgeValue = (
  value: number,
  relation: 'above' | 'below',
  bound: number,
  slack: number,
  facts: Verdict['facts'] = {},
): Verdict => ({
  ...beside(value, relation, bound, slack, true),
  facts: { value: rounded(value), found: String(rounded(value)), ...facts },
});

/**
 * A target within so many percent, or passed: between two looks the price may go beyond it.
 * @param distancePct of the target from the price, with its sign
 * @param side where the target lay before it was reached
 */
export function judgeTarget(distancePct: number, side: 1 | -1, pct: number, slack: number): Verdict {
  const ahead = distancePct * side;
  return {
    truth: ahead <= pct,
    left: ahead > pct + slack || (slack === 0 && ahead > pct),
    facts: { value: rounded(distancePct), found: String(rounded(distancePct)) },
  };
}

export type CandleCondition = Extract<AlertCondition, { kind: 'rsi' | 'ema' | 'sma' | 'macd' | 'bollinger' | 'volumeSpike' }>;
export const isCandleCondition = (condition: AlertCondition): condition is CandleCondition =>
  ['rsi', 'ema', 'sma', 'macd', 'bollinger', 'volumeSpike'].includes(condition.kind);

/** Candles that must be known before the first judgement; averages that remember everything are given time to settle. */
export function candlesNeeded(condition: CandleCondition): number {
  switch (condition.kind) {
    case 'rsi':
      return condition.period * 10 + 1;
    case 'ema':
      return Math.max(condition.period, condition.slowPeriod ?? 0) * 4;
    case 'sma':
      return Math.max(condition.period, condition.slowPeriod ?? 0);
    case 'macd':
      return (condition.slow + condition.signal) * 4;
    case 'bollinger':
      return condition.period;
    default:
      return condition.candles + 1;
  }
}
/** Fewer are enough where the exchange has no more. */
const fewest = (condition: CandleCondition): number => {
  switch (condition.kind) {
    case 'rsi':
      return condition.period + 1;
    case 'ema':
      return Math.max(condition.period, condition.slowPeriod ?? 0);
    case 'macd':
      return condition.slow + condition.signal - 1;
    default:
      return candlesNeeded(condition);
  }
};

/** What a condition says of the last of some closed candles; undefined with too few of them. */
export function judgeCandles(
  condition: CandleCondition,
  closes: readonly number[],
  volumes: readonly number[],
  hysteresisPct: Percent,
): Verdict | undefined {
  if (closes.length < fewest(condition)) return undefined;
  const close = closes.at(-1)!;
  const run = (next: (value: number) => number): number => closes.reduce((_, value) => next(value), Number.NaN);
  const h = Number(hysteresisPct) / 100;
  const compared = (value: number, bound: number, names: [string, string]): Verdict | undefined =>
    Number.isNaN(value) || Number.isNaN(bound)
      ? undefined
      : {
          ...beside(value, 'relation' in condition ? condition.relation : 'above', bound, Math.abs(bound) * h, false),
          facts: { [names[0]]: rounded(value), [names[1]]: rounded(bound), found: `${rounded(value)} / ${rounded(bound)}` },
        };
  switch (condition.kind) {
    case 'rsi': {
      const rsi = createRsi(condition.period);
      const value = run(rsi.next);
      return Number.isNaN(value) ? undefined : compared(value, Number(condition.value), ['rsi', 'bound']);
    }
    case 'ema':
    case 'sma': {
      const average = condition.kind === 'ema' ? createEma : createSma;
      const fast = run(average(condition.period).next);
      if (condition.slowPeriod === undefined) return compared(close, fast, ['close', 'average']);
      return compared(fast, run(average(condition.slowPeriod).next), ['fast', 'slow']);
    }
    case 'macd': {
      const macd = createMacd(condition.fast, condition.slow, condition.signal);
      run(macd.next);
      return compared(macd.macd, macd.signal, ['macd', 'signal']);
    }
    case 'bollinger': {
      const bands = createBollinger(condition.period, Number(condition.deviations));
      run(bands.next);
      return compared(close, bands[condition.band], ['close', 'band']);
    }
    default: {
      const before = volumes.slice(-condition.candles - 1, -1);
      const average = before.reduce((sum, volume) => sum + volume, 0) / before.length;
      const volume = volumes.at(-1)!;
      if (!(average > 0)) return undefined;
      return {
        truth: volume >= average * Number(condition.times),
        left: volume < average * Number(condition.times),
        facts: {
          volume: rounded(volume),
          average: rounded(average),
          times: rounded(volume / average),
          found: `×${rounded(volume / average).toFixed(2)}`,
        },
      };
    }
  }
}

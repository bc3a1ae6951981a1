import { hash, hashText, normal, RecentMap, uniform } from './randomness.ts';
import { anchorOf } from './symbol-table.ts';

export const DAY = 86_400_000;
export const MINUTE = 60_000;
export const MINUTES = 1440;
/** The invented market begins here; nothing exists before. */
export const GENESIS = Date.UTC(2020, 0, 1);

/** Assets that are worth one unit of money: they only tremble. */
const STEADY = new Set(['USDT', 'USDC', 'FDUSD', 'TUSD', 'DAI', 'BUSD', 'USDP', 'EURI', 'AEUR', 'EUR', 'TRY', 'PAXG']);

type Series = { key: number; volatility: number; memory: number; regimeDays: number; nodes: number[] };

/**
 * Worth of every asset in USD as a random walk in logarithms: a common market factor times the asset's beta, plus
 * its own noise. Days are nodes of a mean-reverting walk, x(d+1) = memory·x(d) + e (AR(1)); the minutes between two
 * nodes are a Brownian bridge, so a day can be computed without any other minute. Volatility changes by regime (calm,
 * normal, wild) and by hour.
 */
export class AssetWalk {
  private readonly seed: number;
  private readonly factor: Series;
  private readonly own = new Map<string, { series: Series; beta: number; anchor: number }>();
  private readonly factorDays = new RecentMap<number, Float64Array>(256);
  private readonly assetDays = new RecentMap<string, Float64Array>(48);

  constructor(seed: number) {
    this.seed = seed;
    this.factor = { key: hash(seed, 0xfac), volatility: 0.022, memory: 0.998, regimeDays: 9, nodes: [0] };
  }

  /** Logarithm of the asset's USD worth at each minute edge of the day: 1,441 values, the last one is the next day's first. */
  minutes(asset: string, day: number): Float64Array {
    const id = `${asset}|${day}`;
    const known = this.assetDays.get(id);
    if (known) return known;
    const { series, beta, anchor } = this.traits(asset);
    const values = this.bridge(series, day);
    if (beta === 0) {
      for (let m = 0; m <= MINUTES; m += 1) values[m] = values[m]! + anchor;
    } else {
      const common = this.factorMinutes(day);
      for (let m = 0; m <= MINUTES; m += 1) values[m] = values[m]! + anchor + beta * common[m]!;
    }
    this.assetDays.set(id, values);
    return values;
  }

  /** Typical relative move of the asset within one minute of that day, for the wicks of its bars. */
  minuteVolatility(asset: string, day: number): number {
    const { series, beta } = this.traits(asset);
    const common = beta * this.factor.volatility * regime(this.factor, day);
    const own = series.volatility * regime(series, day);
    return Math.sqrt((common * common + own * own) / MINUTES);
  }

  private traits(asset: string): { series: Series; beta: number; anchor: number } {
    let traits = this.own.get(asset);
    if (!traits) {
      const key = hash(this.seed, hashText(asset));
      const steady = STEADY.has(asset);
      const beta = steady ? 0 : asset === 'BTC' ? 1 : asset === 'ETH' ? 1.2 : 0.7 + uniform(key, 1);
      const volatility =
        asset === 'USDT' ? 0 : steady ? 0.0004 : asset === 'BTC' ? 0.006 : asset === 'ETH' ? 0.014 : 0.018 + 0.03 * uniform(key, 2);
      const series = { key, volatility, memory: steady ? 0.5 : 0.988, regimeDays: 5, nodes: [0] };
      traits = { series, beta, anchor: Math.log(anchorOf(asset)) };
      this.own.set(asset, traits);
    }
    return traits;
  }

  private factorMinutes(day: number): Float64Array {
    let values = this.factorDays.get(day);
    if (!values) {
      values = this.bridge(this.factor, day);
      this.factorDays.set(day, values);
    }
    return values;
  }

  private bridge(series: Series, day: number): Float64Array {
    const values = new Float64Array(MINUTES + 1);
    if (series.volatility === 0) return values;
    const from = node(series, day);
    const to = node(series, day + 1);
    const key = hash(series.key, day ^ 0x5eed);
    const scale = (series.volatility * regime(series, day)) / Math.sqrt(MINUTES);
    let walk = 0;
    for (let m = 1, hour = 0; m <= MINUTES; m += 1) {
      if (m % 60 === 1) hour = 0.6 + 0.8 * uniform(key, 10_000 + m);
      walk += scale * hour * normal(key, m);
      values[m] = walk;
    }
    const slope = (to - from - walk) / MINUTES;
    for (let m = 0; m < MINUTES; m += 1) values[m] = values[m]! + from + slope * m;
    // Exactly the next day's first value: no rounding may part two days.
    values[MINUTES] = to;
    return values;
  }
}

/** Value of the daily walk; `day` counts from 1970. */
function node(series: Series, day: number): number {
  const first = GENESIS / DAY;
  const { nodes } = series;
  while (nodes.length <= day - first) {
    const d = first + nodes.length - 1;
    nodes.push(series.memory * nodes[nodes.length - 1]! + series.volatility * regime(series, d) * normal(series.key, d));
  }
  return nodes[day - first] ?? 0;
}

function regime(series: Series, day: number): number {
  const u = uniform(series.key ^ 0x7e61, Math.floor(day / series.regimeDays));
  return u < 0.45 ? 0.6 : u < 0.88 ? 1 : 2.1;
}

import type { Answer } from '@pilotfish/core/http/endpoint';
import { add, type Decimal, toText, ZERO } from '@pilotfish/core/money/decimal';
import { performanceOf, rangeOf } from '@pilotfish/core/performance/performance';
import type { getPerformance } from '@pilotfish/core/performance/performance-contract';
import { type CountedExit, narrows, type PerformanceFilter, type UncountedExit } from '@pilotfish/core/performance/performance-exits';
import { clockNames } from '@pilotfish/core/time/calendar-day';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import { timeZoneOf } from '../notifications/notifier.ts';
import { type EquityDaysParts, equityDays } from './equity-days.ts';
import { CURRENCY, exitSources, type OpenHolding, type SourceExit, type SourceParts } from './exit-sources.ts';
import { eachInTurns, inTurns } from './in-turns.ts';

export type PerformanceParts = Omit<EquityDaysParts, 'now' | 'sources'> &
  Omit<SourceParts, 'market'> & {
    readonly market: EquityDaysParts['market'] & SourceParts['market'];
    readonly equity: EquityDaysParts['sources'];
  };

/** What was earned over a range, and where it came from. */
export function performanceFeature({ database, now }: Pick<AppContext, 'database' | 'now'>, parts: PerformanceParts): Feature {
  const { market } = parts;
  const sources = exitSources(parts);
  const equity = equityDays({ ...parts, sources: parts.equity, now });
  const venueNow = (): number => market.asOf || now();

  return {
    handlers: {
      getPerformance: async ({ account, query }): Promise<Answer<typeof getPerformance>> => {
        const { mode, from, to, ...filter } = query;
        const timeZone = await timeZoneOf(database.queries, account.id);
        const { exits: found, names } = await sources[mode].exits(account.id);
        const held = await sources[mode].held(account.id);
        const { exits, uncounted } = await byDay(found, timeZone);
        const first = exits.find(({ isExit }) => isExit)?.day ?? null;
        const range = rangeOf({ from, to }, first, clockNames(timeZone)(venueNow()).day);
        const known = await equity.of(mode, account.id, range, timeZone, narrows(filter));
        return {
          mode,
          currency: CURRENCY,
          timeZone,
          ...(await inTurns(performanceOf({ exits, uncounted, range, filter, held, names, equity: known }))),
          open: openOf(held, filter),
          asOf: new Date(venueNow()).toISOString(),
        };
      },
    },
  };
}

async function byDay(found: readonly SourceExit[], timeZone: string): Promise<{ exits: CountedExit[]; uncounted: UncountedExit[] }> {
  const clock = clockNames(timeZone);
  const [exits, uncounted]: [CountedExit[], UncountedExit[]] = [[], []];
  await eachInTurns(found, ({ at, whose, walletId, coin, reason, net, fees, heldMs, isExit, cause }) => {
    const traits = { at, ...clock(at), whose, walletId, coin };
    if (cause === null && net !== null && reason !== null) exits.push({ ...traits, reason, net, fees, heldMs, isExit });
    // What no order sold is no exit that could be missed.
    else if (isExit) uncounted.push({ ...traits, reason, cause: cause ?? 'no-rate' });
  });
  return { exits, uncounted };
}

function openOf(held: readonly OpenHolding[], { bots = [], coins = [] }: PerformanceFilter): Answer<typeof getPerformance>['open'] {
  const own = held.filter(({ whose, coin }) => (bots.length === 0 || bots.includes(whose)) && (coins.length === 0 || coins.includes(coin)));
  let total: Decimal | null = ZERO;
  for (const { result } of own) total = total && result && add(total, result);
  return { result: total && toText(total), positions: own.length };
}

import type { AutoTradeConfig } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import {
  type ConditionVerdict,
  candleTimeframesOf,
  observedOf,
  timeframeMs,
  verdictValidUntil,
} from '@pilotfish/core/auto-trades/engine/condition-verdicts';
import type { FilterGroup } from '@pilotfish/core/prices/screener-contract';
import { verdictsOf } from '@pilotfish/core/prices/screener-engine';
import type { ScreenerTable } from '@pilotfish/core/prices/screener-table';
import type { FigureTable } from '../prices/figure-table.ts';
import type { ScreenerService } from '../prices/screener-service.ts';

/** How long after a close its candles may be late before the coin counts as unknown, venue ms. */
const PATIENCE_MS = 90_000;
const CANDLE_MS = { '15m': 900_000, '1h': 3_600_000, '4h': 14_400_000, '1d': 86_400_000 } as const;

export type BotConditions = ReturnType<typeof botConditions>;

/** The entry and exit rules of a bot's settings; undefined where it has none. */
export function conditionsOf(config: AutoTradeConfig): { entry: FilterGroup | undefined; exit: FilterGroup | undefined } | undefined {
  const entry = config.entry.trigger.kind === 'conditions' ? config.entry.trigger.rules : undefined;
  const exit = config.exit.conditions ?? undefined;
  return entry || exit ? { entry, exit } : undefined;
}

/**
 * Judges the conditions of bots at each close of their timeframe. A coin whose candles of that close are not there yet
 * is judged when they come, or counts as unknown when they are too late.
 */
export function botConditions({
  screener,
  figures,
}: {
  screener: Pick<ScreenerService, 'tableFor'>;
  figures: Pick<FigureTable, 'row' | 'candleAt'>;
}) {
  /** Whether every figure that a filter makes of candles is that of the last close before `close`. */
  const isFresh = (row: number, filter: FilterGroup, close: number): boolean =>
    candleTimeframesOf(filter).every((timeframe) => {
      const length = CANDLE_MS[timeframe];
      return figures.candleAt(row, timeframe) >= Math.floor(close / length) * length - length;
    });

  return {
    /**
     * What a bot's conditions say of its coins, judged at the newest close of its timeframe. Coins in `judged` were
     * judged at this close already and are left out. Empty for a bot without conditions.
     * @throws AppError `exchange-unreachable` while the market cannot be read
     */
    judge: async (
      bot: { readonly accountId: string; readonly config: AutoTradeConfig; readonly symbols: readonly string[] },
      judged: ReadonlyMap<string, number>,
      at: number,
    ): Promise<{ readonly close: number; readonly verdicts: ReadonlyMap<string, ConditionVerdict> }> => {
      const length = timeframeMs(bot.config.timeframe);
      const close = Math.floor(at / length) * length;
      const verdicts = new Map<string, ConditionVerdict>();
      const asked = conditionsOf(bot.config);
      const due = asked ? bot.symbols.filter((symbol) => (judged.get(symbol) ?? Number.NEGATIVE_INFINITY) < close) : [];
      if (!asked || due.length === 0) return { close, verdicts };
      const sides = [asked.entry, asked.exit];
      const tables: (ScreenerTable | undefined)[] = [];
      for (const filter of sides) tables.push(filter && (await screener.tableFor(bot.accountId, filter)));
      const answers = sides.map((filter, side) => (filter ? verdictsOf(tables[side]!, filter) : undefined));
      for (const symbol of due) {
        const row = figures.row(symbol);
        const late = at - close > PATIENCE_MS;
        const of = (side: 0 | 1): { verdict: boolean | null; fresh: boolean; observed: Record<string, string> } => {
          const filter = sides[side];
          if (!filter) return { verdict: null, fresh: true, observed: {} };
          if (row === undefined) return { verdict: null, fresh: false, observed: {} };
          const fresh = isFresh(row, filter, close);
          return { verdict: fresh ? (answers[side]![row] ?? null) : null, fresh, observed: observedOf(tables[side]!, row, filter) };
        };
        const [entry, exit] = [of(0), of(1)];
        if (!(entry.fresh && exit.fresh) && !late) continue;
        verdicts.set(symbol, {
          at,
          entry: entry.verdict,
          exit: exit.verdict,
          observed: { ...entry.observed, ...exit.observed },
          validUntil: verdictValidUntil(close, bot.config.timeframe),
        });
      }
      return { close, verdicts };
    },
  };
}

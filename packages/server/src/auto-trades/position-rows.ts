import type { PositionState } from '@pilotfish/core/auto-trades/position/auto-trade-position-machine';
import type { PositionContext, PositionSettings } from '@pilotfish/core/auto-trades/position/position-state';
import { upgradedContext } from '@pilotfish/core/auto-trades/position/position-upgrade';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import type { PositionRow } from './auto-trades-store.ts';
import type { BotStart } from './bot-runner.ts';

/** A stored position with the settings it lives by again, in the newest shape of a context. */
export const withSettings = (context: PositionRow['context'], settings: PositionSettings): PositionContext =>
  upgradedContext({ ...context, settings, effects: [] });

/** A position for storage: without what is found elsewhere. */
export function withoutSettings({ settings: _settings, effects: _effects, ...rest }: PositionContext): PositionRow['context'] {
  return rest;
}

type StoredPosition = { readonly state: PositionState; readonly context: PositionContext };

/** Stored positions as an engine is told them: with the settings of their config version, and with what is known of their pair. */
export const storedContexts = (
  positions: readonly PositionRow[],
  { start, pairOf }: { readonly start: Pick<BotStart, 'bot' | 'walletMode' | 'configs'>; readonly pairOf: (symbol: string) => Pair },
): StoredPosition[] =>
  positions.flatMap(({ state, context, runNo, symbol: stored, configVersion, takerFee }) => {
    const config = start.configs.get(configVersion);
    if (!config) return [];
    const { symbol, baseAsset, quoteAsset, filters, pricePrecision } = pairOf(stored);
    const own = { autoTradeId: start.bot.id, runNo, mode: start.walletMode, config, configVersion, takerFee };
    return [{ state, context: withSettings(context, { ...own, symbol, baseAsset, quoteAsset, filters, pricePrecision }) }];
  });

import type { PositionContext, PositionSettings } from '@pilotfish/core/auto-trades/position/position-state';
import { upgradedContext } from '@pilotfish/core/auto-trades/position/position-upgrade';
import type { PositionRow } from './auto-trades-store.ts';

/** A stored position with the settings it lives by again, in the newest shape of a context. */
export const withSettings = (context: PositionRow['context'], settings: PositionSettings): PositionContext =>
  upgradedContext({ ...context, settings, effects: [] });

/** A position for storage: without what is found elsewhere. */
export function withoutSettings({ settings: _settings, effects: _effects, ...rest }: PositionContext): PositionRow['context'] {
  return rest;
}

import { type Decimal, decimal, greaterThan, isPositive, maximum, subtract, sum, toText, ZERO } from '../../money/decimal.ts';
import { spendable, type WalletBook } from '../../wallets/wallet-book.ts';
import type { AutoTradeConfig } from '../config/auto-trade-config.ts';
import { planRebuys } from './entry-plan.ts';
import { noRebuyTrail, released, undrawn } from './position-fills.ts';
import { changesOf, orNone } from './position-levels.ts';
import { stopLossPrice, textOf } from './position-lines.ts';
import { log, next, type Reducer, setAsideFor } from './position-orders.ts';
import {
  type Effect,
  type LadderLevel,
  type MarketMoment,
  type MovedLevels,
  type PositionContext,
  type PositionEvent,
  UNLISTED,
} from './position-state.ts';
import { expiryTrace } from './position-traces.ts';

const TAKEN_AWAY: LadderLevel = { dropPct: '0', quote: '0', reserve: '0' };

/** Whether the protected cost that is drawn was drawn by other settings than the new ones. */
export function changeEndsLine(context: PositionContext, event: PositionEvent): boolean {
  return event.type === 'settings.changed' && context.line !== null && changesTrailing(context, event.config);
}
const changesTrailing = ({ settings }: PositionContext, next: AutoTradeConfig): boolean =>
  JSON.stringify(settings.config.trailingCost) !== JSON.stringify(next.trailingCost);

/**
 * What has to stay set aside for a position with a new rest of its ladder: the part of a buy that is in flight does not
 * come back before that has ended, whatever the new ladder says.
 */
function neededFor(context: PositionContext, ladder: readonly LadderLevel[]): Decimal {
  const { order } = context;
  const reserves = ladder.map((level) => decimal(level.reserve));
  if (order?.purpose !== 'entry' && order?.purpose !== 'rebuy') return sum(reserves);
  const level = order.level ?? context.rebuysDone;
  const own = setAsideFor(context, order.purpose, level);
  // The entry is no level of the ladder, and a rebuy that bought something already has used up its level.
  if (order.purpose === 'entry' || context.rebuysDone > level) return sum([own, ...reserves]);
  return sum([maximum(own, reserves[0] ?? ZERO), ...reserves.slice(1)]);
}

/**
 * The event that gives a position new settings. Its ladder is null when the wallet cannot set aside what the rest of
 * the new one needs: then the position keeps the old one.
 */
export function settingsChangeOf(
  context: PositionContext,
  config: AutoTradeConfig,
  configVersion: number,
  moment: MarketMoment,
  wallet: WalletBook,
): Extract<PositionEvent, { type: 'settings.changed' }> {
  // Of a pair that is not listed any more nothing can be bought: its order gave back what was set aside.
  const planned = context.attention === UNLISTED ? [] : planRebuys({ ...context.settings, config }, context.entryQuote);
  const ladder = planned.slice(context.rebuysDone);
  const more = subtract(neededFor(context, ladder), decimal(context.reserved));
  const payable = !isPositive(more) || !greaterThan(more, decimal(spendable(wallet.sums, wallet.reservePct)));
  return { type: 'settings.changed', ...moment, config, configVersion, ladder: payable ? ladder : null };
}

/** What the owner moved stays where it is, unless the new settings say something else of that very level. */
function stillMoved({ moved, settings }: PositionContext, next: AutoTradeConfig): MovedLevels | null {
  if (!moved) return null;
  const isSame = (section: 'stopLoss' | 'trailingCost' | 'takeProfit') =>
    JSON.stringify(settings.config[section]) === JSON.stringify(next[section]);
  return orNone({
    stop: isSame('stopLoss') ? moved.stop : null,
    trailingStart: isSame('trailingCost') ? moved.trailingStart : null,
    takeProfit: isSame('takeProfit') ? moved.takeProfit : [],
  });
}

/**
 * New settings for a position that is held: lines, stop and levels are those of the new settings from here on. Orders
 * in flight stay as they are; a line drawn by other settings ends. The rest of the ladder is set aside anew.
 */
export const settingsChanged: Reducer<'settings.changed'> = (context, event) => {
  const { config, configVersion } = event;
  const effects: Effect[] = [];
  const change: { -readonly [Key in keyof PositionContext]?: PositionContext[Key] } = {
    settings: { ...context.settings, config, configVersion },
    // A low is followed by the settings that began it; the next price at the level begins anew, or buys.
    ...noRebuyTrail,
    refused: null,
  };
  // A protected cost that is spent was so by the old settings.
  if (changesTrailing(context, config)) change.lineDisarmed = false;
  if (changeEndsLine(context, event)) {
    effects.push(
      expiryTrace(
        context,
        config.trailingCost.enabled ? 'ConfigChanged' : 'Disabled',
        event,
        config.trailingCost.enabled ? 'rearm' : 'disarm',
      ),
    );
    Object.assign(change, undrawn);
  }
  change.moved = stillMoved(context, config);
  const levels = config.takeProfit.levels.length;
  change.levelsDone = Math.min(context.levelsDone, Math.max(0, levels - 1));
  if (event.ladder) {
    const needed = neededFor(context, event.ladder);
    const more = subtract(needed, decimal(context.reserved));
    if (isPositive(more)) effects.push({ kind: 'wallet', entry: { kind: 'reserve', amount: toText(more) } });
    else effects.push(...released(toText(subtract(decimal(context.reserved), needed))));
    Object.assign(change, {
      // Levels that are done stay in front, so that the next keeps its number: also one that was taken away while it was bought.
      ladder: [...Array.from({ length: context.rebuysDone }, (_, level) => context.ladder[level] ?? TAKEN_AWAY), ...event.ladder],
      reserved: toText(needed),
    });
  } else effects.push(log('LADDER_KEPT', 'warning', { reserved: context.reserved }));
  const changed = { ...context, ...change };
  const stop = greaterThan(decimal(changed.quantity), decimal('0')) ? stopLossPrice(changed) : null;
  return next(changed, { stopPrice: textOf(stop), stopSince: null }, [
    log('SETTINGS_CHANGED', 'info', { version: configVersion }),
    ...changesOf(context, changed),
    ...effects,
  ]);
};

import { type BotAction, type BotPositionAction, botAction, botPositionAction, type Withheld } from './auto-trades-contract.ts';
import {
  type AutoTradeContext,
  type AutoTradeEvent,
  type AutoTradeStateName,
  autoTradeMachine,
  isFrozen,
  mayTrade,
} from './engine/auto-trade-machine.ts';
import type { PositionState } from './position/auto-trade-position-machine.ts';
import { autoTradePositionMachine } from './position/auto-trade-position-machine.ts';
import type { PositionContext, PositionEvent } from './position/position-state.ts';

/** The event of the bot's machine that an action becomes. */
export const BOT_EVENTS = {
  acknowledge: { type: 'bot.enabled', acknowledge: true },
  enable: { type: 'bot.enabled', acknowledge: false },
  resume: { type: 'pause.ended' },
  unfreeze: { type: 'bot.disabled', exits: 'continue' },
  disable: { type: 'bot.disabled', exits: 'continue' },
  freeze: { type: 'bot.disabled', exits: 'freeze' },
  reset: { type: 'bot.reset' },
  delete: { type: 'bot.deleted' },
  halt: { type: 'bot.halted', reason: '' },
} as const satisfies Record<BotAction, AutoTradeEvent>;

/**
 * What may be asked of a bot now, as its machine answers. What the machine takes and would change nothing is left out: a
 * halt is acknowledged only where there is one, only what is frozen is unfrozen, and freezing is for what holds something
 * whose exits are sent.
 */
export function allowedBotActions(state: AutoTradeStateName, context: AutoTradeContext, holds: boolean): BotAction[] {
  const bot = autoTradeMachine.resolveState({ value: state, context: { data: context } });
  const means: Partial<Record<BotAction, boolean>> = {
    acknowledge: context.mustAcknowledge,
    unfreeze: isFrozen(state, context),
    disable: state !== 'disabled',
    freeze: holds && mayTrade(state, context),
  };
  return botAction.options.filter((action) => (means[action] ?? true) && bot.can(BOT_EVENTS[action]));
}

/**
 * What needs keys that may trade: letting a live bot look for entries, and a sale at its owner's word. Unfreezing, the
 * kill switch and letting a position go on do not: exits that are owed are sent, and the exchange decides.
 */
export const NEEDS_TRADING = {
  bot: new Set<BotAction>(['acknowledge', 'enable', 'resume']),
  position: new Set<BotPositionAction>(['sell']),
} as const;

/**
 * Splits what a machine takes into what is allowed and what the keys of a live wallet withhold, which is shown as
 * disabled with its reason rather than not at all.
 * @param denied the exchange says that the keys may not trade; false for a paper wallet
 */
export function withoutTrading<Action extends BotAction | BotPositionAction>(
  actions: readonly Action[],
  needsTrading: ReadonlySet<Action>,
  denied: boolean,
): { allowed: Action[]; withheld: Withheld<Action>[] } {
  const isWithheld = (action: Action) => denied && needsTrading.has(action);
  return {
    allowed: actions.filter((action) => !isWithheld(action)),
    withheld: actions.filter(isWithheld).map((action) => ({ action, reason: 'trading-disabled' })),
  };
}

/** No guard of what a person asks for looks at the market; a position without a price yet is refused by its engine. */
const anyMoment = { at: 0, price: '1', bid: '1', ask: '1' };
/** The event of the position's machine that an action becomes. */
export const POSITION_EVENTS = {
  resume: { type: 'position.resumed', ...anyMoment },
  carryOver: { type: 'position.carriedOver', factor: '1', ...anyMoment },
  sell: { type: 'exit.decided', reason: 'Manual', ...anyMoment },
  detach: { type: 'position.detached', at: 0 },
  target: { type: 'target.set', price: null, at: 0 },
  levels: { type: 'levels.moved', moved: null, at: 0 },
} as const satisfies Record<BotPositionAction, PositionEvent>;

/**
 * What may be asked of a position now, as its machine answers.
 * @param orders false where no order of its bot may be sent (halted, or its exits frozen): then a sale is not offered
 */
export function allowedBotPositionActions(state: PositionState, context: PositionContext, orders: boolean): BotPositionAction[] {
  const position = autoTradePositionMachine.resolveState({ value: state, context: { data: context } });
  return botPositionAction.options.filter((action) => (orders || action !== 'sell') && position.can(POSITION_EVENTS[action]));
}

import { type AutoTradeContext, autoTradeMachine, newAutoTradeContext } from '../src/auto-trades/auto-trade-machine.ts';
import { type MachinePath, transitionPaths } from './machine-paths.ts';

/** Events of the bot's machine that a person causes; the others come from protections and the exchange. */
const BY_A_PERSON = new Set(['bot.enabled', 'bot.disabled', 'bot.halted', 'bot.reset', 'bot.deleted']);

/**
 * The paths of the bot's machine that a person can walk, each beginning with a saved bot: walked by the browser's and
 * by the terminal's end-to-end tests alike.
 */
export const pathsOfAPerson: readonly MachinePath[] = transitionPaths(autoTradeMachine, {
  input: newAutoTradeContext,
  identity: ({ mustAcknowledge, exits }: AutoTradeContext) => [mustAcknowledge, exits],
  cases: {
    'bot.saved': [{}],
    'bot.enabled': [{ acknowledge: false }, { acknowledge: true }],
    'bot.disabled': [{ exits: 'continue' }, { exits: 'freeze' }],
    'bot.halted': [{ reason: 'kill-switch' }],
    'bot.reset': [{}],
    'bot.deleted': [{}],
    'bot.paused': [{ reason: 'protection', until: 1 }],
    'bot.blocked': [{ reason: 'invalid-key' }],
    'pause.ended': [{}],
    'block.cleared': [{}],
  },
  stopWhen: (snapshot: { context: AutoTradeContext }) => snapshot.context.runNo > 2,
} as never)
  .filter((path) => path.steps[1]?.event.type === 'bot.saved')
  .filter((path) => path.steps.slice(2).every((step) => BY_A_PERSON.has(step.event.type)));

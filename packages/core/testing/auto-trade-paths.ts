import { allowedBotActions } from '../src/auto-trades/allowed-actions.ts';
import type { BotAction } from '../src/auto-trades/auto-trades-contract.ts';
import {
  type AutoTradeContext,
  type AutoTradeEvent,
  type AutoTradeStateName,
  advanceAutoTrade,
  autoTradeMachine,
  isFrozen,
  newAutoTradeContext,
} from '../src/auto-trades/engine/auto-trade-machine.ts';
import type { Boxed } from '../src/statechart/pure-actions.ts';
import { type MachinePath, pathBy, testModelOf, transitionPaths } from './machine-paths.ts';

/** Events of the bot's machine that a person causes; the others come from protections and the exchange. */
const BY_A_PERSON = new Set(['bot.enabled', 'bot.disabled', 'bot.halted', 'bot.reset', 'bot.deleted']);

/** What can happen to a bot, with the payloads that make a difference. */
export const botCases = {
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
};

/**
 * The paths of the bot's machine that a person can walk, each beginning with a saved bot: walked by the browser's and
 * by the terminal's end-to-end tests alike.
 */
export const pathsOfAPerson: readonly MachinePath[] = transitionPaths(autoTradeMachine, {
  input: newAutoTradeContext,
  identity: ({ data: { mustAcknowledge, exits } }: Boxed<AutoTradeContext>) => [mustAcknowledge, exits],
  cases: botCases,
  stopWhen: (snapshot: { context: Boxed<AutoTradeContext> }) => snapshot.context.data.runNo > 2,
} as never)
  .filter((path) => path.steps[1]?.event.type === 'bot.saved')
  .filter((path) => path.steps.slice(2).every((step) => BY_A_PERSON.has(step.event.type)))
  .flatMap((path) => [path, ...(freezesWhatRuns(path) ? [unfrozenAgain(path)] : [])]);

/** The shortest way to a frozen bot is one that never ran: what it held can be unfrozen only on this one. */
function freezesWhatRuns({ steps }: MachinePath): boolean {
  const [, , first, second] = steps;
  const event = second?.event as AutoTradeEvent | undefined;
  return steps.length === 4 && first?.event.type === 'bot.enabled' && event?.type === 'bot.disabled' && event.exits === 'freeze';
}
function unfrozenAgain(path: MachinePath): MachinePath {
  const [first, ...others] = path.steps;
  const events = others.map(({ event }) => event);
  return pathBy(testModelOf(autoTradeMachine), first!.state, [...events, { type: 'bot.disabled', exits: 'continue' }]);
}

/** What a person presses for an event of the machine; undefined for what is not theirs. */
export function actionOf(event: AutoTradeEvent, state: AutoTradeStateName, context: AutoTradeContext): BotAction | undefined {
  switch (event.type) {
    case 'bot.enabled':
      return context.mustAcknowledge && event.acknowledge ? 'acknowledge' : 'enable';
    case 'bot.disabled':
      return event.exits === 'freeze' ? 'freeze' : isFrozen(state, context) ? 'unfreeze' : 'disable';
    case 'bot.halted':
      return 'halt';
    case 'bot.reset':
      return 'reset';
    case 'bot.deleted':
      return 'delete';
    default:
      return undefined;
  }
}

/** What of a path can be pressed, of a bot that buys as soon as it runs: what is not offered is passed over. */
function pressesOf(path: MachinePath): BotAction[] {
  let state: AutoTradeStateName = 'disabled';
  let context = newAutoTradeContext;
  let holds = false;
  return path.steps.slice(2).flatMap((step) => {
    const event = step.event as AutoTradeEvent;
    const action = actionOf(event, state, context);
    if (action === undefined || !allowedBotActions(state, context, holds).includes(action)) return [];
    const next = advanceAutoTrade(state, context, event);
    if (next) ({ state, context } = next);
    holds = (holds || state === 'running') && action !== 'reset';
    return [action];
  });
}

/** The fewest of them in which everything that a person may press is pressed. */
export const pathsOfEachButton: readonly MachinePath[] = [...pathsOfAPerson]
  .sort((a, b) => b.steps.length - a.steps.length)
  .reduce<{ pressed: Set<string>; paths: MachinePath[] }>(
    ({ pressed, paths }, path) => {
      const presses = pressesOf(path);
      return presses.every((action) => pressed.has(action))
        ? { pressed, paths }
        : { pressed: new Set([...pressed, ...presses]), paths: [...paths, path] };
    },
    { pressed: new Set(), paths: [] },
  ).paths;

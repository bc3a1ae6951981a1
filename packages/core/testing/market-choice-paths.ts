import type { MarketChoice } from '../src/admin/market-choice-contract.ts';
import { type MarketChoiceContext, marketChoiceMachine } from '../src/admin/market-choice-machine.ts';
import { type MachinePath, transitionPaths } from './machine-paths.ts';

const rest = {
  market: 'simulated',
  bots: 2,
  runningBots: 0,
  openPositions: 0,
  liveOpenPositions: 0,
  wallets: 1,
  priceAlerts: 0,
  ledgerEntries: 3,
} as const;
/** The question of a first run. */
export const openChoice: MarketChoice = { market: 'simulated', decidedBy: 'default', reachable: true, changingTo: null, rests: [rest] };
const ofRunningBots: MarketChoice = { ...openChoice, decidedBy: 'admin', rests: [{ ...rest, runningBots: 1 }] };
const fixed: MarketChoice = { ...openChoice, decidedBy: 'environment' };
const settled: MarketChoice = { ...openChoice, decidedBy: 'admin' };
const changing: MarketChoice = { ...settled, changingTo: 'binance' };
const changed: MarketChoice = { ...settled, market: 'binance' };

export const marketChoiceIdentity = ({ choice, wanted, problem }: MarketChoiceContext): string =>
  [
    choice && `${choice.market} by ${choice.decidedBy}`,
    choice?.rests[0]?.runningBots && 'bots run',
    wanted && `to ${wanted}`,
    problem?.code,
  ]
    .filter(Boolean)
    .join(', ');

/** The paths of a market that is asked for, changed with and without running bots, fixed, refused, unreachable. */
export const pathsOfAMarketChoice: readonly MachinePath[] = transitionPaths(marketChoiceMachine, {
  identity: marketChoiceIdentity,
  cases: {
    'market.chosen': [{ market: 'simulated' }, { market: 'binance' }],
    'xstate.done.actor.getChoice': [{ output: openChoice }, { output: ofRunningBots }, { output: fixed }],
    'xstate.error.actor.getChoice': [{ error: { code: 'offline' } }],
    'xstate.done.actor.chooseMarket': [{ output: settled }, { output: changing }],
    'xstate.error.actor.chooseMarket': [{ error: { code: 'in-use' } }, { error: { code: 'storage-full' } }],
    'xstate.done.actor.awaitServer': [{ output: changed }, { output: { ...changed, reachable: false } }],
    'xstate.error.actor.awaitServer': [{ error: { code: 'offline' } }],
  },
});

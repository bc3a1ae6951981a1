import { type ExchangeConnectionContext, exchangeConnectionMachine } from '../src/exchange-connection/exchange-connection-machine.ts';
import { type MachinePath, transitionPaths } from './machine-paths.ts';

const permissions = { enableReading: true, enableSpotAndMarginTrading: true, warnings: ['no-ip-restriction'] };
export const connectionKeys = { clientId: 'k'.repeat(64), clientSecret: 'secret'.repeat(11) };
export const connectionIdentity = ({ permissions: held, offeredKeys }: ExchangeConnectionContext) =>
  [held && 'permissions', offeredKeys && 'offered'].filter(Boolean).join('+') || undefined;
const refused = [{ error: { code: 'withdrawals-enabled' } }, { error: { code: 'exchange-unreachable' } }];

/** The paths of keys that are connected, replaced and deleted, with what server and exchange may answer. */
export const pathsOfAConnection: readonly MachinePath[] = transitionPaths(exchangeConnectionMachine, {
  identity: connectionIdentity,
  cases: {
    'keys.submitted': [connectionKeys],
    'xstate.done.actor.getPermissions': [{ output: permissions }],
    'xstate.error.actor.getPermissions': [{ error: { code: 'not-connected' } }, { error: { code: 'exchange-unreachable' } }],
    'xstate.done.actor.connect': [{ output: permissions }],
    'xstate.error.actor.connect': refused,
    'xstate.done.actor.disconnect': [{ output: undefined }],
    'xstate.error.actor.disconnect': [{ error: { code: 'not-connected' } }, { error: { code: 'connection-in-use' } }],
    'xstate.done.actor.createDemoAccount': [{ output: connectionKeys }],
    'xstate.error.actor.createDemoAccount': [{ error: { code: 'offline' } }],
  },
});

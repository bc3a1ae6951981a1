import { fromPromise } from 'xstate';
import type { Client } from '../http/client.ts';
import type { ExchangeKeys, exchangeConnectionContract, Permissions } from './exchange-connection-contract.ts';

/** The calls of the exchange-connection machine, as its `provide({ actors })` wants them. */
export const exchangeConnectionActors = (client: Client<typeof exchangeConnectionContract>) => ({
  getPermissions: fromPromise<Permissions>(({ signal }) => client.getBinancePermissions(undefined, { signal })),
  connect: fromPromise<Permissions, ExchangeKeys>(({ input, signal }) => client.connectBinance({ body: input }, { signal })),
  disconnect: fromPromise<void>(({ signal }) => client.disconnectBinance(undefined, { signal })),
  createDemoAccount: fromPromise<ExchangeKeys>(({ signal }) => client.createDemoAccount(undefined, { signal })),
});

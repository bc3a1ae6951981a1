import { type AutoTrade, autoTradeState } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { AutoTradeContext, AutoTradeEvent, AutoTradeStateName } from '@pilotfish/core/auto-trades/engine/auto-trade-machine';
import type { Boxed } from '@pilotfish/core/statechart/pure-actions';
import { pathsOfAPerson, pathsOfEachButton } from '@pilotfish/core/testing/auto-trade-paths';
import { type MachinePath, title } from '@pilotfish/core/testing/machine-paths';
import { TIER } from '@pilotfish/core/testing/tiers';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedInUser } from '../src/app/testing/test-server.ts';
import { BUYS_AT_ONCE } from './bot-stage.ts';
import { type ExchangeStage, startExchangeStage } from './exchange-stage.ts';

// The paths of the bot's machine that a person can walk, freezing included, by the API of a real server: after each
// event the server has the state of the machine.

let stage: ExchangeStage;
let user: SignedInUser;
let wallet: Wallet;
beforeAll(async () => {
  stage = await startExchangeStage(13);
  user = await stage.server.register();
  const keys = await user.call('/gateway/v2/account/connect/binance/demo', { method: 'POST' });
  await user.call('/gateway/v2/account/connect/binance', { body: keys.body });
  wallet = (await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'paper', initialBalance: '100000' } })).body;
});
afterAll(() => stage?.close());

/** The call of the API for an event of the machine. */
const CALLS: Readonly<Record<string, (event: AutoTradeEvent, path: string) => Parameters<SignedInUser['call']>>> = {
  'bot.enabled': (event, path) => [`${path}/enable`, { body: { acknowledge: 'acknowledge' in event && event.acknowledge } }],
  'bot.disabled': (event, path) => [`${path}/disable`, { body: { exits: 'exits' in event ? event.exits : 'continue', sellNow: true } }],
  'bot.halted': (_, path) => ['/bff/v2/auto-trades/halt', { body: { scope: 'bot', autoTradeId: path.split('/').at(-1) } }],
  'bot.reset': (_, path) => [`${path}/reset`, { body: { detach: true } }],
  'bot.deleted': (_, path) => [`${path}?detach=true`, { method: 'DELETE' }],
};

const paths = TIER === 'deep' ? pathsOfAPerson : pathsOfEachButton;
test.each(paths.map((path): [string, MachinePath] => [title(path), path]))('%s', async (_, path) => {
  const { body } = await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', { body: { ...BUYS_AT_ONCE, walletId: wallet.id } });
  const at = `/bff/v2/auto-trades/${body.autoTrade.id}`;
  const events = Object.fromEntries(
    Object.entries(CALLS).map(([type, call]) => [
      type,
      async ({ event }: { event: object }) => {
        const { status } = await user.call(...call(event as AutoTradeEvent, at));
        // What the machine does not take is refused.
        expect([200, 204, 409]).toContain(status);
      },
    ]),
  );
  await path.test({
    events,
    states: {
      '*': async ({ value, context }) => {
        // Before it is saved there is nothing to ask for.
        if (value === 'draft') return;
        const { status, body: bot } = await user.call<AutoTrade>(at);
        const { runNo, exits } = (context as Boxed<AutoTradeContext>).data;
        if (value === 'deleted') expect(status).toBe(404);
        else expect([bot.state, bot.runNo, bot.exits]).toEqual([nameOf(value as AutoTradeStateName), runNo, exits]);
      },
    },
  });
  await user.call(`${at}?detach=true`, { method: 'DELETE' });
  // Calls of an account are counted a minute.
  await stage.time.advance(60_000);
});

/** A state of the machine as the API calls it. */
const nameOf = (state: AutoTradeStateName) => autoTradeState.options.find((name) => name.toLowerCase() === state);

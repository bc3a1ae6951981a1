import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import {
  type AutoTradeContext,
  type AutoTradeEvent,
  type AutoTradeStateName,
  advanceAutoTrade,
  newAutoTradeContext,
} from '@pilotfish/core/auto-trades/engine/auto-trade-machine';
import { pathsOfAPerson } from '@pilotfish/core/testing/auto-trade-paths';
import { type MachinePath, title } from '@pilotfish/core/testing/machine-paths';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, openAccount } from './stage.ts';

// The paths of the bot's machine that a person can walk, typed in a terminal against the real server and the
// simulated exchange. The browser walks the same ones.

let account: Account;
let user: SignedInUser;
let wallet: Wallet;
let count = 0;

beforeAll(async () => {
  account = await openAccount();
  ({ user } = account);
  wallet = (await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'paper', initialBalance: '1000' } })).body;
});
afterAll(() => account?.close());

const words = (event: AutoTradeEvent, id: string): string[] | undefined => {
  switch (event.type) {
    case 'bot.enabled':
      return ['bots', 'enable', id, ...(event.acknowledge ? ['--acknowledge'] : [])];
    case 'bot.disabled':
      return ['bots', 'disable', id, '--exits', event.exits];
    case 'bot.halted':
      return ['bots', 'halt', id];
    case 'bot.reset':
      return ['bots', 'reset', id];
    case 'bot.deleted':
      return ['bots', 'rm', id];
    default:
      return undefined;
  }
};

const NAMES: Record<AutoTradeStateName, AutoTrade['state']> = {
  draft: 'Draft',
  disabled: 'Disabled',
  running: 'Running',
  paused: 'Paused',
  blocked: 'Blocked',
  halted: 'Halted',
  deleted: 'Deleted',
};

type Titled = [string, MachinePath];
const verbOf = ({ steps }: MachinePath): string => JSON.stringify(steps.at(-1)?.event);
/** For each verb the first path that ends with it, and for each path whether it is that one. */
const firsts = new Map(Array.from(pathsOfAPerson, (path) => [verbOf(path), path] as const).reverse());
const titled = (wanted: boolean): Titled[] =>
  pathsOfAPerson.filter((path) => (firsts.get(verbOf(path)) === path) === wanted).map((path) => [title(path), path]);

test.each(titled(true))('%s', (_, path) => walk(path));
test.each(titled(false))('%s', (_, path) => walk(path));

async function walk(path: MachinePath): Promise<void> {
  count += 1;
  const { body } = await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', {
    body: {
      name: `Bot ${count}`,
      walletId: wallet.id,
      coins: { symbols: ['BTCUSDT'] },
      entry: { size: { mode: 'fixed', value: '100' }, trigger: { kind: 'drop', dropPct: '80', lookbackMin: 5 } },
      stopLoss: { mode: 'none' },
    },
  });
  const { id } = body.autoTrade;
  let state: AutoTradeStateName = 'draft';
  let context: AutoTradeContext = newAutoTradeContext;
  for (const { event } of path.steps.slice(1)) {
    const typed = words(event as AutoTradeEvent, id);
    const next = advanceAutoTrade(state, context, event as AutoTradeEvent);
    if (typed) {
      const terminal = account.open([...typed, '--yes']);
      const { exitCode } = await terminal.ended();
      // What the machine does not allow is refused with its own exit code; the rest is done.
      if (!next) expect([exitCode, terminal.screen()]).toEqual([8, expect.stringMatching(/\S/)]);
      else expect([exitCode, exitCode === 0 ? '' : terminal.screen()]).toEqual([0, '']);
    }
    if (next) ({ state, context } = next);
    const answer = await user.call<AutoTrade>(`/bff/v2/auto-trades/${id}`);
    if (state === 'deleted') {
      expect(answer.status).toBe(404);
      return;
    }
    expect([answer.body.state, answer.body.runNo]).toEqual([NAMES[state], context.runNo]);
  }
}

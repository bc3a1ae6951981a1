import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Account, openAccount, openStage, type Stage } from './stage.ts';
import { openTerminal } from './terminal.ts';

// A bot made in a terminal, question by question: what the server has against an answer is said at once, and nothing is saved unasked.

let stage: Stage;
let account: Account;
beforeEach(async () => {
  stage = await openStage();
  account = await openAccount();
});
afterEach(() => account?.close());

const DOWN = '\u001b[B';
const SIZE = { rows: 100, columns: 160 };
const bots = async () => (await account.user.call<AutoTrade[]>('/bff/v2/auto-trades')).body;
const openWallet = () =>
  account.user.call('/bff/v2/wallets', {
    method: 'POST',
    body: { name: 'Main', mode: 'paper', currency: 'USDT', initialBalance: '1000', reservePct: '1' },
  });
const create = (words: readonly string[] = []) => account.open(['bots', 'create', ...words], SIZE);
const PRESET = /Start from a preset[^\n]*\n❯ Cautious/;
const NEXT = /What next\?[^\n]*\n❯ Save, disabled/;

test('from a preset: a coin that is none and a size too small are asked for again, then it is saved as it was reviewed', async () => {
  await openWallet();
  const terminal = create();
  await terminal.see(PRESET);
  terminal.press('enter');
  await terminal.see(/Name:$/);
  terminal.type('\r');
  await terminal.see(/Type an answer[^\n]*\nName:$/);
  terminal.type('Dip\r');
  await terminal.see(/Wallet [^\n]*\n❯ Main · paper · 1,000\.00 USDT/);
  terminal.press('enter');
  await terminal.see(/Coins or coin filters[^\n]*:$/);
  terminal.type('btc, NOSUCHUSDT\r');
  await terminal.see(/NOSUCHUSDT[^\n]*\nCoins[^\n]*\[BTCUSDT, NOSUCHUSDT\]:$/);
  terminal.type('btc\r');
  await terminal.see(/at most \[2\]:$/);
  terminal.type('\r');
  await terminal.see(/Size of an entry in USDT[^\n]*\[15\]:$/);
  terminal.type('1\r');
  await terminal.see(/Size of an entry[^\n]*\n[^\n]+\nSize of an entry in USDT[^\n]*\[1\]:$/);
  terminal.type('5%\r');
  await terminal.see(/When to enter[^\n]*\n❯ After a drop/);
  terminal.press('enter');
  await terminal.see(/Drop before an entry, in percent \[5\]:$/);
  terminal.type('4\r');
  await terminal.see(/highest price \[720\]:$/);
  terminal.type('\r');
  await terminal.see(/How many rebuys[^\n]*\[0\]:$/);
  terminal.type('2\r');
  await terminal.see(/Drop before each rebuy, in percent \[3\]:$/);
  terminal.type('2\r');
  await terminal.see(/Gains at which to take profit[^\n]*\[1\.5\]:$/);
  terminal.type('two\r');
  await terminal.see(/two is not a level[^\n]*\nGains at which/);
  terminal.type('2:50,3:50\r');
  await terminal.see(/Stop loss [^\n]*\n❯ Sell at a loss that I set/);
  terminal.press('enter');
  await terminal.see(/Loss at which to sell, in percent \[4\]:$/);
  terminal.type('8\r');
  await terminal.see(NEXT);
  expect(terminal.screen()).toMatch(
    /Entry {2}5% · Drop of 4% within 12 h[\s\S]*2 rebuys[\s\S]*50% at \+2%, 50% at \+3%[\s\S]*BTCUSDT[\s\S]*At most .* are tied up/,
  );
  expect(await bots()).toEqual([]);
  terminal.press('enter');
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 });
  expect(terminal.screen()).toMatch(/Dip is saved, not enabled\.[^\n]*bots enable/);
  expect(await bots()).toMatchObject([
    {
      name: 'Dip',
      state: 'Disabled',
      config: {
        coins: { symbols: ['BTCUSDT'] },
        maxOpenPositions: 2,
        entry: { size: { mode: 'percentOfWallet', value: '5' }, trigger: { kind: 'drop', dropPct: '4', lookbackMin: 720 } },
        rebuys: { generator: { count: 2, stepPct: '2' } },
        takeProfit: { levels: [{ gainPct: '2' }, { gainPct: '3' }] },
        stopLoss: { mode: 'percent', pct: '8' },
      },
    },
  ]);
});

/** All questions with what stands there, up to the review. */
async function answerAll(terminal: ReturnType<typeof create>, name: string) {
  await terminal.see(PRESET);
  terminal.type(`${DOWN.repeat(3)}\r`);
  await terminal.see(/Name:$/);
  // Typed ahead: each is for the question it comes to.
  terminal.type(`${name}\r\rETHUSDT\r\r\r\r\r\r\r\r${DOWN}\r`);
  await terminal.see(/What next\?/);
}

test('a name that is taken is named in the review and corrected; Esc goes back a question and at the first one leaves, with nothing saved', async () => {
  await openWallet();
  const first = create();
  await answerAll(first, 'Twin');
  first.press('enter');
  expect(await first.ended()).toMatchObject({ exitCode: 0 });
  const second = create();
  await answerAll(second, 'Twin');
  await second.see(/Before it can be saved\n *Name: Another bot is called Twin\.[\s\S]*❯ Correct Name: Twin/);
  expect(second.screen()).not.toContain('Save, disabled');
  second.press('enter');
  await second.see(/Name \[Twin\]:$/);
  second.type('Other\r');
  await second.see(NEXT);
  second.press('ctrl-c');
  expect(await second.ended()).toMatchObject({ exitCode: 130 });
  expect(await bots()).toHaveLength(1);
  const third = create();
  await third.see(PRESET);
  third.press('enter');
  await third.see(/Name:$/);
  third.press('escape');
  await third.see(PRESET);
  third.press('escape');
  expect(await third.ended()).toMatchObject({ exitCode: 2 });
  expect(await bots()).toHaveLength(1);
});

test('a save whose answer is lost is sent again and makes one bot; a dry run makes none', async () => {
  await openWallet();
  let isLost = true;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const answer = await globalThis.fetch(input, init);
    const url = input instanceof Request ? input.url : input.toString();
    if (init?.method === 'POST' && url.includes('/auto-trades') && url.includes('validateOnly=false') && isLost)
      throw new TypeError('fetch failed');
    return answer;
  };
  const terminal = openTerminal(['bots', 'create'], { ...account.env }, SIZE, { now: stage.server.now, fetch });
  await answerAll(terminal, 'Once');
  terminal.press('enter');
  await terminal.see(/What next\?[^\n]*Save, disabled\n[\s\S]*\n[^\n]*\nWhat next\?[^\n]*\n❯ Save, disabled/);
  isLost = false;
  terminal.press('enter');
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 });
  expect((await bots()).map(({ name }) => name)).toEqual(['Once']);
  const dry = create(['--dry-run']);
  await answerAll(dry, 'Never');
  await dry.see(/❯ Finish: every rule is met/);
  dry.press('enter');
  expect(await dry.ended()).toMatchObject({ exitCode: 0 });
  expect(await bots()).toHaveLength(1);
});

test('saved and started in one go: chosen at the review, or by --start; what every step invests and loses stands before', async () => {
  await openWallet();
  const terminal = create();
  await answerAll(terminal, 'Chosen');
  terminal.type(`${DOWN}\r`);
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 });
  expect(terminal.screen()).toMatch(/Invested +Stop price +Loss at stop[\s\S]*Save and start[\s\S]*Running/);
  const run = (...words: string[]) =>
    account.pipe.run(['bots', 'create', '--wallet', 'Main', '--coins', 'BTCUSDT', '--size', '50', ...words]);
  const flags = ['--stop-loss', '8', '--take-profit', '3', '--drop', '5'];
  const byFlag = await run('--name', 'Flagged', ...flags, '--start');
  expect(byFlag).toMatchObject({ exit: 0 });
  expect(byFlag.stdout).toMatch(/Flagged\nstate\tRunning\n/);
  expect(Object.fromEntries((await bots()).map(({ name, state }) => [name, state]))).toEqual({ Chosen: 'Running', Flagged: 'Running' });
  expect(await run('--name', 'Neither', ...flags, '--start', '--dry-run')).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('--dry-run'),
  });
});

test('without a wallet it says how to open one; without a terminal it names the flag', async () => {
  const none = create();
  expect(await none.ended()).toMatchObject({ exitCode: 8 });
  expect(none.screen()).toContain('pilotfish wallets add');
  const piped = await account.pipe.run(['bots', 'create']);
  expect(piped).toMatchObject({ exit: 2 });
  expect(piped.stderr).toContain('--file');
});

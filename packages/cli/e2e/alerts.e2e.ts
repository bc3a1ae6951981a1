/** @module-tag smoke */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { AlertFiring, PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { until } from '@pilotfish/core/testing/until';
import { type ReceivingServer, startReceivingServer } from '@pilotfish/server/app/testing/receiving-server';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, openAccount, openStage, type Stage } from './stage.ts';

// Alerts, notifications and the chat from a shell: a real server, a simulated exchange, the other ends on loopback.

let simulator: Stage['simulator'];
let server: Stage['server'];
let telegram: Stage['telegram'];
let receiver: ReceivingServer;
let account: Account;
let user: SignedInUser;
let folder: string;
let pipe: Account['pipe'];

beforeAll(async () => {
  ({ simulator, server, telegram } = await openStage());
  receiver = await startReceivingServer();
  account = await openAccount();
  ({ user, folder, pipe } = account);
});
afterAll(async () => {
  await receiver?.close();
  account?.close();
});

const UNDERSTOOD = /Understood|:/;
const add = (line: string) => pipe.json<PriceAlert>(['alerts', 'add', line], UNDERSTOOD);
const list = () => pipe.json<PriceAlert[]>(['alerts', 'ls']);
const removeAll = async () => {
  for (const { id } of await list()) expect((await pipe.run(['alerts', 'rm', id, '--yes'])).exit).toBe(0);
};

test('an alert from its line to its end', async () => {
  const made = await add('BTC > 900k # far away');
  expect(made).toMatchObject({ symbol: 'BTCUSDT', condition: { kind: 'above', level: '900000' }, note: 'far away', state: 'Armed' });
  const end = made.id.slice(-8);
  expect((await pipe.run(['alerts', 'ls', '--fields', 'symbol,state,id'])).stdout).toBe(`BTCUSDT\tArmed\t${made.id}\n`);
  expect(await pipe.json(['alerts', 'edit', end, 'BTC < 5k'], UNDERSTOOD)).toMatchObject({
    id: made.id,
    condition: { kind: 'below', level: '5000' },
  });
  const asleep = await pipe.json<PriceAlert>(['alerts', 'snooze', end, '8h']);
  expect(Date.parse(asleep.snoozedUntil ?? '') - server.now()).toBeGreaterThan(7.9 * 3600_000);
  expect(await pipe.json(['alerts', 'snooze', end, 'off'])).toMatchObject({ snoozedUntil: null });
  expect(await pipe.json(['alerts', 'disable', end])).toMatchObject({ state: 'Disabled', enabled: false });
  expect(await pipe.json(['alerts', 'ls', '--state', 'armed'])).toEqual([]);
  expect(await pipe.json(['alerts', 'enable', 'btcusdt'])).toMatchObject({ state: 'Armed' });
  // It has not fired: there is nothing to have seen.
  const unseen = await pipe.run(['alerts', 'ack', end]);
  expect(unseen).toMatchObject({ exit: 8, stderr: expect.stringContaining('it sends no reminders') });
  // Without a person to ask and without --yes nothing is deleted.
  expect((await pipe.run(['alerts', 'rm', end])).exit).toBe(2);
  expect(await list()).toHaveLength(1);
  expect(await pipe.run(['alerts', 'rm', end, '--yes'])).toMatchObject({ exit: 0, stdout: '' });
  expect(await list()).toEqual([]);
});

test('from a file with exact levels; a word that is wrong, and what does not exist', async () => {
  const file = join(folder, 'alert.yaml');
  writeFileSync(file, 'symbol: BTCUSDT\ncondition:\n  kind: above\n  level: 900000.10\nrepeat: every\ncooldownMin: 5\n');
  expect(await pipe.json(['alerts', 'add', '--file', file])).toMatchObject({
    condition: { level: expect.stringMatching(/^900000\.10?$/) },
    repeat: 'every',
    cooldownMin: 5,
  });
  writeFileSync(file, 'condition: [');
  expect((await pipe.run(['alerts', 'add', '--file', file])).exit).toBe(2);
  expect(await pipe.run(['alerts', 'add', '--file', join(folder, 'none.yaml')])).toMatchObject({ exit: 2 });
  expect(await pipe.run(['alerts', 'add', 'BTC > many'])).toMatchObject({ exit: 2, stdout: '', stderr: expect.stringContaining('many') });
  expect(await pipe.run(['alerts', 'add', 'BTC > many', '--lang', 'tr'])).toMatchObject({ exit: 2 });
  expect(await pipe.run(['alerts', 'add', 'BTCUSDT > €70000'])).toMatchObject({
    exit: 2,
    stdout: '',
    stderr: expect.stringContaining('BTCUSDT > 70000'),
  });
  expect(await add("BTC > 970'000")).toMatchObject({ symbol: 'BTCUSDT', condition: { level: '970000' } });
  expect((await pipe.run(['alerts', 'add'])).exit).toBe(2);
  expect((await pipe.run(['alerts', 'ls', '--state', 'asleep'])).stderr).toContain('Armed');
  expect((await pipe.run(['alerts', 'snooze', 'ffffffff'])).exit).toBe(7);
  expect((await pipe.run(['alerts', 'snooze', 'btcusdt', 'soon'])).exit).toBe(2);
  await add('BTC < 5k');
  expect(await pipe.run(['alerts', 'ack', 'BTCUSDT'])).toMatchObject({ exit: 2, stderr: expect.stringContaining('BTCUSDT') });
  expect((await pipe.run(['alerts', 'ls'], { env: { PILOTFISH_TOKEN: '' } })).exit).toBe(4);
  await removeAll();
});

/** `alerts watch` in a pipe, read as it writes. */
function watching(words: readonly string[]) {
  const run = pipe.start(['alerts', 'watch', ...words]);
  return {
    said: run.said,
    see: run.see,
    end: () => {
      run.kill('SIGTERM');
      return run.ended;
    },
  };
}

/** A wire to the server that can be cut and mended. */
async function cuttable(port: number) {
  const open = new Set<Socket>();
  let isCut = false;
  const proxy = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cut: async () => {
      isCut = true;
      for (const socket of open) socket.destroy();
    },
    mend: () => {
      isCut = false;
    },
  };
}
/** An alert that holds already, made and fired: where the pair has no price yet, it fires with its first. */
const fire = async (note: string) => {
  const body = { symbol: 'BTCUSDT', condition: { kind: 'above', level: '1' }, fireIfTrue: true, note };
  const made = await user.call<PriceAlert>('/bff/v2/price-alerts', { body });
  expect(made.status).toBe(201);
  await until(
    `the firing of ${note}`,
    async () => {
      const history = await user.call<{ items: AlertFiring[] }>(`/bff/v2/price-alerts/history`);
      return history.body.items.some(({ priceAlertId }) => priceAlertId === made.body.id);
    },
    { meanwhile: () => simulator.clock.advance(1_000) },
  );
  return made.body;
};

test('a watch tells every firing once, also those of a lost connection; its command gets them and may fail', async () => {
  const out = join(folder, 'fired.txt');
  const command = `cat >> '${out}'; printf '%s|%s\\n' "$PILOTFISH_ALERT_SYMBOL" "$PILOTFISH_ALERT_TITLE" >> '${out}'; exit 3`;
  const before = await fire('before the watch');
  const wire = await cuttable(Number(new URL(server.url).port));
  const watch = watching(['--jsonl', '--exec', command, '--url', wire.url]);
  await watch.see(() => watch.said.stderr !== '');
  const lines = () => watch.said.stdout.trim().split('\n').filter(Boolean);
  await fire('first');
  await watch.see(() => lines().length === 1);
  expect(JSON.parse(lines()[0]!)).toMatchObject({ symbol: 'BTCUSDT', note: 'first' });
  await wire.cut();
  await watch.see(() => /lost/i.test(watch.said.stderr));
  await fire('while nobody listened');
  wire.mend();
  await watch.see(() => lines().length === 2);
  await fire('afterwards');
  await watch.see(() => lines().length === 3);
  expect(lines().map((each) => (JSON.parse(each) as AlertFiring).note)).toEqual(['first', 'while nobody listened', 'afterwards']);
  await watch.see(() => watch.said.stderr.match(/3/g)?.length === 3);
  expect(await watch.end()).toBe(143);
  const written = readFileSync(out, 'utf8').trim().split('\n');
  expect(JSON.parse(written[0]!) as AlertFiring).toMatchObject({ note: 'first', late: false });
  expect(written.filter((each) => !each.startsWith('{'))).toEqual(Array(3).fill('BTCUSDT|BTCUSDT is above 1'));
  await wire.cut();
  const history = await pipe.json<AlertFiring[]>(['alerts', 'history']);
  expect(history.map(({ note }) => note)).toEqual(['afterwards', 'while nobody listened', 'first', 'before the watch']);
  expect((await pipe.run(['alerts', 'history', before.id, '--fields', 'symbol,note'])).stdout).toBe('BTCUSDT\tbefore the watch\n');
  expect((await pipe.run(['alerts', 'history', '--limit', 'many'])).exit).toBe(2);
  await removeAll();
});

type Settings = { kinds: { kind: string; channels: string[] }[]; quietHours: { enabled: boolean; from: string; timeZone: string } };

test('notifications: what there is, where it goes, when it rests, and a test of each way', async () => {
  const unread = async () => (await pipe.json<{ items: { id: string; kind: string }[] }>(['notifications', 'ls', '--unread'])).items;
  const before = new Set((await unread()).map(({ id }) => id));
  await fire('to be read');
  const newest = await until('news of the firing', async () =>
    (await unread()).find(({ id, kind }) => kind === 'price-alert' && !before.has(id)),
  );
  expect((await pipe.run(['notifications', 'read', newest.id.slice(-12)])).exit).toBe(0);
  expect((await unread()).map(({ id }) => id)).not.toContain(newest.id);
  expect(await pipe.run(['notifications', 'read', 'nothing'])).toMatchObject({ exit: 7 });
  expect((await pipe.run(['notifications', 'read', 'all'])).exit).toBe(0);
  expect(await unread()).toEqual([]);
  expect((await pipe.run(['notifications', 'ls', '--kind', 'gossip'])).exit).toBe(2);
  const set = await pipe.json<Settings>(['notifications', 'set', 'price-alert', 'telegram,email']);
  expect(set.kinds.find(({ kind }) => kind === 'price-alert')?.channels.sort()).toEqual(['email', 'telegram']);
  expect((await pipe.json<Settings>(['notifications', 'set', 'bot-trade', 'none'])).kinds).toContainEqual(
    expect.objectContaining({ kind: 'bot-trade', channels: [] }),
  );
  expect(await pipe.run(['notifications', 'set', 'price-alert', 'pigeon'])).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('telegram'),
  });
  expect((await pipe.json<Settings>(['notifications', 'quiet', '23:00-08:00', '--zone', 'Europe/Istanbul'])).quietHours).toMatchObject({
    enabled: true,
    from: '23:00',
    timeZone: 'Europe/Istanbul',
  });
  expect((await pipe.json<Settings>(['notifications', 'quiet', 'off'])).quietHours.enabled).toBe(false);
  expect((await pipe.run(['notifications', 'quiet', 'late'])).exit).toBe(2);
  expect((await pipe.run(['notifications', 'settings'])).stdout).toContain('price-alert');
  // The key alone on stdout, so that a script can keep it.
  const { stdout, exit } = await pipe.run(['notifications', 'webhook', `${receiver.url}/hook`]);
  expect({ exit, key: /^[\w-]{20,}\n$/.test(stdout) }).toEqual({ exit: 0, key: true });
  expect((await pipe.run(['notifications', 'test', 'webhook'])).exit).toBe(0);
  expect(receiver.calls.at(-1)?.headers['pilotfish-signature']).toMatch(/^v1=/);
  receiver.answerWith(500);
  expect((await pipe.run(['notifications', 'test', 'webhook'])).exit).toBe(1);
  expect((await pipe.run(['notifications', 'test', 'email'])).exit).not.toBe(0);
  expect((await pipe.run(['notifications', 'webhook', 'off'])).exit).toBe(0);
  await removeAll();
});

test('the chat is linked with the code of the bot, and taken away', async () => {
  expect(await pipe.json(['telegram', 'status'])).toMatchObject({ connected: false, available: true, botName: 'pilotfish_test_bot' });
  const terminal = account.open(['telegram', 'connect'], { columns: 120, rows: 60 });
  const screen = await terminal.see(/t\.me\/pilotfish_test_bot\?start=([\w-]+)/);
  const start = /\?start=([\w-]+)/.exec(screen)?.[1] ?? '';
  const chat = telegram.chat(4711);
  const met = await chat.say(`/start ${start}`);
  const code = /telegram-connect\?code=([\w-]+)/.exec(met.text)?.[1] ?? '';
  terminal.type(`${code}\r`);
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 });
  expect(await pipe.json(['telegram', 'status'])).toMatchObject({ connected: true });
  expect((await pipe.run(['telegram', 'connect', 'wrong-code'])).exit).not.toBe(0);
  expect((await pipe.run(['notifications', 'test', 'telegram'])).exit).toBe(0);
  expect(chat.messages().at(-1)?.text).toContain('<b>');
  expect((await pipe.run(['telegram', 'disconnect'])).exit).toBe(2);
  expect((await pipe.run(['telegram', 'disconnect', '--yes'])).exit).toBe(0);
  expect(await pipe.json(['telegram', 'status'])).toMatchObject({ connected: false });
});

test('in Turkish and in a terminal', async () => {
  const terminal = account.open(['alerts', 'add', 'BTC 900 binin üstüne çıkarsa', '--lang', 'tr'], { columns: 160 });
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 });
  expect(terminal.screen()).toContain('900,000');
  const [made] = await list();
  const asked = account.open(['alerts', 'rm', made!.id, '--lang', 'en'], { columns: 160 });
  await asked.see(/BTCUSDT.*\?/);
  asked.type('n\r');
  expect(await asked.ended()).toMatchObject({ exitCode: 1 });
  expect(await list()).toHaveLength(1);
  await removeAll();
});

test('with nothing said a terminal asks for the line until it is understood; what an alert does not take is refused by name', async () => {
  const terminal = account.open(['alerts', 'add'], { columns: 160 });
  await terminal.see(/New alert:[^\n]*\n[^\n]*e\.g\. BTC > 70k/);
  terminal.type('BTC > many\r');
  await terminal.see(/many was not understood\.[^\n]*\nNew alert:/);
  terminal.type('BTC > 910k\r');
  await terminal.see(/Understood: BTCUSDT is above 910,000\. Set this alert\? \[y\/N\]$/);
  terminal.type('y\r');
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 });
  expect(await list()).toMatchObject([{ symbol: 'BTCUSDT', condition: { kind: 'above', level: '910000' }, state: 'Armed' }]);
  const refused = await pipe.run(['alerts', 'enable', 'BTCUSDT', '--json']);
  expect(refused).toMatchObject({ exit: 8, stdout: '' });
  expect(JSON.parse(refused.stderr)).toMatchObject({
    status: 409,
    code: 'not-possible-now',
    detail: '“BTCUSDT is above 910,000” is “Armed”: it is already on.',
  });
  await removeAll();
});

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@pilotfish/core/http/wire';
import type { AlertFiring, PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { until as untilSeen } from '@pilotfish/core/testing/until';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '../src/app/testing/mail-server.ts';
import { BEGIN, flat, line, MINUTE, writeMarket } from './path-market.ts';
import { buildServerProgram, callerOf, type ServerProgram } from './server-process.ts';

// A server of its own that is killed between an alert's firing and the mail about it: told after the restart, once.
// Only who dies after the other side took the mail and before that is noted sends it again, under the same Message-ID.

const QUIET = 60;
const PATH = [...flat(100_000, QUIET + 5), ...line(100_000, 101_000, 10), ...flat(101_000, 600)];
/** Longer than whoever died may keep a delivery to itself. */
const LEASE_MS = 40_000;

let folder: string;
let simulator: Simulator;
let mail: MailServer;
let program: ServerProgram;
let child: ChildProcess | undefined;
let url = '';
let call: ReturnType<typeof callerOf>['call'];

beforeAll(async () => {
  program = await buildServerProgram('./alert-crash-entry.ts');
});
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pilotfish-alert-crash-'));
  mail = await startMailServer();
  const market = writeMarket(join(folder, 'market'), { paths: { BTCUSDT: PATH } });
  simulator = await startSimulator({ market: { kind: 'replay', folder: market, start: BEGIN + QUIET * MINUTE }, paused: true });
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await simulator?.close();
  await mail?.close();
  rmSync(folder, { recursive: true, force: true });
});
afterAll(() => program.remove());

async function start(crashAt: string, aheadMs: number): Promise<void> {
  ({ child, url } = await program.start(join(folder, 'data'), {
    SMTP_URL: mail.url,
    PILOTFISH_CRASH_AT: crashAt,
    PILOTFISH_AHEAD_MS: String(aheadMs),
    PILOTFISH_EXCHANGE_REST_URL: simulator.origin,
    PILOTFISH_EXCHANGE_WS_URL: simulator.wsOrigin,
  }));
}
const until = (what: string, holds: () => boolean | Promise<boolean>, stepMs = 0) =>
  untilSeen(what, holds, { meanwhile: stepMs > 0 ? () => simulator.clock.advance(stepMs) : undefined });
const plain = (text: string) => text.replace(/=\r?\n/g, '').replace(/=3D/g, '=');
const mailsOf = (title: string) => mail.messages.filter((text) => text.includes(title));
const idsOf = (mails: readonly string[]) => mails.map((text) => /^Message-ID: (\S+)/im.exec(text)?.[1]);
const alertAt = (level: string, more: object = {}) =>
  call<PriceAlert>('/bff/v2/price-alerts', { symbol: 'BTCUSDT', condition: { kind: 'above', level }, channels: ['app', 'email'], ...more });

test.each([
  ['before its commit', 1],
  ['after its commit', 1],
  ['before its sending', 1],
  ['after its sending', 2],
])('killed %s, a firing is told after the restart', async (moment, times) => {
  await start(moment, 0);
  const caller = callerOf(() => url);
  call = caller.call;
  await caller.register();
  await until('the first mail', () => mail.messages.some((text) => plain(text).includes('#confirm-email=')));
  const code = /#confirm-email=([\w-]+)/.exec(mail.messages.map(plain).join('\n'))?.[1];
  await call('/gateway/v1/account/confirm-email', { code });
  const alert = await alertAt('100500');
  const now = async () => (await call<PriceAlert[]>('/bff/v2/price-alerts')).find(({ id }) => id === alert.id)!;
  await until('the market being heard', async () => (await now()).lastPrice !== null, 1000);
  writeFileSync(join(folder, 'data', 'armed'), '');
  const dead = once(child!, 'exit');
  await until('its death', () => existsSync(join(folder, 'data', 'crashed')), 5000);
  expect(await dead).toEqual([null, 'SIGKILL']);
  expect(mailsOf('is above 100,500')).toHaveLength(times - 1);

  await start('', LEASE_MS);
  await until('the mail', () => mailsOf('is above 100,500').length === times, 100);
  const history = async () => (await call<Page<AlertFiring>>(`/bff/v2/price-alerts/history?priceAlertId=${alert.id}`)).items;
  await until(
    'its being noted',
    async () => (await history())[0]?.deliveries.some(({ channel, state }) => channel === 'email' && state === 'sent') === true,
  );
  expect(await history()).toHaveLength(1);
  expect(await now()).toMatchObject({ state: 'Fired', firedCount: 1 });

  // Another restart, another alert: the first one is over.
  child!.kill('SIGTERM');
  await once(child!, 'exit');
  await start('', 3 * LEASE_MS);
  await alertAt('1', { fireIfTrue: true });
  await until('the other mail', () => mailsOf('is above 1\r').length + mailsOf('is above 1\n').length > 0, 100);
  const told = mailsOf('is above 100,500');
  expect(told).toHaveLength(times);
  expect(new Set(idsOf(told)).size).toBe(1);
});

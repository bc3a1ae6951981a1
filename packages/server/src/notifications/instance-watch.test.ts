import type { NotificationSettings } from '@pilotfish/core/notifications/notifications-contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AppContext } from '../app/context.ts';
import { accountFeatures } from '../app/features.ts';
import { type SignedInUser, startTestServer, type TestServer } from '../app/testing/test-server.ts';
import { type InstanceWatch, instanceWatch } from './instance-watch.ts';
import { notificationsFeature } from './notifications-routes.ts';

const MINUTE = 60_000;
const world = { heardAt: 0, free: 0, size: 0 };
let server: TestServer;
let admin: SignedInUser;
let user: SignedInUser;
let watch: InstanceWatch;

beforeEach(async () => {
  const features = async (context: AppContext) => {
    watch = instanceWatch(context, { heardAt: () => world.heardAt, room: async () => ({ free: world.free, size: world.size }) });
    return [watch, notificationsFeature(context, { telegram: undefined }), ...(await accountFeatures(context))];
  };
  server = await startTestServer({ features });
  Object.assign(world, { heardAt: server.now(), free: 500e9, size: 1000e9 });
  admin = await server.register();
  user = await server.register();
});
afterEach(() => server.close());

/** Moves the clock on, and looks; `heard`: the market spoke until then. */
async function pass(minutes: number, heard: boolean): Promise<void> {
  server.advance(minutes * MINUTE);
  if (heard) world.heardAt = server.now();
  await watch.look();
}
type Listed = { items: { code: string; title: string; text: string }[] };
const told = async (who: SignedInUser) => {
  await server.context.mailer.deliver();
  who.session = await server.signIn(who);
  return (await who.call<Listed>('/bff/v2/notifications?kind=instance&pageSize=50')).body.items.reverse();
};
const codes = async (who: SignedInUser) => (await told(who)).map(({ code }) => code);

test('a market that is silent for minutes is told once to the Admins, and that it is back', async () => {
  await pass(4, false);
  await pass(0.5, true);
  expect(await codes(admin)).toEqual([]);
  await pass(0, true);
  for (const minutes of [4, 2, 10, 30]) await pass(minutes, false);
  expect(await codes(admin)).toEqual(['instance-stream-down']);
  await pass(1, true);
  await pass(1, true);
  const [down, back] = await told(admin);
  expect([down!.code, back!.code]).toEqual(['instance-stream-down', 'instance-stream-back']);
  expect(back!.text).toMatch(/no data for \d+ minutes, starting at 15 Jan 2026/);
  expect(await codes(user)).toEqual([]);
});

test('a disk that is nearly full is told once a day', async () => {
  await pass(1, true);
  expect(await codes(admin)).toEqual([]);
  world.free = 1e9;
  for (let look = 0; look < 3; look += 1) await pass(1, true);
  expect(await codes(admin)).toEqual(['instance-disk']);
  expect((await told(admin))[0]!.text).toContain('953 MB');
  await pass(24 * 60, true);
  expect(await codes(admin)).toEqual(['instance-disk', 'instance-disk']);
  // A large disk has room left at a small share, a small one at a large share.
  Object.assign(world, { free: 3e9, size: 1000e9 });
  await pass(24 * 60, true);
  Object.assign(world, { free: 1e9, size: 10e9 });
  await pass(24 * 60, true);
  expect(await codes(admin)).toHaveLength(2);
});

describe('mails that do not leave', () => {
  const mail = async (more: { sent_at?: number; failure?: string } = {}) => {
    const row = { channel: 'mail' as const, message: null, attempts: 3, due_at: server.now() + 1e12, created_at: server.now() };
    await server.context.database.queries
      .insertInto('mail_outbox')
      .values({ id: server.context.newId(), ...row, sent_at: null, failed_at: null, failure: 'ECONNREFUSED', ...more })
      .execute();
  };
  const sent = () => server.context.database.queries.updateTable('mail_outbox').set({ sent_at: server.now(), failure: null }).execute();

  test('are told once for as long as it lasts, also after a restart, and once when it is over', async () => {
    await server.context.mailer.settle();
    await server.context.database.queries.deleteFrom('mail_outbox').execute();
    await mail();
    await pass(29, true);
    expect(await codes(admin)).toEqual([]);
    for (let day = 0; day < 4; day += 1) {
      await pass(24 * 60, true);
      await mail();
      if (day === 1) await server.restart();
    }
    const [first, ...more] = await told(admin);
    expect([first!.code, ...more]).toEqual(['instance-outbox']);
    // A decoy leaves without anything being sent: it proves nothing.
    await mail({ sent_at: server.now() + 1, failure: 'decoy' });
    await pass(1, true);
    expect(await codes(admin)).toEqual(['instance-outbox']);
    await sent();
    for (let look = 0; look < 3; look += 1) await pass(60, true);
    expect(await codes(admin)).toEqual(['instance-outbox', 'instance-outbox-back']);
    await mail();
    await pass(31, true);
    expect((await codes(admin)).at(-1)).toBe('instance-outbox');
  });

  test('of one receiver while others get theirs are no outage', async () => {
    await server.context.mailer.settle();
    await mail();
    server.advance(20 * MINUTE);
    await mail({ sent_at: server.now(), failure: null as never });
    for (let look = 0; look < 50; look += 1) await pass(60, true);
    expect(await codes(admin)).toEqual([]);
  });

  test('are told also while one of before the outage waits for its receiver', async () => {
    await server.context.mailer.settle();
    await mail();
    server.advance(20 * MINUTE);
    await mail({ sent_at: server.now(), failure: null as never });
    await pass(60, true);
    await mail();
    await pass(29, true);
    expect(await codes(admin)).toEqual([]);
    await pass(2, true);
    expect(await codes(admin)).toEqual(['instance-outbox']);
  });
});

describe('text messages that do not leave', () => {
  const message = async (more: { channel?: 'mail'; sent_at?: number; failure?: null } = {}) => {
    const row = { channel: 'sms' as const, message: null, attempts: 3, due_at: server.now() + 1e12, created_at: server.now() };
    await server.context.database.queries
      .insertInto('mail_outbox')
      .values({ id: server.context.newId(), ...row, sent_at: null, failed_at: null, failure: 'ECONNREFUSED', ...more })
      .execute();
  };

  test('are told as what they are while mails leave, and once when they leave again', async () => {
    await server.context.mailer.settle();
    await server.context.database.queries.deleteFrom('mail_outbox').execute();
    await message();
    for (let look = 0; look < 3; look += 1) {
      await message({ channel: 'mail', sent_at: server.now(), failure: null });
      await pass(20, true);
    }
    await server.restart();
    await pass(1, true);
    const [first, ...more] = await told(admin);
    expect([first!.code, ...more]).toEqual(['instance-sms']);
    expect(first!.text).toContain('SMS_WEBHOOK_URL');
    await server.context.database.queries.updateTable('mail_outbox').set({ sent_at: server.now(), failure: null }).execute();
    for (let look = 0; look < 3; look += 1) await pass(60, true);
    expect(await codes(admin)).toEqual(['instance-sms', 'instance-sms-back']);
  });
});

test('only who looks after the instance routes what is told of it', async () => {
  const kinds = async (who: SignedInUser) =>
    (await who.call<NotificationSettings>('/bff/v2/notifications/settings')).body.kinds.map(({ kind }) => kind as string);
  expect(await kinds(admin)).toContain('instance');
  expect(await kinds(user)).not.toContain('instance');
  expect(await kinds(user)).toContain('position-broken');
});

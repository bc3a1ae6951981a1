import { readdirSync, readFileSync } from 'node:fs';
import type { LoginAnswer, Session } from '@pilotfish/core/auth/auth-contract';
import { DEVICE_HEADER } from '@pilotfish/core/http/endpoint-path';
import { TIER } from '@pilotfish/core/testing/tiers';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accountFeatures } from '../app/features.ts';
import { type SignedInUser, startTestServer, type TestServer } from '../app/testing/test-server.ts';
import { outboxFolder } from '../mail/mailer.ts';
import { totpCode } from './totp.ts';

// Others guess, flood and ask for mails, from as many networks as they like; the owner of the account still gets in.

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ features: accountFeatures, settings: { trustProxy: 1 } });
});
afterEach(() => server.close());

const gateway = (name: string) => `/gateway/v1/account/${name}`;
/** `device` is what it kept; the empty text asks for some. */
type From = { network: string; device?: string };
const headersOf = ({ network, device }: From) => ({
  'x-forwarded-for': network,
  ...(device !== undefined && { [DEVICE_HEADER]: device === '' ? 'none' : device }),
});
const login = (username: string, password: string, from: From) =>
  server.call<LoginAnswer>(gateway('login'), { body: { username, password }, headers: headersOf(from) });
const verify = (code: string, otpCode: string, from: From) =>
  server.call<Session>(gateway('verify-2fa'), { body: { otpCode }, token: code, headers: headersOf(from) });

/** Signs in with both factors; answers what the device keeps. */
async function signInFrom({ username, password, secretKey }: SignedInUser, from: From): Promise<string> {
  const begun = await login(username, password, from);
  expect(begun).toMatchObject({ status: 200 });
  const ended = await verify(begun.body.code, server.nextCode(secretKey), from);
  expect(ended).toMatchObject({ status: 200 });
  return ended.headers.get(DEVICE_HEADER) ?? '';
}
const wrongCode = (secretKey: string): string => {
  const right = [-60_000, -30_000, 0, 30_000, 60_000].map((offset) => totpCode(secretKey, server.now() + offset));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.includes(code)) ?? '';
};
async function linksTo(email: string): Promise<string[]> {
  await server.context.mailer.settle();
  await server.context.mailer.deliver();
  const folder = outboxFolder(server.dataDir);
  return readdirSync(folder)
    .sort()
    .map((name) =>
      readFileSync(`${folder}/${name}`, 'utf8')
        .replace(/=\r?\n/g, '')
        .replace(/=3D/g, '='),
    )
    .filter((mail) => mail.includes(email))
    .flatMap((mail) => /#code=([\w-]+)/.exec(mail)?.[1] ?? []);
}
/** Each case has networks of its own: what an earlier one did there still counts. */
let round = 0;
const networkOf = (index: number) => `10.${round}.${index}.7`;

type Deed = { kind: 'password' | 'code' | 'forgot' | 'reset'; network: number; spread: boolean; times: number; waitMs: number };
const deeds = fc.array(
  fc.record<Deed>({
    kind: fc.constantFrom('password', 'code', 'forgot', 'reset'),
    network: fc.nat({ max: 3 }),
    spread: fc.boolean(),
    times: fc.integer({ min: 1, max: 30 }),
    waitMs: fc.constantFrom(0, 0, 1000, 1_000_000),
  }),
  { minLength: 3, maxLength: 8 },
);

async function attack(owner: SignedInUser, { kind, network, spread, times, waitMs }: Deed): Promise<void> {
  server.advance(waitMs);
  for (let time = 0; time < times; time += 1) {
    // As fast as a network may write at all.
    server.advance(500);
    const from = { network: networkOf(spread ? network + time : network) };
    if (kind === 'password') await login(owner.username, `guess ${time}`, from);
    else if (kind === 'code') {
      const { status, body } = await login(owner.username, owner.password, from);
      if (status === 200) await verify(body.code, wrongCode(owner.secretKey), from);
    } else if (kind === 'forgot') await server.call(gateway('forgot-password'), { body: { email: owner.email }, headers: headersOf(from) });
    else
      await server.call(gateway('reset-password'), {
        body: { code: `guessed-${time}`, newPassword: 'taken over by me' },
        headers: headersOf(from),
      });
  }
}

test('whatever others try, from any number of networks, the owner signs in, proves who they are, and resets the password', async () => {
  await server.register();
  await fc.assert(
    fc.asyncProperty(deeds, fc.nat({ max: 3 }), async (attacks, home) => {
      round += 1;
      const owner = await server.register();
      const from = { network: networkOf(home) };
      const device = await signInFrom(owner, { ...from, device: '' });
      for (const deed of attacks) await attack(owner, deed);
      // At the first try, from a network that the attackers may share.
      await signInFrom(owner, { ...from, device });
      const proof = await server.call(gateway('step-up'), { body: { password: owner.password }, token: owner.session.accessToken });
      expect([200, 401]).toContain(proof.status);
      await server.call(gateway('forgot-password'), { body: { email: owner.email }, headers: headersOf({ ...from, device }) });
      const newest = (await linksTo(owner.email)).at(-1) ?? '';
      const reset = await server.call(gateway('reset-password'), {
        body: { code: newest, newPassword: 'another walking stick' },
        headers: headersOf(from),
      });
      expect(reset).toMatchObject({ status: 200 });
      await signInFrom({ ...owner, password: 'another walking stick' }, { ...from, device });
    }),
    {
      numRuns: TIER === 'deep' ? 60 : 4,
      // From the owner's own network; and from so many that the totals are used up.
      examples: [
        [(['forgot', 'reset', 'code', 'password'] as const).map((kind) => ({ kind, network: 0, spread: false, times: 40, waitMs: 0 })), 0],
        [(['code', 'password'] as const).map((kind) => ({ kind, network: 9, spread: true, times: 120, waitMs: 0 })), 0],
      ],
    },
  );
});

describe('what others are counted by', () => {
  test('a network by itself, all of them together by a looser total', async () => {
    const owner = await server.register();
    const statuses = async (count: number, networkAt: (index: number) => string) => {
      const answers: number[] = [];
      for (let index = 0; index < count; index += 1)
        answers.push((await login(owner.username, 'wrong', { network: networkAt(index) })).status);
      return answers;
    };
    expect(await statuses(8, () => '10.9.9.9')).toEqual([400, 400, 400, 400, 400, 400, 429, 429]);
    // Somebody else's network is not touched by that.
    expect((await login(owner.username, owner.password, { network: '10.8.8.8' })).status).toBe(200);
    expect((await statuses(200, (index) => `10.7.${index}.1`)).filter((status) => status === 429).length).toBeGreaterThan(80);
  });

  test('a known device by itself: its tries end, too, and change nothing for others', async () => {
    const owner = await server.register();
    const from = { network: '10.1.1.1', device: await signInFrom(owner, { network: '10.1.1.1', device: '' }) };
    const answers: number[] = [];
    for (let tries = 0; tries < 13; tries += 1) answers.push((await login(owner.username, 'wrong', from)).status);
    expect(answers.slice(-2)).toEqual([429, 429]);
    expect((await login(owner.username, owner.password, { network: '10.1.1.1' })).status).toBe(200);
  });

  test("another account's token, one that was changed, and one of a year ago are worth nothing", async () => {
    const [owner, other] = [await server.register(), await server.register()];
    const network = '10.2.2.2';
    const [own, foreign] = [await signInFrom(owner, { network, device: '' }), await signInFrom(other, { network, device: '' })];
    for (let tries = 0; tries < 8; tries += 1) await login(owner.username, 'wrong', { network });
    const changed = own.replace(/.$/, (letter) => (letter === 'A' ? 'B' : 'A'));
    for (const device of [foreign, changed, own.replace(/^[\da-f-]{36}/, 'x'), '', '~'])
      expect((await login(owner.username, owner.password, { network, device })).status).toBe(429);
    expect((await login(owner.username, owner.password, { network, device: `${foreign}~${own}` })).status).toBe(200);
    server.advance(366 * 86_400_000);
    for (let tries = 0; tries < 8; tries += 1) await login(owner.username, 'wrong', { network });
    expect((await login(owner.username, owner.password, { network, device: own })).status).toBe(429);
  });

  test('refreshing a session, and resetting a password, again and again makes no fresh budget', async () => {
    const owner = await server.register();
    const nonces = new Set<string>();
    let { session } = owner;
    for (let time = 0; time < 3; time += 1) {
      const answer = await server.call<Session>(gateway('refresh-token'), {
        method: 'POST',
        token: session.refreshToken,
        headers: { [DEVICE_HEADER]: 'none' },
      });
      session = answer.body;
      nonces.add(answer.headers.get(DEVICE_HEADER)?.split('.')[2] ?? '');
      server.advance(1000);
    }
    expect(nonces.size).toBe(1);
  });
});

test('a browser keeps its token in a cookie that no script reads; the header is for who asks by it', async () => {
  const owner = await server.register();
  const begun = await login(owner.username, owner.password, { network: '10.3.3.3' });
  const { headers } = await verify(begun.body.code, server.nextCode(owner.secretKey), { network: '10.3.3.3' });
  const cookie = headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/^pilotfish_device=[\w.-]+; Path=\/gateway\/v1\/account; Max-Age=31536000; HttpOnly; SameSite=Strict$/);
  expect(headers.get(DEVICE_HEADER)).toBeNull();
  for (let tries = 0; tries < 8; tries += 1) await login(owner.username, 'wrong', { network: '10.3.3.3' });
  expect((await login(owner.username, owner.password, { network: '10.3.3.3' })).status).toBe(429);
  const known = await server.call(gateway('login'), {
    body: { username: owner.username, password: owner.password },
    headers: { 'x-forwarded-for': '10.3.3.3', cookie: `language=tr; ${cookie.split(';')[0]}` },
  });
  expect(known.status).toBe(200);
});

test('a mail that somebody else asks for leaves earlier links good, until one is used; a flood sends no flood', async () => {
  const owner = await server.register();
  const forgot = (network: string) =>
    server.call(gateway('forgot-password'), { body: { email: owner.email }, headers: headersOf({ network }) });
  await forgot('10.4.4.4');
  const [first = ''] = await linksTo(owner.email);
  for (let index = 0; index < 40; index += 1) expect((await forgot(`10.5.${index}.1`)).status).toBe(202);
  const sent = await linksTo(owner.email);
  expect(sent).toHaveLength(5);
  const reset = (code: string) => server.call(gateway('reset-password'), { body: { code, newPassword: 'another walking stick' } });
  expect((await reset(first)).status).toBe(200);
  expect((await reset(sent.at(-1) ?? '')).body).toMatchObject({ code: 'code-expired' });
});

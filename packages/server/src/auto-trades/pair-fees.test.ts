import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { type CommissionPayload, commissionPayload } from '../exchange/payloads.ts';
import { pairFees, takerFeeOf } from './pair-fees.ts';

const answer = (taker: string, more: Partial<CommissionPayload> = {}): CommissionPayload => ({
  symbol: 'BTCUSDT',
  standardCommission: { maker: '0.001', taker, buyer: '0', seller: '0' },
  ...more,
});
const rates = (taker: string, seller = '0') => ({ maker: '0', taker, buyer: '0', seller });
const discount = (account: boolean, symbol: boolean, told = '0.75000000') => ({
  discount: { enabledForAccount: account, enabledForSymbol: symbol, discountAsset: 'BNB', discount: told },
});

test.each<[string, CommissionPayload, string]>([
  ['the standard commission', answer('0.00100000'), '0.001'],
  ['nothing of a pair that is free', answer('0.00000000', { specialCommission: rates('0') }), '0'],
  ['the discount of an account and a pair that have it', answer('0.001', discount(true, true)), '0.00075'],
  ['the same where it is told as what is taken off', answer('0.001', discount(true, true, '0.25000000')), '0.00075'],
  ['no discount on a pair that has none', answer('0.001', discount(true, false)), '0.001'],
  ['no discount for an account that did not ask for it', answer('0.001', discount(false, true)), '0.001'],
  [
    'special and tax commission on top, never reduced, with the dearer side',
    answer('0.001', { ...discount(true, true), specialCommission: rates('0.01'), taxCommission: rates('0.0001', '0.002') }),
    '0.01285',
  ],
])('a fee is %s', (_, payload, fee) => {
  expect(takerFeeOf(payload)).toBe(fee);
});

const published = resolve(import.meta.dirname, '../../../../../shared/data/exchange/published/spot-rest-api/accountCommission.json');
test.skipIf(!existsSync(published))('a fee of the payload that the exchange publishes (needs ../shared/data/exchange)', () => {
  const payload = commissionPayload.parse(JSON.parse(readFileSync(published, 'utf8')));
  expect(takerFeeOf(payload)).toBe('0.06000277');
});

/** An exchange that counts what it is asked, and may be away. */
function stage(fees: Readonly<Record<string, string>>) {
  const asked: string[] = [];
  const world = { refused: 0, now: 0, away: false, silent: false, hold: undefined as Promise<void> | undefined };
  const pair = pairFees({
    exchange: {
      commission: async (_, symbol) => {
        asked.push(symbol);
        const told = answer(fees[symbol] ?? '0.001');
        if (world.hold) {
          await world.hold;
          return told;
        }
        if (world.silent) await new Promise(() => undefined);
        if (world.away) throw new Error('away');
        if (world.refused !== 0) throw Object.assign(new Error('refused'), { code: world.refused });
        return told;
      },
    },
    accounts: { get: async (key) => ({ key, signer: { kind: 'hmac', apiKey: '', sign: () => '' } }) as never },
    now: () => world.now,
    timers: { wait: async () => (world.silent ? undefined : new Promise(() => undefined)) },
  });
  return { asked, world, pair };
}
const KEY = 'live:a';

test('each pair is asked once an hour, for whoever asks at the same time, too', async () => {
  const { asked, world, pair } = stage({ USDCUSDT: '0.00000000' });
  const [one, two] = await Promise.all([pair.of(KEY, ['USDCUSDT', 'BTCUSDT']), pair.of(KEY, ['BTCUSDT'])]);
  expect([one, two]).toEqual([{ USDCUSDT: '0', BTCUSDT: '0.001' }, { BTCUSDT: '0.001' }]);
  world.now = 3_599_999;
  await pair.of(KEY, ['BTCUSDT']);
  expect(asked).toEqual(['USDCUSDT', 'BTCUSDT']);
  world.now = 3_600_000;
  expect(pair.isDue(KEY, 'BTCUSDT')).toBe(true);
  await pair.of(KEY, ['BTCUSDT']);
  expect(asked).toHaveLength(3);
});

test('an exchange that is away leaves what was known, and nothing in place of what was not; it is asked again in a minute', async () => {
  const { asked, world, pair } = stage({ BTCUSDT: '0.0004' });
  await pair.of(KEY, ['BTCUSDT']);
  world.now = 3_600_000;
  world.away = true;
  expect(await pair.of(KEY, ['BTCUSDT', 'ETHUSDT'])).toEqual({ BTCUSDT: '0.0004' });
  expect(await pair.of(KEY, ['BTCUSDT', 'ETHUSDT'])).toEqual({ BTCUSDT: '0.0004' });
  expect(asked).toHaveLength(3);
  world.now += 60_000;
  world.away = false;
  expect(await pair.of(KEY, ['ETHUSDT'])).toEqual({ ETHUSDT: '0.001' });
});

test('an exchange that does not answer holds nobody up; new keys are asked for anew', async () => {
  const { asked, world, pair } = stage({});
  await pair.of(KEY, ['BTCUSDT']);
  world.silent = true;
  expect(await pair.of(KEY, ['BTCUSDT', 'ETHUSDT'])).toEqual({ BTCUSDT: '0.001' });
  pair.forget(KEY);
  expect([pair.isDue(KEY, 'BTCUSDT'), asked]).toEqual([true, ['BTCUSDT', 'ETHUSDT']]);
});

test('an answer to a question from before the terms changed is not kept', async () => {
  const fees = { BTCUSDT: '0.001' };
  const { asked, world, pair } = stage(fees);
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  world.hold = held;
  const before = pair.of(KEY, ['BTCUSDT']);
  await expect.poll(() => asked.length).toBe(1);
  pair.forget(KEY);
  world.hold = undefined;
  fees.BTCUSDT = '0.002';
  expect(await pair.of(KEY, ['BTCUSDT'])).toEqual({ BTCUSDT: '0.002' });
  answer();
  await before;
  expect(await pair.of(KEY, ['BTCUSDT'])).toEqual({ BTCUSDT: '0.002' });
});

test('whoever only looks waits for nothing: what is known is told, some of what is due is asked for, and no pair twice at once', async () => {
  const { asked, pair } = stage({ BTCUSDT: '0.0004' });
  const symbols = ['BTCUSDT', ...Array.from({ length: 8 }, (_, n) => `C${n}USDT`)];
  expect([pair.known(KEY, symbols), pair.known(KEY, symbols)]).toEqual([{}, {}]);
  await pair.of(KEY, ['BTCUSDT']);
  expect([pair.known(KEY, ['BTCUSDT']), asked]).toEqual([{ BTCUSDT: '0.0004' }, symbols.slice(0, 5)]);
});

test('looks that follow one another have no more under way than one; what is refused for good is not asked again at once', async () => {
  const { asked, world, pair } = stage({});
  let answer = (): void => undefined;
  world.hold = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const symbols = Array.from({ length: 12 }, (_, n) => `C${n}USDT`);
  for (let look = 0; look < 3; look += 1) {
    pair.known(KEY, symbols);
    await Promise.resolve();
  }
  await expect.poll(() => asked.length).toBe(5);
  answer();
  world.hold = undefined;
  await new Promise((done) => void setImmediate(done));
  world.refused = -1121;
  await pair.of(KEY, symbols);
  const after = asked.length;
  expect(after).toBe(12);
  world.now += 60_000;
  pair.known(KEY, symbols);
  await Promise.resolve();
  expect(asked.length).toBe(after);
});

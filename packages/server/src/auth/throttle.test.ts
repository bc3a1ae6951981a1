import { expect, test } from 'vitest';
import { describeEachDialect } from '../database/database-fixture.ts';
import { databaseThrottle, delaySeconds, RULES } from './throttle.ts';

const rules = Object.fromEntries(Object.keys(RULES).map((kind) => [kind, { free: 3 }])) as Record<keyof typeof RULES, { free: number }>;

test('the delay doubles after the free tries and ends at 15 minutes', () => {
  expect([1, 3, 4, 5, 6, 13, 14, 1000].map((failures) => delaySeconds(failures, { free: 3 }))).toEqual([0, 0, 1, 2, 4, 512, 900, 900]);
});

describeEachDialect('throttle', (open) => {
  test('tries are counted before they are made: of 50 at once only the free ones and one more pass', async (context) => {
    const throttle = databaseThrottle(await open(context), () => 1_000_000, rules);
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => throttle.reserve('account', 'ann')));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(4);
    await expect(throttle.reserve('account', 'ann')).rejects.toMatchObject({ code: 'throttled', retryAfter: 1 });
    await expect(throttle.reserve('account', 'bob')).resolves.toBeUndefined();
  });

  test('waiting helps, failing again waits longer, succeeding starts anew', async (context) => {
    let time = 1_000_000;
    const throttle = databaseThrottle(await open(context), () => time, rules);
    for (let count = 0; count < 4; count += 1) await throttle.reserve('account', 'ann');
    time += 1000;
    await throttle.reserve('account', 'ann');
    time += 1000;
    await expect(throttle.reserve('account', 'ann')).rejects.toMatchObject({ code: 'throttled', retryAfter: 1 });
    time += 1000;
    await throttle.reserve('account', 'ann');
    await throttle.succeed('account', 'ann');
    await throttle.reserve('account', 'ann');
  });

  test('an address gets only its own try back', async (context) => {
    let time = 1_000_000;
    const throttle = databaseThrottle(await open(context), () => time, rules);
    for (let count = 0; count < 3; count += 1) await throttle.reserve('address', '192.0.2.1');
    for (let count = 0; count < 5; count += 1) {
      await throttle.reserve('address', '192.0.2.1');
      await throttle.succeed('address', '192.0.2.1');
      time += 2000;
    }
    await throttle.reserve('address', '192.0.2.1');
    await expect(throttle.reserve('address', '192.0.2.1')).rejects.toMatchObject({ code: 'throttled' });
  });

  test('the addresses of one IPv6 network count together', async (context) => {
    const throttle = databaseThrottle(await open(context), () => 1_000_000, rules);
    for (let count = 0; count < 4; count += 1) await throttle.reserve('address', `2001:db8:1:2::${count}`);
    await expect(throttle.reserve('address', '2001:db8:1:2:ffff::9')).rejects.toMatchObject({ code: 'throttled' });
    await throttle.reserve('address', '2001:db8:1:3::1');
  });

  test('an hour without tries is forgotten and cleared', async (context) => {
    let time = 1_000_000;
    const database = await open(context);
    const throttle = databaseThrottle(database, () => time, rules);
    for (let count = 0; count < 4; count += 1) await throttle.reserve('account', 'ann');
    time += 3_600_001;
    for (let count = 0; count < 3; count += 1) await throttle.reserve('account', 'ann');
    time += 3_600_001;
    await throttle.purge();
    expect(await database.queries.selectFrom('throttles').selectAll().execute()).toEqual([]);
  });
});

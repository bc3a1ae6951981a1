import { startOfOrder } from '@pilotfish/core/auto-trades/position/position-ids';
import { expect, test } from 'vitest';
import { describeEachDialect } from './database-fixture.ts';
import { beginEpoch, type Installation } from './installation.ts';

const NOW = Date.UTC(2026, 0, 15, 12);
/** Bytes that repeat for the same seed. */
const bytesOf = (seed: number) => (count: number) => Uint8Array.from({ length: count }, (_, index) => (seed * 97 + index * 31) % 256);

describeEachDialect('epochs of an installation', (open) => {
  test('each start has one of its own, later than those before it; the tag stays', async (context) => {
    const database = await open(context);
    const starts: Installation[] = [];
    // The clock goes on, stands still, and is set back.
    for (const at of [NOW, NOW + 60_000, NOW + 60_000, NOW - 3_600_000]) starts.push(await beginEpoch(database, at, bytesOf(1)));
    expect(new Set(starts.map(({ tag }) => tag)).size).toBe(1);
    const epochs = starts.map(({ epoch }) => epoch);
    expect(new Set(epochs).size).toBe(4);
    expect([...epochs].sort()).toEqual(epochs);
    expect(startOfOrder(`${starts[0]!.orderPrefix}000000000000`)).toEqual({ tag: starts[0]!.tag, epoch: epochs[0] });
  });

  test('two starts of one copy share no epoch, though it was forgotten and the clock was set back', async (context) => {
    const database = await open(context);
    await beginEpoch(database, NOW, bytesOf(1));
    const copy = await database.queries.selectFrom('installation').selectAll().executeTakeFirstOrThrow();
    const first = await beginEpoch(database, NOW + 1000, bytesOf(2));
    await database.queries.updateTable('installation').set(copy).execute();
    const second = await beginEpoch(database, NOW + 1000, bytesOf(3));
    expect(second.epoch.slice(0, 7)).toBe(first.epoch.slice(0, 7));
    expect(second.epoch).not.toBe(first.epoch);
    expect(second.tag).toBe(first.tag);
  });
});

import { describe, expect, test } from 'vitest';
import { botStageOfEachTest } from './bot-stage.ts';
import { BEGIN, flat, line, MINUTE } from './path-market.ts';

// The market's stream is open and says nothing for minutes. What happened in them is judged as it was, or not at all.

const QUIET = 60;

type Stage = ReturnType<typeof botStageOfEachTest>;
/** The market goes on for minutes that are not heard. */
async function unheard(stage: Stage, minutes: number): Promise<void> {
  stage.simulator.faults.apply({ kind: 'streams', action: 'silence', of: 'market' });
  await stage.simulator.clock.advance(minutes * MINUTE);
  await stage.until('the silence being noticed', async () => stage.server.logged().includes('the market stream is down'), 0);
  stage.simulator.faults.clear();
}
/** Until a minute after the beginning has come, with everything heard of it. */
const moveTo = (stage: Stage, minute: number) =>
  stage.until(`minute ${minute}`, async () => stage.simulator.clock.now() >= BEGIN + (QUIET + minute) * MINUTE);

const entryBy = (trigger: Readonly<Record<string, unknown>>) => ({
  entry: { size: { mode: 'fixed', value: '1000' }, trigger, trailing: { enabled: false }, order: { type: 'Market' }, maxSpreadPct: '5' },
});

describe('up to 110,000 and down to 103,000 while nobody listens', () => {
  const stage = botStageOfEachTest({
    path: {
      closes: [...flat(100_000, QUIET + 2), ...line(100_000, 110_000, 4), ...line(110_000, 103_000, 4), ...flat(103_000, 600)],
      quiet: QUIET,
    },
    wallet: '5000',
    tapes: true,
  });

  test('a fall from a high that nobody heard is a fall', async () => {
    const bot = await stage.enabled(entryBy({ kind: 'drop', dropPct: '5', lookbackMin: 30 }));
    await stage.until('prices', async () => (await stage.detail(bot)).evaluations[0]?.price !== null);
    await unheard(stage, 12);
    await stage.until('the entry', async () => (await stage.kinds(bot)).includes('Buy'));
    const [entry] = await stage.traces(bot);
    expect(Number(entry?.price)).toBeLessThan(104_000);
    const told = (await stage.traces(bot)).map(({ id: _id, recordedAt: _recordedAt, ...trace }) => trace);
    await stage.until('the tape being on disk', async () => stage.replayed(bot).length >= told.length, 0);
    expect(stage.replayed(bot).slice(0, told.length)).toEqual(told);
  });
});

describe('up to 110,000 and down to 103,000 while the connection is away for a second', () => {
  const stage = botStageOfEachTest({
    path: {
      closes: [...flat(100_000, QUIET + 2), ...line(100_000, 110_000, 4), ...line(110_000, 103_000, 4), ...flat(103_000, 600)],
      quiet: QUIET,
    },
    wallet: '5000',
  });

  test('a fall from a high that nobody heard is a fall', async () => {
    const bot = await stage.enabled(entryBy({ kind: 'drop', dropPct: '5', lookbackMin: 30 }));
    await stage.until('prices', async () => (await stage.detail(bot)).evaluations[0]?.price !== null);
    stage.simulator.faults.apply({ kind: 'streams', action: 'cut', of: 'market' });
    await stage.simulator.clock.advance(12 * MINUTE);
    stage.simulator.faults.clear();
    await stage.until('the entry', async () => (await stage.kinds(bot)).includes('Buy'));
    const [entry] = await stage.traces(bot);
    expect(Number(entry?.price)).toBeLessThan(104_000);
  });
});

describe('up by a tenth within the minute in which the stream falls silent, and flat since', () => {
  const stage = botStageOfEachTest({
    path: { closes: [...flat(100_000, QUIET), ...flat(110_000, 600)], quiet: QUIET },
    wallet: '5000',
  });
  const change = (operation: 'gt' | 'lt', value: number) =>
    entryBy({ kind: 'conditions', rules: { match: 'all', rules: [{ key: 'change', timeframe: '5m', operation, value }] } });

  test('what was heard of that minute is not taken for its close', async () => {
    const heardAt = async () => Date.parse((await stage.get<{ asOf: string }>('/bff/v1/tickers')).asOf);
    await stage.until('prices of the minute', async () => (await heardAt()) > BEGIN + QUIET * MINUTE + 5000, 200);
    expect(stage.simulator.clock.now()).toBeLessThan(BEGIN + QUIET * MINUTE + 30_000);
    await unheard(stage, 3);
    // In minute 6 a change over five minutes is measured from the close of that minute: there is none.
    await moveTo(stage, 6);
    const bot = await stage.enabled(change('gt', 3));
    await stage.until('minute 7', async () => stage.simulator.clock.now() >= BEGIN + (QUIET + 7) * MINUTE, 400);
    expect(await stage.story(bot)).toEqual([]);
    // Judged again as soon as the minutes are known, from candles.
    const other = await stage.enabled({ ...change('lt', 1), name: 'Calm' });
    await stage.until('the other one entering', async () => (await stage.kinds(other)).includes('Buy'));
    expect(await stage.story(bot)).toEqual([]);
  });
});

import { toText } from '@pilotfish/core/money/decimal';
import type { LedgerEntry } from '@pilotfish/core/positions/ledger-entry';
import { dayNames } from '@pilotfish/core/time/calendar-day';
import { expect, type TestContext, test } from 'vitest';
import { describeEachDialect } from '../database/database-fixture.ts';
import { account, MINUTE, NOW, OWNER, other, override, trade } from './ledger-fixture.ts';
import { type LedgerStore, ledgerStore } from './ledger-store.ts';
import { overridesStore } from './overrides-store.ts';
import { positionBooks } from './position-book.ts';
import type { Look } from './position-reader.ts';
import { type ResultsOverTime, resultsOverTime } from './results-over-time.ts';

const shown = ({ months, equity }: ResultsOverTime) => ({
  months: months.map((month) => [month.month, month.currency, toText(month.realised), month.closed, toText(month.volume), month.broken]),
  equity: equity.map(({ at, value }) => [(at - NOW) / MINUTE, toText(value)]),
});

describeEachDialect('results over time', (open) => {
  async function stage(context: TestContext) {
    const database = await open(context);
    await account(database);
    const ledger = ledgerStore(database);
    /** What comes in while the pages of a reading are given, and the assets each reading asked for. */
    const meanwhile: (() => Promise<unknown>)[] = [];
    const asked: (readonly string[] | 'all')[] = [];
    const pages: LedgerStore['pages'] = async function* (accountId, of) {
      asked.push(of?.assets ?? 'all');
      await meanwhile.shift()?.();
      yield* ledger.pages(accountId, of);
    };
    const overrides = overridesStore(database);
    const fresh = () => positionBooks({ ledger: { ...ledger, pages }, overrides, market: { pair: () => undefined, pairs: () => [] } });
    const books = fresh();
    const results = resultsOverTime(books);
    const lookAt = async (of: ReturnType<typeof positionBooks>, timeZone = 'UTC') =>
      ({
        timeZone,
        dayOf: dayNames(timeZone),
        book: await of.of(OWNER),
        standing: ({ of: each }: { of: Look['book']['positions'][number] }) => (each.override?.excluded ? 'excluded' : undefined),
      }) as unknown as Look;
    return {
      ledger,
      overrides,
      books,
      asked,
      meanwhile,
      look: (timeZone?: string) => lookAt(books, timeZone),
      read: async (look?: Look) => results.of(OWNER, look ?? (await lookAt(books))),
      /** The same by somebody who has kept nothing. */
      anew: async () => {
        const own = fresh();
        return shown((await resultsOverTime(own).of(OWNER, await lookAt(own))).results);
      },
    };
  }
  const append = (ledger: LedgerStore, entries: readonly LedgerEntry[]) => ledger.append(OWNER, entries);
  const START = [trade(1, 'Buy', '2', '100'), trade(2, 'Sell', '1', '130'), other(3, 'SOL')];

  test('a fill that comes in while the lines are read is in the months, the line and the closed positions, or in none', async (context) => {
    const { ledger, look, read, meanwhile, anew } = await stage(context);
    await append(ledger, START);
    const before = await look();
    // As soon as the lines are read: it closes the position.
    meanwhile.push(() => append(ledger, [trade(4, 'Sell', '1', '140')]));
    const { results, look: after } = await read(before);
    expect(shown(results)).toEqual({
      months: [['2026-01', 'USDT', '70', 1, '480', 0]],
      equity: [[4, '70']],
    });
    expect(after.book.positions.filter(({ position }) => position.closedAt !== null)).toHaveLength(1);
    expect(shown(results)).toEqual(await anew());
  });

  test('of a new fill one asset is read anew, of the same question twice none', async (context) => {
    const { ledger, read, asked, anew } = await stage(context);
    await append(ledger, START);
    await Promise.all([read(), read()]);
    // One for the book, one for its lines: both who asked were given the same.
    expect(asked).toEqual(['all', 'all']);
    await append(ledger, [
      trade(2, 'Sell', '1', '15', { id: 'trade:SOLUSDT:9', symbol: 'SOLUSDT', baseAsset: 'SOL', at: NOW + 9 * MINUTE }),
    ]);
    asked.length = 0;
    const { results } = await read();
    expect(asked).toEqual([['SOL'], ['SOL']]);
    expect(shown(results)).toEqual({ months: [['2026-01', 'USDT', '35', 1, '355', 0]], equity: [[9, '35']] });
    asked.length = 0;
    expect(shown((await read()).results)).toEqual(shown(results));
    expect(asked).toEqual([]);
    expect(shown(results)).toEqual(await anew());
  });

  test('days and months are those of the zone one reads in, and another zone is counted again', async (context) => {
    const { ledger, look, read } = await stage(context);
    // The 31st of January in UTC, 22:30 and 23:30; in Istanbul it is February.
    const late = (minute: number, price: string) => trade(16 * 1440 + 22 * 60 + minute, 'Sell', '0.5', price);
    await append(ledger, [...START, late(30, '150'), late(90, '150')]);
    const result = async (timeZone: string) => shown((await read(await look(timeZone))).results);
    const utc = { months: [['2026-01', 'USDT', '80', 1, '490', 0]], equity: 2 };
    expect(await result('UTC')).toMatchObject({ months: utc.months });
    expect(await result('Europe/Istanbul')).toMatchObject({
      months: [
        ['2026-02', 'USDT', '50', 1, '150', 0],
        ['2026-01', 'USDT', '30', 0, '340', 0],
      ],
    });
    // A quarter to one of the 1st of February there, a quarter to midnight of January here: two points or one.
    expect((await result('Europe/London')).equity).toHaveLength(2);
    expect((await result('Africa/Lagos')).equity).toHaveLength(3);
  });

  test('a position that turns out broken is in no sum at the next question, though nothing was written', async (context) => {
    const { ledger, look, read, asked } = await stage(context);
    await append(ledger, START);
    await read();
    asked.length = 0;
    const broken = { ...(await look()), standing: ({ of }) => (of.position.baseAsset === 'SOL' ? 'broken' : undefined) } satisfies Look;
    expect(shown((await read(broken)).results).months).toEqual([['2026-01', 'USDT', '30', 0, '330', 1]]);
    expect(shown((await read()).results).months).toEqual([['2026-01', 'USDT', '30', 0, '340', 0]]);
    expect(asked).toEqual([['SOL'], ['SOL']]);
  });

  test('what is left out, put back or taken back is seen at the next question', async (context) => {
    const { ledger, overrides, books, read, anew } = await stage(context);
    await append(ledger, START);
    const whole = shown((await read()).results);
    const say = async (excluded: boolean) => {
      await overrides.save(OWNER, override(START[0] as ReturnType<typeof trade>, { excluded }), NOW);
      books.touch(OWNER, ['ETH']);
    };
    await say(true);
    expect(shown((await read()).results)).toEqual({ months: [['2026-01', 'USDT', '0', 0, '10', 0]], equity: [] });
    await say(false);
    expect(shown((await read()).results)).toEqual(whole);
    await ledger.append(OWNER, [], { replaces: ['trade:SOLUSDT:3'] });
    expect(shown((await read()).results)).toEqual({ months: [['2026-01', 'USDT', '30', 0, '330', 0]], equity: [[2, '30']] });
    expect(await anew()).toEqual(shown((await read()).results));
    await ledger.append(OWNER, [], { replaces: START.slice(0, 2).map(({ id }) => id) });
    expect(shown((await read()).results)).toEqual({ months: [], equity: [] });
  });
});

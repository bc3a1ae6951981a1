import { toText } from '@pilotfish/core/money/decimal';
import type { LedgerEntry } from '@pilotfish/core/positions/ledger-entry';
import { expect, type TestContext, test } from 'vitest';
import { describeEachDialect } from '../database/database-fixture.ts';
import { account, MINUTE, NOW, OWNER, other, override, trade } from './ledger-fixture.ts';
import { type LedgerStore, ledgerStore } from './ledger-store.ts';
import { overridesStore } from './overrides-store.ts';
import { type Book, positionBooks } from './position-book.ts';

/** Everything a screen could tell of a book. */
const told = ({ positions, flows }: Book) => ({
  positions: positions.map(({ id, position, override: said }) => ({
    id,
    said: said?.targetPrice,
    key: position.key,
    quantity: toText(position.quantity),
    cost: toText(position.cost),
    realised: toText(position.realised),
    closedBy: position.closedBy,
  })),
  flows: [...flows].map(([asset, flow]) => [asset, toText(flow)]).sort((one, two) => (one[0]! < two[0]! ? -1 : 1)),
});

async function imported(ledger: LedgerStore, batchId: string, entries: readonly LedgerEntry[]): Promise<void> {
  const writer = await ledger.batches.open(OWNER, batchId);
  await writer.add(entries);
  await writer.commit(async () => undefined);
}
const takenBack = (ledger: LedgerStore, batchId: string) =>
  ledger.batches.takeBack(OWNER, batchId, { returning: [], settled: new Map(), yields: new Map(), within: async () => undefined });

describeEachDialect('the book of positions', (open) => {
  async function stage(context: TestContext) {
    const database = await open(context);
    await account(database);
    const ledger = ledgerStore(database);
    const overrides = overridesStore(database);
    const fresh = () => positionBooks({ ledger, overrides, market: { pair: () => undefined, pairs: () => [] } });
    const books = fresh();
    return { ledger, overrides, books, fresh, of: async () => told(await books.of(OWNER)) };
  }

  test('what is folded anew after each change is what a fold of everything says', async (context) => {
    const { ledger, books, fresh, of } = await stage(context);
    const steps: (() => Promise<unknown>)[] = [
      () => ledger.append(OWNER, [trade(1, 'Buy', '2', '100'), other(2, 'SOL')]),
      () => ledger.append(OWNER, [other(3, 'SOL', { feeAsset: 'BNB', fee: '0.01', feeInQuote: '5', feeInPrimary: '5' })]),
      () => imported(ledger, 'f', [trade(5, 'Sell', '1', '130')]),
      () => ledger.append(OWNER, [trade(5, 'Sell', '1', '130')]),
      () => ledger.append(OWNER, [trade(0, 'Buy', '1', '50')]),
      () => takenBack(ledger, 'f'),
      () => ledger.revalue(OWNER, [{ id: 'trade:SOLUSDT:3', feeInQuote: '7', feeInPrimary: '7', quoteRate: '1' }]),
      () => ledger.append(OWNER, [], { replaces: ['trade:SOLUSDT:2', 'trade:SOLUSDT:3'] }),
    ];
    for (const step of steps) {
      await step();
      expect(await of()).toEqual({ ...told(await fresh().of(OWNER)), flows: expect.anything() as unknown });
      const zeroless = (book: ReturnType<typeof told>) => book.flows.filter(([, flow]) => flow !== '0');
      expect(zeroless(await of())).toEqual(zeroless(told(await fresh().of(OWNER))));
    }
    expect(await books.of(OWNER)).toBe(await books.of(OWNER));
    expect((await of()).positions).toHaveLength(1);
  });

  test('what a coin that was swapped had cost goes over, also when it becomes known or is taken back later', async (context) => {
    const { ledger, books, fresh, of } = await stage(context);
    const came = { kind: 'transfer', asset: 'GAL', change: '10', transfer: 'deposit', cost: null, source: 'api' } as const;
    const swapped = {
      kind: 'swap',
      fromAsset: 'GAL',
      fromQuantity: '10',
      asset: 'SOL',
      quantity: '1',
      source: 'transaction-records',
    } as const;
    await ledger.append(OWNER, [{ ...came, id: 'came', at: NOW }, other(3, 'SOL')]);
    await of();
    const cost = async () => {
      expect(await of()).toEqual({ ...told(await fresh().of(OWNER)), flows: expect.anything() as unknown });
      const [{ position } = { position: undefined }, ...more] = (await books.of(OWNER)).positions;
      expect(more).toEqual([]);
      const lines: string[] = [];
      await books.tellLines(OWNER, ({ baseAsset }, { kind }) => void lines.push(`${baseAsset} ${kind}`), new Set(['SOL']));
      return [toText(position!.quantity), toText(position!.cost), ...position!.reasons, lines.length];
    };
    const [quantity, before] = await cost();
    await imported(ledger, 's', [{ ...swapped, id: 'swap', at: NOW + 2 * MINUTE }]);
    expect(await cost()).toEqual([String(Number(quantity) + 1), before, 'MISSING_COST', 2]);
    await ledger.giveCost(OWNER, 'came', '500');
    expect(await cost()).toEqual([String(Number(quantity) + 1), String(Number(before) + 500), 2]);
    await takenBack(ledger, 's');
    expect(await cost()).toEqual([quantity, before, 1]);
  });

  test('entries in any order and any number of parts give the same positions', async (context) => {
    const { ledger, of } = await stage(context);
    const all = [trade(1, 'Buy', '2', '100'), trade(2, 'Sell', '2', '120'), trade(3, 'Buy', '1', '90'), other(4, 'SOL')];
    await ledger.append(OWNER, all);
    const expected = (await of()).positions;
    await ledger.append(OWNER, [], { replaces: all.map(({ id }) => id) });
    for (const entry of [...all].reverse()) {
      await ledger.append(OWNER, [entry]);
      await of();
    }
    expect((await of()).positions).toEqual(expected);
  });

  test('what a person said survives: taking an import back and reading it again, and an earlier buy', async (context) => {
    const { ledger, overrides, books, of } = await stage(context);
    const buy = trade(10, 'Buy', '1', '100');
    await imported(ledger, 'f', [buy]);
    await overrides.save(OWNER, override(buy, { targetPrice: '150' }), NOW);
    books.touch(OWNER, ['ETH']);
    const before = await of();
    expect(before.positions).toMatchObject([{ said: '150' }]);
    await takenBack(ledger, 'f');
    expect((await of()).positions).toEqual([]);
    await imported(ledger, 'g', [buy]);
    expect((await of()).positions).toEqual(before.positions);
    // Two whole positions turn up before it, and a buy that opens it earlier: it is number 2 of the pair now.
    await ledger.append(OWNER, [trade(1, 'Buy', '1', '80'), trade(2, 'Sell', '1', '85'), trade(9, 'Buy', '1', '90')]);
    expect((await of()).positions).toMatchObject([
      { said: undefined, closedBy: 'sell' },
      { said: '150', key: 'trade:ETHUSDT:9', quantity: '2' },
    ]);
  });

  test('the row of an order gives way to its fills: what was said of it holds on to the first', async (context) => {
    const { ledger, overrides, books, of } = await stage(context);
    const row = trade(10, 'Buy', '2', '100', { id: 'order-row', tradeId: null, source: 'order-history', aggregate: true });
    await ledger.append(OWNER, [row, trade(30, 'Buy', '1', '120')]);
    await overrides.save(OWNER, override(row, { closing: { at: NOW + 20 * MINUTE, remainder: 'at-market', price: '110' } }), NOW);
    books.touch(OWNER, ['ETH']);
    const expected = [
      { closedBy: 'hand', realised: '20' },
      { closedBy: null, quantity: '1' },
    ];
    expect((await of()).positions).toMatchObject(expected);
    const fills = [trade(10, 'Buy', '1', '100'), trade(11, 'Buy', '1', '100')];
    await ledger.append(OWNER, fills, { replaces: ['order-row'] });
    expect((await of()).positions).toMatchObject(expected);
  });

  test('an override that says nothing is none', async (context) => {
    const { overrides } = await stage(context);
    const buy = trade(10, 'Buy', '1', '100');
    await overrides.save(OWNER, override(buy, { excluded: true, brokenText: '' }), NOW);
    expect(await overrides.list(OWNER)).toEqual([override(buy, { excluded: true, brokenText: '' })]);
    await overrides.save(OWNER, override(buy, {}), NOW);
    expect(await overrides.list(OWNER)).toEqual([]);
  });
});

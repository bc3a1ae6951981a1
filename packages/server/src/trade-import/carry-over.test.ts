import { AppError } from '@pilotfish/core/http/problem';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import { describe, expect, type TestContext, test } from 'vitest';
import { NOW, OWNER } from '../positions/ledger-fixture.ts';
import { countInNewUnit } from '../positions/unit-changes.ts';
import { stage, statement } from './brought-fixture.ts';
import { carryOverWriter } from './carry-over.ts';
import { carryOverFeature } from './carry-over-routes.ts';
import { uploadOf } from './import-fixture.ts';

const SWAP = '2024-09-13 08:00:00,Spot,Token Swap - Redenomination/Rebranding';
const BOUGHT = ['2024-01-02 10:00:00,Spot,Buy,MATIC,100', '2024-01-02 10:00:00,Spot,Transaction Related,USDT,-50'];
const WENT = `${SWAP},MATIC,-100`;
/** Fifty hours later: no import joins the two by itself. */
const CAME = '2024-09-15 10:00:00,Spot,Distribution,POL,100';
const SOLD = ['2024-10-01 10:00:00,Spot,Sell,POL,-40', '2024-10-01 10:00:00,Spot,Transaction Related,USDT,48'];
const AT = '2024-09-13T08:00:00.000Z';
const JOINED = { fromAsset: 'MATIC', fromQuantity: '100', asset: 'POL', quantity: '100', at: AT };
type Swap = typeof JOINED;

/** An account that files are given to, whose owner carries costs over. */
async function owner(context: TestContext) {
  const brought = await stage(context);
  const { database, newId, store, service } = brought;
  const write = carryOverWriter({ now: () => NOW, newId }, store);
  const records: unknown[] = [];
  const { handlers } = carryOverFeature(
    {
      database,
      now: () => NOW,
      quotas: { requireRoom: async () => undefined } as never,
      audit: { record: async (entry: unknown) => void records.push(entry) } as never,
      texts: {
        text: (_language: string, key: string, values: Record<string, string>) =>
          (en.tradeImport.carryOver as Record<string, string>)[key.replace('tradeImport.carryOver.', '')]!.replaceAll(
            /\{\{(\w+)\}\}/g,
            (_, name: string) => values[name]!,
          ),
      } as never,
    },
    { store, write, reconcile: async () => undefined },
  );
  const call = (more: object = {}) => ({ account: { id: OWNER }, language: 'en', origin: {}, ...more }) as never;
  return {
    ...brought,
    write,
    records,
    halves: async () => (await handlers.listHalfSwaps!(call())).items,
    carryOver: (body: Partial<Swap> = {}) => handlers.carryOver!(call({ body: { ...JOINED, ...body } })),
    refusal: async (body: Partial<Swap>): Promise<string> => {
      const refused = await Promise.resolve(handlers.carryOver!(call({ body: { ...JOINED, ...body } }))).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(AppError);
      return (refused as AppError).fields!.map(({ path, message }) => `${path}: ${message}`).join('\n');
    },
    takeBack: (batchId: string) => service.undo(OWNER, batchId),
    imports: async () => (await service.list(OWNER)).map(({ format, fileName }) => `${format} ${fileName}`),
  };
}

describe('a swap of which one side is known', () => {
  test('is offered, with the other side where there is one, and takes its cost over to the new coin', async (context) => {
    const { give, halves, carryOver, ledger, positions, records } = await owner(context);
    await give('statement.csv', statement(...BOUGHT, WENT));
    expect(await halves()).toMatchObject([
      { asset: 'MATIC', change: '-100', at: AT, proposal: { ...JOINED, asset: null, quantity: null } },
    ]);
    await give('later.csv', statement(CAME, ...SOLD));
    expect(await positions()).toEqual(['MATICUSDT 0 0 0 UNKNOWN_OPERATION', 'POLUSDT 60 0 48 MISSING_COST']);
    // Both sides are one offer.
    expect(await halves()).toMatchObject([{ asset: 'MATIC', proposal: JOINED }]);
    const { replaced } = await carryOver();
    expect(replaced).toMatchObject([
      { asset: 'MATIC', change: '-100' },
      { asset: 'POL', change: '100' },
    ]);
    expect(await halves()).toEqual([]);
    // 50 for 100: 30 are left of it, and 40 of them cost 20.
    expect(await positions()).toEqual(['MATICUSDT 0 0 0', 'POLUSDT 60 30 28']);
    expect((await ledger()).filter((line) => line.includes('→'))).toEqual(['2024-09-13T08:00 100 MATIC → 100 POL']);
    expect(records).toMatchObject([{ action: 'trade-import.carry-over', details: { from: '100 MATIC', to: '100 POL' } }]);
  });

  test('taken back, it is as before, to the last row', async (context) => {
    const { give, carryOver, takeBack, imports, store, halves } = await owner(context);
    await give('statement.csv', statement(...BOUGHT, WENT, CAME, '2024-09-16 00:00:00,Spot,Distribution,XYZ,7', ...SOLD));
    const before = [await store.entries(OWNER), await halves()];
    const { batchId } = await carryOver();
    expect(await imports()).toEqual(['carry-over 100 MATIC → 100 POL', 'transaction-records statement.csv']);
    expect(await takeBack(batchId)).toBe(true);
    expect([await store.entries(OWNER), await halves()]).toEqual(before);
    expect(await imports()).toEqual(['transaction-records statement.csv']);
    // And once more: its name is free again.
    await takeBack((await carryOver()).batchId);
    expect([await store.entries(OWNER), await halves()]).toEqual(before);
  });

  test('one that came alone gets the cost of what it came of', async (context) => {
    const { give, halves, carryOver, positions } = await owner(context);
    await give('statement.csv', statement(...BOUGHT, CAME, ...SOLD));
    const at = '2024-09-15T10:00:00.000Z';
    expect(await halves()).toMatchObject([
      { asset: 'POL', change: '100', proposal: { fromAsset: null, fromQuantity: null, asset: 'POL', quantity: '100', at } },
    ]);
    await carryOver({ at });
    expect(await positions()).toEqual(['MATICUSDT 0 0 0', 'POLUSDT 60 30 28']);
  });

  test('a part of the cost goes with a part of the coins', async (context) => {
    const { give, carryOver, positions } = await owner(context);
    await give('statement.csv', statement(...BOUGHT, `${SWAP},MATIC,-25`, ...SOLD.map((row) => row.replace('2024', '2025'))));
    await carryOver({ fromQuantity: '25', quantity: '50' });
    expect(await positions()).toEqual(['MATICUSDT 75 37.5 0', 'POLUSDT 10 2.5 38']);
  });

  test('rows of several wallets are one side', async (context) => {
    const { give, carryOver, takeBack, positions, ledger, undo } = await owner(context);
    const rows = [...BOUGHT, `${SWAP},MATIC,-60`, `${SWAP.replace('Spot', 'Earn')},MATIC,-40`, ...SOLD];
    await give('statement.csv', statement(...rows));
    const before = await ledger();
    const { batchId } = await carryOver();
    expect(await positions()).toEqual(['MATICUSDT 0 0 0', 'POLUSDT 60 30 28']);
    // The file taken back and given again: the rows are known by the swap.
    await undo();
    expect(await give('statement.csv', statement(...rows))).toMatchObject({ imported: 2 });
    expect(await positions()).toEqual(['MATICUSDT 0 0 0', 'POLUSDT 60 30 28']);
    await takeBack(batchId);
    await give('statement.csv', statement(...rows));
    expect(await ledger()).toEqual(before);
  });
});

describe('what would count twice or be lost', () => {
  test('new coins whose cost was entered give way to a swap of as many, and have that cost again without it', async (context) => {
    const { give, carryOver, takeBack, positions, store } = await owner(context);
    await give('statement.csv', statement(...BOUGHT, WENT, CAME, ...SOLD));
    const came = (await store.entries(OWNER)).find((entry) => entry.kind === 'transfer' && entry.asset === 'POL')!;
    await store.giveCost(OWNER, came.id, '60');
    const before = await store.entries(OWNER);
    const { batchId } = await carryOver();
    expect(await positions()).toEqual(['MATICUSDT 0 0 0', 'POLUSDT 60 30 28']);
    await takeBack(batchId);
    expect(await store.entries(OWNER)).toEqual(before);
  });

  test('coins that were bought and swapped in one second, as a file with days alone has them', async (context) => {
    const { give, carryOver, positions } = await owner(context);
    await give('statement.csv', statement(...BOUGHT.map((row) => row.replace('2024-01-02 10', '2024-09-13 08')), WENT, CAME, ...SOLD));
    await carryOver();
    expect(await positions()).toEqual(['MATICUSDT 0 0 0', 'POLUSDT 60 30 28']);
  });

  test('of two swaps of as many coins one taken back gives back what it replaced; the other keeps its own', async (context) => {
    const { give, carryOver, takeBack, ledger } = await owner(context);
    const ofEarn = (row: string) => row.replace('Spot', 'Earn');
    await give('statement.csv', statement(...BOUGHT, ...BOUGHT, WENT, ofEarn(WENT), CAME, ofEarn(CAME)));
    const before = await ledger();
    const [one, other] = [await carryOver(), await carryOver()];
    await takeBack(one.batchId);
    expect(await ledger()).toEqual([
      before[0],
      '2024-09-13T08:00 100 MATIC → 100 POL',
      '2024-09-13T08:00 unknown -100 MATIC',
      '2024-09-15T10:00 airdrop 100 POL',
    ]);
    await takeBack(other.batchId);
    expect(await ledger()).toEqual(before);
  });

  test('a later reward of as many as came by the swap is another, where the exchange told of that already', async (context) => {
    const { give, carryOver, ledger, readWallet } = await owner(context);
    await give('statement.csv', statement(...BOUGHT));
    const gift = { id: 7, divTime: NOW - 4 * 86_400_000, asset: 'POL', amount: '100' };
    await readWallet([gift]);
    await carryOver({ at: new Date(gift.divTime).toISOString() });
    await readWallet([{ ...gift, id: 8, divTime: NOW - 2 * 86_400_000 }]);
    expect((await ledger()).slice(1)).toEqual(['2026-01-11T00:00 100 MATIC → 100 POL', '2026-01-13T00:00 reward 100 POL']);
  });

  test('a statement whose operation is answered otherwise brings no side of the swap again, and what it says when that is gone', async (context) => {
    const { service, give, carryOver, takeBack, ledger } = await owner(context);
    const rows = WENT.replace(/Token Swap[^,]*/, 'Coin Migration');
    const read = (meaning: 'swap' | 'outside') =>
      service.importFile(OWNER, uploadOf('statement.csv', statement(...BOUGHT, rows)), {
        commit: true,
        acceptPartial: false,
        operations: { 'coin migration': meaning },
      });
    await give('bought.csv', statement(...BOUGHT));
    const [bought] = await ledger();
    await read('swap');
    const { batchId } = await carryOver();
    await read('outside');
    expect(await ledger()).toEqual([bought, '2024-09-13T08:00 100 MATIC → 100 POL']);
    await takeBack(batchId);
    await read('outside');
    expect(await ledger()).toEqual([bought, '2024-09-13T08:00 withdrawal -100 MATIC']);
  });

  test('a gift taken for the new coins counts again with a statement that has others, and gives way again without it', async (context) => {
    const { give, carryOver, takeBack, ledger, undo } = await owner(context);
    const gift = '2024-09-15T10:00 airdrop 90 POL';
    await give('half.csv', statement(...BOUGHT, WENT, CAME.replace('100', '90')));
    const before = await ledger();
    const { batchId } = await carryOver({ quantity: '90' });
    const carriedOver = await ledger();
    const both = statement(WENT, `${SWAP},POL,100`);
    await give('whole.csv', both);
    const whole = [before[0], '2024-09-13T08:00 100 MATIC → 100 POL', gift];
    expect(await ledger()).toEqual(whole);
    await undo();
    expect(await ledger()).toEqual(carriedOver);
    await give('whole.csv', both);
    await takeBack(batchId);
    expect(await ledger()).toEqual(whole);
    await undo();
    expect(await ledger()).toEqual(before);
  });

  test('another coin that became as many new ones is another swap, where its old coins are known to have gone', async (context) => {
    const { give, carryOver, ledger } = await owner(context);
    const old = ['2024-02-01 10:00:00,Spot,Buy,OLD,50', '2024-02-01 10:00:00,Spot,Transaction Related,USDT,-10'];
    await give('statement.csv', statement(...BOUGHT, ...old, `${SWAP},OLD,-50`));
    await carryOver({ fromAsset: 'OLD', fromQuantity: '50' });
    await give('whole.csv', statement(WENT, `${SWAP},POL,100`));
    expect((await ledger()).filter((line) => line.includes('→')).toSorted()).toEqual([
      '2024-09-13T08:00 100 MATIC → 100 POL',
      '2024-09-13T08:00 50 OLD → 100 POL',
    ]);
  });

  test('a gift of as many coins beside both sides in one file is another', async (context) => {
    const { give, carryOver, ledger } = await owner(context);
    await give('bought.csv', statement(...BOUGHT));
    await carryOver();
    await give('whole.csv', statement(WENT, `${SWAP},POL,100`, '2024-09-14 08:00:00,Spot,Airdrop Assets,POL,100'));
    expect((await ledger()).slice(1)).toEqual(['2024-09-13T08:00 100 MATIC → 100 POL', '2024-09-14T08:00 airdrop 100 POL']);
  });

  test('a swap that is sent twice at once counts once', async (context) => {
    const { give, carryOver, ledger } = await owner(context);
    await give('statement.csv', statement(...BOUGHT, ...BOUGHT, WENT));
    const answers = await Promise.allSettled([carryOver(), carryOver()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await ledger()).filter((line) => line.includes('→'))).toHaveLength(1);
  });
});

describe('rows that come again', () => {
  const file = statement(...BOUGHT, WENT, CAME, ...SOLD);
  const carried = ['MATICUSDT 0 0 0', 'POLUSDT 60 30 28'];

  test('count once while the swap stands, and once when it was taken back', async (context) => {
    const { give, carryOver, takeBack, positions, store } = await owner(context);
    await give('statement.csv', file);
    const before = await store.entries(OWNER);
    const { batchId } = await carryOver();
    expect(await give('again.csv', file)).toMatchObject({ imported: 0, duplicate: 4 });
    expect(await positions()).toEqual(carried);
    await takeBack(batchId);
    expect(await store.entries(OWNER)).toEqual(before);
    expect(await give('again.csv', file)).toMatchObject({ imported: 0, duplicate: 4 });
    expect(await store.entries(OWNER)).toEqual(before);
  });

  test('come back with the swap taken back, whichever came first', async (context) => {
    const { give, carryOver, takeBack, ledger, service } = await owner(context);
    await give('bought.csv', statement(...BOUGHT));
    const { batchId } = await carryOver();
    const carriedOver = await ledger();
    await give('later.csv', statement(WENT, CAME));
    expect(await ledger()).toEqual(carriedOver);
    const later = (await service.list(OWNER)).find(({ fileName }) => fileName === 'later.csv')!;
    await takeBack(batchId);
    const whole = [carriedOver[0], '2024-09-13T08:00 unknown -100 MATIC', '2024-09-15T10:00 airdrop 100 POL'];
    expect(await ledger()).toEqual(whole);
    await takeBack(later.id);
    expect(await ledger()).toEqual([carriedOver[0]]);
    // The other way round: the file is gone, and so are its rows.
    const again = await carryOver();
    await give('later.csv', statement(WENT, CAME));
    await takeBack((await service.list(OWNER)).find(({ fileName }) => fileName === 'later.csv')!.id);
    expect(await ledger()).toEqual(carriedOver);
    await takeBack(again.batchId);
    expect(await ledger()).toEqual([carriedOver[0]]);
  });

  test('count once when the file was taken back in between, in either order', async (context) => {
    const { give, carryOver, takeBack, positions, ledger, undo } = await owner(context);
    await give('statement.csv', file);
    const before = await ledger();
    const { batchId } = await carryOver();
    await undo();
    expect(await ledger()).toEqual(['2024-09-13T08:00 100 MATIC → 100 POL']);
    expect(await give('statement.csv', file)).toMatchObject({ imported: 2 });
    expect(await positions()).toEqual(carried);
    await takeBack(batchId);
    expect(await ledger()).toEqual(before);
    expect(await give('statement.csv', file)).toMatchObject({ imported: 0, duplicate: 4 });
    expect(await ledger()).toEqual(before);
  });

  test('the exchange tells of the new coins while it stands: they count once, and as its own when it is taken back', async (context) => {
    const { give, carryOver, takeBack, ledger, readWallet } = await owner(context);
    const day = '2025-12-06';
    const rows = [`${day} 08:00:00,Spot,Token Swap - Redenomination/Rebranding,MATIC,-100`, `${day} 09:00:00,Spot,Distribution,POL,100`];
    const at = `${day}T08:00:00.000Z`;
    // In one file the import would have joined them.
    await give('one.csv', statement(...BOUGHT, rows[0]!));
    await give('two.csv', statement(rows[1]!));
    const bought = '2024-01-02T10:00 Buy 100 MATIC for 50 USDT';
    const { batchId } = await carryOver({ at });
    await readWallet([{ id: 7, divTime: Date.parse(`${day}T09:00:01.000Z`), asset: 'POL', amount: '100' }]);
    expect(await ledger()).toEqual([bought, `${day}T08:00 100 MATIC → 100 POL`]);
    await takeBack(batchId);
    expect(await ledger()).toEqual([bought, `${day}T08:00 unknown -100 MATIC`, `${day}T09:00 reward 100 POL`]);
  });

  test('a reward of the exchange that gave way does not come back by the next reading', async (context) => {
    const { give, carryOver, takeBack, ledger, readWallet } = await owner(context);
    const at = new Date(NOW - 86_400_000).toISOString();
    await give('statement.csv', statement(...BOUGHT));
    const gift = [{ id: 7, divTime: NOW - 86_400_000, asset: 'POL', amount: '100' }];
    await readWallet(gift);
    const before = await ledger();
    const { batchId, replaced } = await carryOver({ at });
    expect(replaced).toHaveLength(1);
    const carriedOver = await ledger();
    await readWallet(gift);
    expect(await ledger()).toEqual(carriedOver);
    await takeBack(batchId);
    await readWallet(gift);
    expect(await ledger()).toEqual(before);
  });

  test('a statement with both sides takes its place, also where one side was typed wrongly, and gives it back', async (context) => {
    const { give, carryOver, takeBack, ledger, undo } = await owner(context);
    await give('half.csv', statement(...BOUGHT, WENT));
    const before = await ledger();
    const { batchId } = await carryOver({ quantity: '90' });
    const both = statement(WENT, `${SWAP},POL,100`);
    await give('whole.csv', both);
    const whole = [before[0], '2024-09-13T08:00 100 MATIC → 100 POL'];
    expect(await ledger()).toEqual(whole);
    await undo();
    expect(await ledger()).toEqual([before[0], '2024-09-13T08:00 100 MATIC → 90 POL']);
    await give('whole.csv', both);
    await takeBack(batchId);
    expect(await ledger()).toEqual(whole);
    await undo();
    expect(await ledger()).toEqual(before);
  });
});

describe('what is refused', () => {
  test('names the field and what can be done', async (context) => {
    const { give, refusal, ledger } = await owner(context);
    const more = ['2024-02-01 10:00:00,Spot,Buy,OLD,10', '2024-02-01 10:00:00,Spot,Transaction Related,USDT,-10'];
    const sent = ['2024-09-20 10:00:00,Spot,Withdraw,OLD,-8'];
    await give('statement.csv', statement(...BOUGHT, WENT, CAME, ...SOLD, ...more, ...sent));
    const before = await ledger();
    expect(await refusal({ fromQuantity: '60' })).toBe(
      'fromQuantity: Your records have 100 MATIC at that time, not 60. Enter that amount, or first enter the cost of the part that was not swapped.',
    );
    expect(await refusal({ quantity: '55' })).toMatch(/^quantity: Your records have 100 POL at that time, not 55\./);
    expect(await refusal({ at: '2023-09-13T08:00:00.000Z' })).toBe(
      'fromQuantity: Your records explain only 0 MATIC at that time, fewer than 100. Enter at most 0, or import the missing records first.',
    );
    expect(await refusal({ fromAsset: 'OLD', fromQuantity: '11', quantity: '100' })).toMatch(
      /^fromQuantity: Your records explain only 10 OLD /,
    );
    expect(await refusal({ fromAsset: 'OLD', fromQuantity: '5', quantity: '100' })).toBe(
      'fromQuantity: Your records sell or send OLD after that time, so at most 2 of the 5 can have become another coin. Enter at most 2.',
    );
    expect(await refusal({ at: '2024-01-05T08:00:00.000Z' })).toMatch(
      /^fromQuantity: Your records sell or send MATIC after that time, so at most 0 /,
    );
    expect(await refusal({ at: '2027-01-01T00:00:00.000Z' })).toBe('at: This time is in the future. Enter the time of the swap.');
    expect(await refusal({ asset: 'MATIC' })).toBe(
      'asset: The coin and the quantity are the same on both sides. Enter the coin it became, or the new quantity of a redenomination.',
    );
    expect(await refusal({ asset: 'USDT' })).toBe('asset: USDT counts as cash and has no cost to carry over. Choose a coin.');
    expect(await refusal({ fromAsset: 'EUR' })).toMatch(/^fromAsset: EUR counts as cash/);
    expect(await ledger()).toEqual(before);
  });

  test('a swap that is known already, and new coins that were sold before', async (context) => {
    const { give, refusal } = await owner(context);
    await give('statement.csv', statement(...BOUGHT, ...BOUGHT, WENT, `${SWAP},POL,100`, ...SOLD));
    expect(await refusal({})).toBe('fromAsset: Your records already have this MATIC swap. There is nothing to carry over.');
    const sold = await owner(context);
    await sold.give('statement.csv', statement(...BOUGHT, CAME, '2024-09-15 12:00:00,Spot,Withdraw,POL,-100'));
    expect(await sold.refusal({ at: '2024-09-16T00:00:00.000Z' })).toMatch(
      /^at: With this swap, your records would sell or send more POL /,
    );
  });
});

describe('a coin in a new unit', () => {
  test('typed by its owner it counts all there is, at the cost it had, and can be taken back', async (context) => {
    const { give, carryOver, refusal, takeBack, positions, ledger } = await owner(context);
    await give('statement.csv', statement(...BOUGHT, '2024-09-13 10:00:00,Spot,Distribution,MATIC,9900'));
    const before = await ledger();
    const recount = { asset: 'MATIC', quantity: '10000' };
    expect(await refusal({ ...recount, fromQuantity: '50', quantity: '9950' })).toMatch(/^fromQuantity: A redenomination .* Enter 100: /);
    const { batchId } = await carryOver(recount);
    expect(await positions()).toEqual(['MATICUSDT 10000 50 0']);
    await takeBack(batchId);
    expect(await ledger()).toEqual(before);
  });

  test('counts once where a later statement has its rows for each wallet', async (context) => {
    const { give, carryOver, positions } = await owner(context);
    const inBoth = (one: string, other: string) => [`${SWAP},MATIC,${one}`, `${SWAP.replace('Spot', 'Earn')},MATIC,${other}`];
    await give('statement.csv', statement(...BOUGHT, ...inBoth('-60', '-40')));
    await carryOver({ asset: 'MATIC', quantity: '10000' });
    await give('later.csv', statement(...inBoth('6000', '4000')));
    expect(await positions()).toEqual(['MATICUSDT 10000 50 0']);
  });

  test('carried over by a bot it stands among the imports and can be taken back', async (context) => {
    const { give, store, write, positions, imports, takeBack, service, ledger, readWallet } = await owner(context);
    await give('statement.csv', statement(...BOUGHT));
    const gift = [{ id: 7, divTime: NOW - 86_400_000, asset: 'MATIC', amount: '9900' }];
    await readWallet(gift);
    const before = await ledger();
    await countInNewUnit({ ledger: store, write }, OWNER, { asset: 'MATIC', factor: '100', at: NOW - 86_000_000 });
    expect(await positions()).toEqual(['MATICUSDT 10000 50 0']);
    expect(await imports()).toEqual(['carry-over 100 MATIC → 10000 MATIC', 'transaction-records statement.csv']);
    await readWallet(gift);
    expect(await positions()).toEqual(['MATICUSDT 10000 50 0']);
    const [carried] = await service.list(OWNER);
    await takeBack(carried!.id);
    await readWallet(gift);
    expect(await ledger()).toEqual(before);
  });
});

import { describe, expect, test } from 'vitest';
import type { LedgerEntry, SwapEntry, TransferEntry } from '../positions/ledger-entry.ts';
import { crossDuplicates } from './cross-duplicates.ts';
import { type ImportDraft, isProblem } from './import-draft.ts';
import { readHeader } from './import-header.ts';
import { transactionRecordsReader } from './transaction-records.ts';

/** Rows of a statement, without their first and last column, and what is made of them in words. */
function read(...rows: string[]): string[] {
  const drafts: ImportDraft[] = [];
  const header = readHeader(['User_ID', 'UTC_Time', 'Account', 'Operation', 'Coin', 'Change', 'Remark']);
  const emit = (parsed: Parameters<Parameters<typeof transactionRecordsReader>[0]['emit']>[0]) => {
    expect(isProblem(parsed), JSON.stringify(parsed)).toBe(false);
    drafts.push(parsed as ImportDraft);
  };
  const reader = transactionRecordsReader({ header, pairs: new Map(), zone: 0, fileName: 'export.csv', emit });
  for (const [index, row] of rows.entries()) reader.push(['1', ...row.split(','), ''], index + 2);
  reader.end();
  return drafts.map((draft) => {
    const at = new Date(draft.at).toISOString().slice(0, 16);
    if (draft.kind === 'swap') return `${at} ${draft.from.quantity} ${draft.from.asset} → ${draft.to.quantity} ${draft.to.asset}`;
    return draft.kind === 'transfer' ? `${at} ${draft.transfer} ${draft.change} ${draft.asset}` : draft.kind;
  });
}

describe('a coin that the exchange took away and gave another for', () => {
  test('in one second', () =>
    expect(
      read(
        '2024-09-13 08:00:00,Spot,Token Swap - Redenomination/Rebranding,MATIC,-100',
        '2024-09-13 08:00:00,Spot,Token Swap - Redenomination/Rebranding,POL,100',
      ),
    ).toEqual(['2024-09-13T08:00 100 MATIC → 100 POL']));
  test('in a new unit of the same coin', () =>
    expect(
      read(
        '2022-05-31 03:00:00,Spot,Token Swap - Redenomination/Rebranding,LUNA,-100',
        '2022-05-31 03:00:00,Spot,Token Swap - Redenomination/Rebranding,LUNA,10000',
      ),
    ).toEqual(['2022-05-31T03:00 100 LUNA → 10000 LUNA']));
  test('the new one most of an hour later', () =>
    expect(
      read('2024-07-17 08:00:01,Spot,Asset Recovery,GAL,-0.92483873', '2024-07-17 08:45:10,Spot,Token Swap - Distribution,G,55.4903238'),
    ).toEqual(['2024-07-17T08:00 0.92483873 GAL → 55.4903238 G']));
  test('the new one most of a day before: the cost is there when it comes', () =>
    expect(read('2021-08-18 11:44:50,Spot,Distribution,VGX,10', '2021-08-19 02:44:27,Spot,Distribution,BQX,-10')).toEqual([
      '2021-08-18T11:44 10 BQX → 10 VGX',
    ]));
  test('beside gifts of those days: the one of the same amount is meant', () =>
    expect(
      read(
        '2021-08-18 01:00:00,Spot,Distribution,BNB,0.01',
        '2021-08-18 11:44:50,Spot,Distribution,VGX,10',
        '2021-08-19 02:44:27,Spot,Distribution,BQX,-10',
      ),
    ).toEqual(['2021-08-18T01:00 airdrop 0.01 BNB', '2021-08-18T11:44 10 BQX → 10 VGX']));
  test('two at one second with others of their own: nothing is guessed', () =>
    expect(
      read(
        '2024-09-13 08:00:00,Spot,Token Swap - Distribution,A,5',
        '2024-09-13 08:00:00,Spot,Token Swap - Distribution,B,7',
        '2024-09-13 08:30:00,Spot,Asset Recovery,C,-10',
      ),
    ).toEqual(['2024-09-13T08:00 airdrop 5 A', '2024-09-13T08:00 airdrop 7 B', '2024-09-13T08:30 unknown -10 C']));
  test('in two wallets: each has its own', () =>
    expect(
      read(
        '2024-09-13 08:00:00,Spot,Token Swap - Redenomination/Rebranding,MATIC,-100',
        '2024-09-13 08:00:00,Spot,Token Swap - Redenomination/Rebranding,POL,100',
        '2024-09-13 08:00:00,Earn,Token Swap - Redenomination/Rebranding,MATIC,-30',
        '2024-09-13 08:00:00,Earn,Token Swap - Redenomination/Rebranding,POL,30',
      ),
    ).toEqual(['2024-09-13T08:00 100 MATIC → 100 POL', '2024-09-13T08:00 30 MATIC → 30 POL']));
  test('gifts alone stay gifts, and what went three days before any of them is not explained', () =>
    expect(read('2024-07-17 08:00:01,Spot,Asset Recovery,GAL,-1', '2024-07-20 08:00:02,Spot,Distribution,G,60')).toEqual([
      '2024-07-17T08:00 unknown -1 GAL',
      '2024-07-20T08:00 airdrop 60 G',
    ]));
});

describe('two sources tell of one swap', () => {
  const T = Date.UTC(2024, 6, 17);
  const swap = (id: string, more: Partial<SwapEntry> = {}): SwapEntry => ({
    kind: 'swap',
    id,
    at: T,
    fromAsset: 'GAL',
    fromQuantity: '10',
    asset: 'G',
    quantity: '600',
    source: 'transaction-records',
    ...more,
  });
  const moved = (id: string, asset: string, change: string, at = T): TransferEntry => ({
    kind: 'transfer',
    id,
    at,
    asset,
    change,
    transfer: 'reward',
    cost: null,
    source: 'api',
  });
  const compare = (incoming: LedgerEntry[], stored: LedgerEntry[]) => {
    const { known, replaced } = crossDuplicates(incoming, stored);
    return { known: [...known], replaced: [...replaced] };
  };

  test('a movement on a list of the exchange is a part of it, whichever comes first', () => {
    expect(compare([swap('s')], [moved('r', 'G', '600')])).toEqual({ known: [], replaced: ['r'] });
    expect(compare([moved('r', 'G', '600')], [swap('s')])).toEqual({ known: ['r'], replaced: [] });
    expect(compare([moved('r', 'GAL', '-10')], [swap('s')])).toEqual({ known: ['r'], replaced: [] });
  });
  test('another amount, another coin or another week is none of it', () => {
    const others = [moved('r', 'G', '500'), moved('r', 'GAL', '600'), moved('r', 'G', '600', T + 4 * 86_400_000)];
    for (const other of others) expect(compare([other], [swap('s')])).toEqual({ known: [], replaced: [] });
  });
  test('of a new unit the list can show what went and came, or the difference', () => {
    const unit = swap('s', { asset: 'GAL', quantity: '600' });
    for (const change of ['600', '-10', '590', '590.0001']) expect(compare([moved('r', 'GAL', change)], [unit]).known).toEqual(['r']);
    expect(compare([moved('r', 'GAL', '580')], [unit]).known).toEqual([]);
  });
  test('the statement takes the place of what the owner said of it', () => {
    const said = swap('u', { source: 'user', at: T + 3_600_000, quantity: '600.0002' });
    expect(compare([swap('s')], [said])).toEqual({ known: [], replaced: ['u'] });
    expect(compare([said], [swap('s')])).toEqual({ known: ['u'], replaced: [] });
    expect(compare([swap('s', { fromQuantity: '20', quantity: '1200' })], [said])).toEqual({ known: [], replaced: [] });
  });
  test('a coin has a new unit once, also where the owner knew less of it or had it in two wallets', () => {
    const said = swap('u', { source: 'user', asset: 'GAL', fromQuantity: '9', quantity: '540' });
    const rows = [swap('s', { asset: 'GAL' }), swap('t', { asset: 'GAL', fromQuantity: '3', quantity: '180' })];
    expect(compare(rows, [said])).toEqual({ known: [], replaced: ['u'] });
    expect(compare([said], rows)).toEqual({ known: ['u'], replaced: [] });
  });
  test('a withdrawal or deposit of the same statement is none of it, whichever comes first', () => {
    const row = (id: string, asset: string, change: string, transfer: TransferEntry['transfer']): TransferEntry => ({
      ...moved(id, asset, change, T + 3_600_000),
      transfer,
      source: 'transaction-records',
    });
    const others = [row('w', 'GAL', '-10', 'withdrawal'), row('d', 'G', '600', 'deposit')];
    expect(compare(others, [swap('s')])).toEqual({ known: [], replaced: [] });
    expect(compare([swap('s')], others)).toEqual({ known: [], replaced: [] });
    // A part of the statement that had one side only did not know what it was.
    const halves = [row('w', 'GAL', '-10', 'unknown'), row('d', 'G', '600', 'airdrop')];
    expect(compare([swap('s')], halves)).toEqual({ known: [], replaced: ['w', 'd'] });
    expect(compare(halves, [swap('s')])).toEqual({ known: ['w', 'd'], replaced: [] });
  });
});

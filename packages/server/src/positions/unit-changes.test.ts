import { toText } from '@pilotfish/core/money/decimal';
import { foldLedger } from '@pilotfish/core/positions/asset-fold';
import type { LedgerEntry, TransferEntry } from '@pilotfish/core/positions/ledger-entry';
import { FOLD_OPTIONS } from '@pilotfish/core/testing/ledger-entries';
import { crossDuplicates } from '@pilotfish/core/trade-import/cross-duplicates';
import { expect, test } from 'vitest';
import { MINUTE, NOW, OWNER, trade } from './ledger-fixture.ts';
import { countInNewUnit, type WriteUnitChange } from './unit-changes.ts';

/** A ledger in memory, as far as is asked of it. */
function ledgerOf(stored: LedgerEntry[]) {
  const write: WriteUnitChange = async (_owner, swap, gaveWay) => {
    stored = [...stored.filter((entry) => !gaveWay.includes(entry)), { ...swap, id: `swap:${swap.asset}:${swap.at}` }];
  };
  const inTurn = async <Result>(_owner: string, work: () => Promise<Result>) => work();
  const position = () => {
    const [{ quantity, cost, reasons } = { quantity: undefined, cost: undefined, reasons: [] }] = foldLedger(stored, FOLD_OPTIONS)[0]!
      .positions;
    return [toText(quantity!), toText(cost!), ...reasons];
  };
  return { ledger: { ledger: { entries: async () => stored, inTurn } as never, write }, position, stored: () => stored };
}
const moved = (id: string, minute: number, change: string, more: Partial<TransferEntry> = {}): TransferEntry => ({
  kind: 'transfer',
  id,
  at: NOW + minute * MINUTE,
  asset: 'ETH',
  change,
  transfer: 'deposit',
  cost: null,
  source: 'api',
  ...more,
});
const bought = trade(0, 'Buy', '2', '100');
const carried = (factor: string, minute = 60) => ({ asset: 'ETH', factor, at: NOW + minute * MINUTE });

test('what is known is counted in the new unit, at the cost it had', async () => {
  for (const [factor, quantity] of [
    ['100', '200'],
    ['0.001', '0.002'],
  ] as const) {
    const { ledger, position } = ledgerOf([bought]);
    await countInNewUnit(ledger, OWNER, carried(factor));
    expect(position()).toEqual([quantity, '200']);
  }
});

test.each<[string, TransferEntry[]]>([
  ['as a deposit of the difference', [moved('d', 30, '198')]],
  ['after trading went on', [moved('d', 90, '198')]],
  ['as a reward, with what rounding took', [moved('d', 30, '197.99999', { transfer: 'reward' })]],
  ['by taking all of it back', [moved('out', 30, '-2'), moved('in', 31, '200')]],
  ['beside a deposit of that day', [moved('other', 20, '1', { transfer: 'withdrawal', change: '-0.5' }), moved('d', 30, '148.5')]],
])('what the exchange gave %s counts once', async (_name, moves) => {
  const { ledger, position, stored } = ledgerOf([bought, ...moves]);
  await countInNewUnit(ledger, OWNER, carried('100'));
  const explained = moves.filter(({ id }) => id !== 'other');
  const isWithdrawn = explained.length < moves.length;
  const total = explained.some(({ change }) => change === '197.99999') ? '199.99999' : isWithdrawn ? '150' : '200';
  expect(position()).toEqual([total, isWithdrawn ? '150' : '200']);
  expect(stored().filter(({ id }) => explained.some((each) => each.id === id))).toEqual([]);
});

test('a row that is read after it is known by it', async () => {
  const { ledger, stored } = ledgerOf([bought]);
  await countInNewUnit(ledger, OWNER, carried('100'));
  const { known } = crossDuplicates([moved('d', 2000, '198'), moved('e', 2000, '-2'), moved('f', 2000, '200')], stored());
  expect([...known]).toEqual(['d', 'e', 'f']);
  expect([...crossDuplicates([moved('d', 2000, '50')], stored()).known]).toEqual([]);
});

test('two bots that ask about one coin change it once; a later change of its unit is another', async () => {
  const { ledger, position } = ledgerOf([bought]);
  await countInNewUnit(ledger, OWNER, carried('100'));
  await countInNewUnit(ledger, OWNER, carried('100', 61));
  expect(position()).toEqual(['200', '200']);
  await countInNewUnit(ledger, OWNER, carried('10', 30 * 24 * 60));
  expect(position()).toEqual(['2000', '200']);
});

test('of nothing that is known nothing is made, and a deposit that explains nothing stays', async () => {
  const nothing = ledgerOf([]);
  await countInNewUnit(nothing.ledger, OWNER, carried('100'));
  expect(nothing.stored()).toEqual([]);
  const { ledger, stored } = ledgerOf([bought, moved('d', 30, '3', { cost: '5' })]);
  await countInNewUnit(ledger, OWNER, carried('100'));
  expect(stored().map(({ id }) => id)).toEqual([bought.id, 'd', `swap:ETH:${carried('100').at}`]);
});

import {
  absolute,
  add,
  compare,
  type Decimal,
  decimal,
  isPositive,
  multiply,
  ONE,
  rescale,
  subtract,
  toText,
  ZERO,
} from '@pilotfish/core/money/decimal';
import { addFlows, type LedgerEntry, type SwapEntry, type TransferEntry } from '@pilotfish/core/positions/ledger-entry';
import type { LedgerStore } from './ledger-store.ts';

/** The exchange gives the new units so long before or after trading goes on, at most. */
const AROUND_MS = 3 * 86_400_000;
const QUANTITY_PLACES = 8;
/** What came is not always exactly what the factor says: balances are rounded. */
const CRUMBS = decimal('0.001');

/** A coin that goes on in a new unit: so many new ones for an old one, from venue time `at` on. */
export type UnitChange = { readonly asset: string; readonly factor: string; readonly at: number };

/** Writes a swap and has these entries give way to it. */
export type WriteUnitChange = (accountId: string, swap: Omit<SwapEntry, 'id'>, gaveWay: readonly LedgerEntry[]) => Promise<unknown>;

/**
 * Counts what an account's ledger knows of a coin in its new unit, at the cost it had. The rows by which the exchange gave
 * the new units, read already as deposits or rewards, give way to it; those that are read later are known by it. A change
 * of about that time that is there already stays the only one: two bots can ask about the same coin.
 */
export async function countInNewUnit(
  { ledger, write }: { ledger: Pick<LedgerStore, 'entries' | 'inTurn'>; write: WriteUnitChange },
  accountId: string,
  change: UnitChange,
): Promise<void> {
  await ledger.inTurn(accountId, async () => {
    const entries = await ledger.entries(accountId, { assets: [change.asset] });
    const near = entries.filter(({ at }) => Math.abs(at - change.at) <= AROUND_MS);
    if (near.some((entry) => entry.kind === 'swap' && entry.fromAsset === change.asset && entry.asset === change.asset)) return;
    const changed = unitChange(entries, near, change);
    if (changed) await write(accountId, changed.swap, changed.given);
  });
}

function unitChange(entries: readonly LedgerEntry[], near: readonly LedgerEntry[], { asset, factor, at }: UnitChange) {
  const flows = new Map<string, Decimal>();
  for (const entry of entries) if (entry.at <= at) addFlows(flows, entry);
  const known = flows.get(asset) ?? ZERO;
  const given = givenFor(known, near, { asset, factor, at });
  const before = subtract(known, sumOf(given.filter((entry) => entry.at <= at)));
  if (!isPositive(before)) return undefined;
  const after = given.length > 0 ? add(before, sumOf(given)) : rescale(multiply(before, decimal(factor)), QUANTITY_PLACES, 'down');
  const quantities = { fromQuantity: toText(before), quantity: toText(after) };
  const swap: Omit<SwapEntry, 'id'> = { kind: 'swap', at, fromAsset: asset, asset, ...quantities, source: 'user' };
  return { swap, given };
}

const sumOf = (entries: readonly TransferEntry[]): Decimal => entries.reduce((total, { change }) => add(total, decimal(change)), ZERO);

/** The movements by which the exchange made the change: what came on top, or all of it back and anew; none where there are none. */
function givenFor(known: Decimal, near: readonly LedgerEntry[], { asset, factor, at }: UnitChange): TransferEntry[] {
  const moves = near.filter(
    (entry): entry is TransferEntry => entry.kind === 'transfer' && entry.asset === asset && entry.source === 'api' && entry.cost === null,
  );
  const groups = [...moves.map((move) => [move]), ...moves.flatMap((went) => moves.map((came) => [went, came]))];
  const explains = (group: readonly TransferEntry[]): boolean => {
    const before = subtract(known, sumOf(group.filter((entry) => entry.at <= at)));
    const expected = multiply(before, subtract(decimal(factor), ONE));
    const isTakenBack = group.length === 1 || compare(add(decimal(group[0]!.change), before), ZERO) === 0;
    const difference = absolute(subtract(sumOf(group), expected));
    return isPositive(before) && isTakenBack && compare(difference, multiply(absolute(expected), CRUMBS)) <= 0;
  };
  return groups.find(explains) ?? [];
}

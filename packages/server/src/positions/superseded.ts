import type { TradeEntry } from '@pilotfish/core/positions/ledger-entry';
import { crossDuplicates } from '@pilotfish/core/trade-import/cross-duplicates';
import type { Queries } from '../database/database.ts';
import type { LedgerStore } from './ledger-store.ts';

/** An order's row in a file can lie this far from its fills. */
const AROUND_MS = 86_400_000;

/** Writes fills the exchange told of; rows of files that tell of the same give way, also such as are being imported now. */
export const appendTold = (
  ledger: Pick<LedgerStore, 'entries' | 'append' | 'inTurn'>,
  accountId: string,
  entries: readonly TradeEntry[],
  { replaces = [], within }: { replaces?: readonly string[]; within?: (queries: Queries) => Promise<void> } = {},
): ReturnType<LedgerStore['append']> =>
  ledger.inTurn(accountId, async () => {
    const files = await superseded(ledger, accountId, entries);
    return ledger.append(accountId, entries, { replaces: [...new Set([...replaces, ...files])], ...(within && { within }) });
  });

/** Names of rows of files that tell of the same fills as these, which the exchange itself told: they give way. */
export async function superseded(
  ledger: Pick<LedgerStore, 'entries'>,
  accountId: string,
  entries: readonly TradeEntry[],
): Promise<readonly string[]> {
  const names: string[] = [];
  for (const symbol of new Set(entries.map((entry) => entry.symbol))) {
    const own = entries.filter((entry) => entry.symbol === symbol);
    const times = own.map(({ at }) => at);
    const around = await ledger.entries(accountId, {
      symbol,
      from: times.reduce((least, at) => Math.min(least, at)) - AROUND_MS,
      to: times.reduce((most, at) => Math.max(most, at)) + AROUND_MS,
    });
    if (around.some(({ source }) => source !== 'api')) names.push(...crossDuplicates(own, around).replaced);
  }
  return names;
}

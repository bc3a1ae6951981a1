import { type MarketSource, marketSource } from '@pilotfish/core/prices/prices-contract';
import type { Database, Queries } from '../database/database.ts';
import type { Settings } from './settings.ts';

/** Which market a run of the server works with, who decided it, and the way to another. */
export type MarketDecision = {
  readonly by: 'environment' | 'admin' | 'default';
  /** The market that the next run works with, once it has been told to begin. */
  readonly changingTo: MarketSource | null;
  /** Notes an Admin's choice: the next run works with it. */
  readonly store: (market: MarketSource, on: Queries) => Promise<void>;
  /** To be called when the choice is stored. Ends this run, and begins the next with another market; nothing where it is the same. */
  readonly settle: (market: MarketSource) => void;
};

/**
 * What the environment says, else what an Admin chose, else the simulated market: it asks nothing of the network, so
 * nothing leaves the machine before somebody has chosen. Who gives addresses of an exchange has decided, too: another
 * market than that one must not be looked for at them.
 * @param begin ends this run and begins the next
 */
export async function decideMarket(
  { queries }: Pick<Database, 'queries'>,
  settings: Settings,
  begin: () => void,
): Promise<{ market: MarketSource; decision: MarketDecision }> {
  const { exchange, exchangeRestUrl, exchangeWsUrl, exchangeWsApiUrl, exchangeStreamUrl } = settings;
  const isGiven = [exchange, exchangeRestUrl, exchangeWsUrl, exchangeWsApiUrl, exchangeStreamUrl].some((value) => value !== undefined);
  const row = await queries.selectFrom('installation').select('market').executeTakeFirst();
  // One that only another version knows is asked for again.
  const chosen = marketSource.nullish().catch(null).parse(row?.market);
  const market = exchange ?? (isGiven ? 'simulated' : (chosen ?? 'simulated'));
  let by: MarketDecision['by'] = isGiven ? 'environment' : chosen ? 'admin' : 'default';
  let changingTo: MarketSource | null = null;
  return {
    market,
    decision: {
      get by() {
        return by;
      },
      get changingTo() {
        return changingTo;
      },
      store: async (next, on) => {
        await on.updateTable('installation').set({ market: next }).execute();
      },
      settle: (next) => {
        by = 'admin';
        if (next === market || changingTo !== null) return;
        changingTo = next;
        begin();
      },
    },
  };
}

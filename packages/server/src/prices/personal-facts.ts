import type { PersonalFacts, PersonalSource } from './screener-service.ts';

const HELD_MS = 30_000;
const ACCOUNTS_KEPT = 500;

/**
 * What is known of the one who asks: coins held at the exchange, when it is connected, and positions of the own bots.
 * @param heldAssets assets of which the account has something; undefined without a connection
 */
export function personalFacts(parts: {
  heldAssets: (accountId: string) => Promise<ReadonlySet<string> | undefined>;
  isConnected: (accountId: string) => Promise<boolean>;
  openSymbols: (accountId: string) => Promise<ReadonlySet<string>>;
  now: () => number;
}): PersonalSource {
  const held = new Map<string, { until: number; assets: Promise<ReadonlySet<string> | undefined> }>();

  /** Asked at most every half minute per account; a failed question leaves the fact unknown. */
  function assetsOf(accountId: string): Promise<ReadonlySet<string> | undefined> {
    const known = held.get(accountId);
    if (known !== undefined && parts.now() < known.until) return known.assets;
    const assets = parts.heldAssets(accountId).catch(() => undefined);
    held.delete(accountId);
    if (held.size >= ACCOUNTS_KEPT) held.delete(held.keys().next().value!);
    held.set(accountId, { until: parts.now() + HELD_MS, assets });
    return assets;
  }

  return {
    available: async (accountId) => [...((await parts.isConnected(accountId)) ? ['owned'] : []), 'openPosition'],
    facts: async (accountId, keys) => {
      const facts = new Map<string, (pair: { symbol: string; baseAsset: string }) => boolean>();
      const assets = keys.includes('owned') ? await assetsOf(accountId) : undefined;
      if (assets !== undefined) facts.set('owned', ({ baseAsset }) => assets.has(baseAsset));
      if (keys.includes('openPosition')) {
        const symbols = await parts.openSymbols(accountId);
        facts.set('openPosition', ({ symbol }) => symbols.has(symbol));
      }
      return facts satisfies PersonalFacts;
    },
  };
}

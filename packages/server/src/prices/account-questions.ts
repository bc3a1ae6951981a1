import * as z from 'zod';
import type { Exchange } from '../exchange/exchange.ts';
import type { Signer } from '../exchange/signing.ts';

export const bnbBurn = z.looseObject({ spotBNBBurn: z.boolean() });
const FEES_MS = 10 * 60_000;
const ACCOUNTS_KEPT = 500;

/** What the market side asks of a connected account; undefined everywhere without a connection. */
export function accountQuestions(
  exchange: Pick<Exchange, 'account' | 'rest' | 'hasWallet'>,
  {
    isConnected,
    signerOf,
    coinOf,
  }: {
    isConnected: (accountId: string) => Promise<boolean>;
    signerOf: (accountId: string) => Promise<Signer>;
    /** What coin an asset of an account is. */
    coinOf: (asset: string) => string;
  },
  now: () => number,
) {
  const fees = new Map<string, { until: number; answer: Promise<boolean | undefined> }>();
  const askFees = async (accountId: string): Promise<boolean | undefined> => {
    if (!exchange.hasWallet || !(await isConnected(accountId))) return undefined;
    const signer = await signerOf(accountId);
    const answer = await exchange.rest.request({ method: 'GET', path: '/sapi/v1/bnbBurn', weight: 1, signer, answer: bnbBurn });
    return answer.spotBNBBurn;
  };
  return {
    isConnected,
    heldAssets: async (accountId: string): Promise<ReadonlySet<string> | undefined> => {
      if (!(await isConnected(accountId))) return undefined;
      const { balances } = await exchange.account(await signerOf(accountId));
      return new Set(balances.filter(({ free, locked }) => Number(free) + Number(locked) > 0).map(({ asset }) => coinOf(asset)));
    },
    /** Whether the account pays fees in BNB; undefined where it cannot be asked. */
    paysFeesInBnb: (accountId: string): Promise<boolean | undefined> => {
      const known = fees.get(accountId);
      if (known !== undefined && now() < known.until) return known.answer;
      const answer = askFees(accountId).catch(() => undefined);
      fees.delete(accountId);
      if (fees.size >= ACCOUNTS_KEPT) fees.delete(fees.keys().next().value!);
      fees.set(accountId, { until: now() + FEES_MS, answer });
      return answer;
    },
  };
}

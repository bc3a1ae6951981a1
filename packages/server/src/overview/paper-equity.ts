import { add, type Decimal, decimal, multiply, rescale, toText, ZERO } from '@pilotfish/core/money/decimal';
import type { Cancel } from '@pilotfish/core/time/timers';
import type { AppContext } from '../app/context.ts';
import type { Market } from '../market/market.ts';
import type { EquitySource, Worth } from './equity.ts';

const CURRENCY = 'USDT';
const MONEY_SCALE = 8;
/** As often as points of the connected account are kept. */
const SNAPSHOT_MS = 15 * 60_000;

export type PaperEquityParts = {
  readonly market: Pick<Market, 'price' | 'rate' | 'pair'>;
  readonly books: {
    accounts(): Promise<string[]>;
    of(accountId: string): Promise<{ walletId: string; currency: string; sums: { free: string; reserved: string; invested: string } }[]>;
    flows(accountId: string, from: number): Promise<{ at: number; currency: string; amount: Decimal }[]>;
  };
  /** Coins that the wallets have paid for and that are held; `whole` where these are known to be all. */
  readonly coins: (accountId: string) => Promise<{ coins: { walletId: string; symbol: string; quantity: string }[]; whole: boolean }>;
  readonly history: EquitySource['history'] & {
    add(accountId: string, point: { at: number; total: string; invested: string; available: string }): Promise<void>;
  };
};

export type PaperEquity = EquitySource & { start(): void; stop(): Promise<void> };

/** What the wallets on paper are worth: what is free and set aside, and the coins at the prices of now. */
export function paperEquity(
  { log, now, timers }: Pick<AppContext, 'log' | 'now' | 'timers'>,
  { market, books, coins, history }: PaperEquityParts,
): PaperEquity {
  let timer: Cancel | undefined;
  let running: Promise<void> = Promise.resolve();
  const rateOf = (currency: string): string | undefined => (currency === CURRENCY ? '1' : market.rate(currency, CURRENCY));
  const money = (value: Decimal): string => toText(rescale(value, MONEY_SCALE, 'down'));

  async function valued(accountId: string): Promise<Worth & { readonly hasWallets: boolean }> {
    const [wallets, { coins: held, whole }] = await Promise.all([books.of(accountId), coins(accountId)]);
    let [total, free, invested] = [ZERO, ZERO, ZERO];
    const unpriced = new Set<string>();
    for (const { walletId, currency, sums } of wallets) {
      const rate = rateOf(currency);
      if (rate === undefined) {
        unpriced.add(currency);
        continue;
      }
      const inPrimary = (value: Decimal): Decimal => multiply(value, decimal(rate));
      const [own, reserved] = [inPrimary(decimal(sums.free)), inPrimary(decimal(sums.reserved))];
      free = add(free, own);
      invested = add(invested, add(inPrimary(decimal(sums.invested)), reserved));
      total = add(total, add(own, reserved));
      for (const { symbol, quantity, walletId: of } of held) {
        if (of !== walletId) continue;
        const price = market.price(symbol);
        if (price === undefined) unpriced.add(market.pair(symbol)?.baseAsset ?? symbol);
        else total = add(total, inPrimary(multiply(decimal(quantity), decimal(price))));
      }
    }
    const worth = { total: money(total), available: money(free), invested: money(invested), unpriced: [...unpriced].sort() };
    // Points are kept only of times in which everything was known and had its price.
    return { ...worth, comparable: whole && unpriced.size === 0, hasWallets: wallets.length > 0 };
  }

  /** A point that leaves something out would show as a loss. */
  async function keep(accountId: string, { total, invested, available, comparable }: Worth): Promise<void> {
    if (comparable) await history.add(accountId, { at: now(), total, invested, available });
  }

  async function snapshots(): Promise<void> {
    for (const accountId of await books.accounts()) await keep(accountId, await valued(accountId));
  }

  return {
    history,
    worthOf: async (accountId) => {
      const { hasWallets, ...worth } = await valued(accountId);
      if (hasWallets) await keep(accountId, worth);
      return worth;
    },
    flowsOf: async (accountId, from) =>
      (await books.flows(accountId, from)).flatMap(({ at, currency, amount }) => {
        const rate = rateOf(currency);
        return rate === undefined ? [] : [{ at, value: rescale(multiply(amount, decimal(rate)), MONEY_SCALE, 'half-even') }];
      }),
    start: () => {
      timer = timers.every(SNAPSHOT_MS, () => {
        running = snapshots().catch((error: unknown) => log.error({ err: error }, 'worths of paper wallets could not be kept'));
      });
    },
    stop: async () => {
      timer?.();
      await running;
    },
  };
}

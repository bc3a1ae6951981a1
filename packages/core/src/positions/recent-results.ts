import { add, type Decimal, decimal, toText, ZERO } from '../money/decimal.ts';
import type { Money } from '../money/figure.ts';

/** The answers it is made of, each page as its endpoint gives it. */
type ResultCalls = {
  readonly bots: () => Promise<readonly { id: string; currency: string; mode: string }[]>;
  readonly sales: (
    id: string,
    page: number,
    pageSize: number,
  ) => Promise<readonly { at: string; after: Readonly<Record<string, unknown>> }[]>;
  readonly closed: (
    page: number,
    pageSize: number,
  ) => Promise<readonly { closedAt: string; realised: Money | null; quoteAsset: string; excludedFromTotals: boolean }[]>;
};
type Total = { readonly currency: string; readonly total: Money };
type RecentResults = {
  /** Of bots with the account's money, and of those with paper money. */
  readonly bots: Total[];
  readonly paperBots: Total[];
  /** Of positions of the account. */
  readonly closed: Total[];
  /** Closed positions whose result is not known. */
  readonly unknown: number;
};

const PAGE = 200;
/** Pages asked for at most; far more than anybody closes in a month. */
const MOST_PAGES = 50;

/** Everything since a moment of lists that tell the newest first. */
async function since<Item>(page: (page: number) => Promise<readonly Item[]>, from: number, atOf: (item: Item) => string): Promise<Item[]> {
  const found: Item[] = [];
  for (let number = 1; number <= MOST_PAGES; number += 1) {
    const items = await page(number);
    const recent = items.filter((item) => Date.parse(atOf(item)) >= from);
    found.push(...recent);
    if (recent.length < PAGE) break;
  }
  return found;
}
const sums = () => {
  const totals = new Map<string, Decimal>();
  return {
    add: (currency: string, amount: Money) => totals.set(currency, add(totals.get(currency) ?? ZERO, decimal(amount))),
    totals: (): Total[] => [...totals].map(([currency, total]) => ({ currency, total: toText(total) })),
  };
};

/** What was realised since then (epoch ms), by currency: never summed across currencies, paper apart. */
export async function recentResults(calls: ResultCalls, from: number): Promise<RecentResults> {
  const [live, paper, closed] = [sums(), sums(), sums()];
  for (const { id, currency, mode } of await calls.bots())
    for (const { after } of await since(
      (page) => calls.sales(id, page, PAGE),
      from,
      ({ at }) => at,
    ))
      if (typeof after.realised === 'string') (mode === 'paper' ? paper : live).add(currency, after.realised);
  let unknown = 0;
  for (const { realised, quoteAsset, excludedFromTotals } of await since(
    (page) => calls.closed(page, PAGE),
    from,
    ({ closedAt }) => closedAt,
  )) {
    if (excludedFromTotals) continue;
    if (realised === null) unknown += 1;
    else closed.add(quoteAsset, realised);
  }
  return { bots: live.totals(), paperBots: paper.totals(), closed: closed.totals(), unknown };
}

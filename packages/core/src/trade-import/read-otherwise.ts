import { type Decimal, decimal, isZero, negate, toText } from '../money/decimal.ts';
import { addFlows, type LedgerEntry, type TradeEntry, type TransferEntry } from '../positions/ledger-entry.ts';

/** Legs that are one event are a second apart at most. */
const APART_MS = 1000;

export type ReadOtherwise = {
  /** Names of stored entries that give way. */
  readonly replaced: readonly string[];
  /** What a person said a transfer had cost, by the name of the one that takes its place. */
  readonly costs: ReadonlyMap<string, Pick<TransferEntry, 'cost' | 'costEstimated'>>;
};

/**
 * Stored rows of statements that the same statement no longer reads so, because another answer was given for one of its
 * operations, or one at all: they give way to what it reads instead, or both would count. The same is what moves the same
 * units of a coin at the same second; of a trade also the same money, because an answer can make a leg a fee.
 * @param incoming what would be new
 * @param unread stored entries that the statement does not read now as before
 */
export function readOtherwise(incoming: readonly LedgerEntry[], unread: readonly LedgerEntry[]): ReadOtherwise {
  const byMove = new Map<string, LedgerEntry[]>();
  for (const entry of incoming)
    if (entry.source === 'transaction-records')
      for (const move of allMovesOf(entry)) byMove.set(move, [...(byMove.get(move) ?? []), entry]);
  const replaced: string[] = [];
  const costs = new Map<string, Pick<TransferEntry, 'cost' | 'costEstimated'>>();
  for (const entry of unread) {
    if (entry.source !== 'transaction-records') continue;
    const found = movesOf(entry)
      .flatMap((move) => byMove.get(move) ?? [])
      .find(({ at }) => Math.abs(at - entry.at) <= APART_MS);
    if (found === undefined) continue;
    replaced.push(entry.id);
    if (entry.kind === 'transfer' && entry.cost !== null && found.kind === 'transfer' && found.cost === null)
      costs.set(found.id, { cost: entry.cost, ...(entry.costEstimated ? { costEstimated: true } : {}) });
  }
  return { replaced, costs };
}

/** Legs of which earlier versions made one trade were a second apart; a fee may have stood between two. */
const CHAIN_MS = 2000;
const LONGEST_CHAIN = 200;

/**
 * Stored trades of statements that an earlier version added up over a chain of seconds, a purchase and a sale among them,
 * and that the same statement reads one by one now, or the other way round: what moves exactly the same coins in one and in
 * several gives way to what is read now. Answers their names.
 * @param incoming what the statement reads and is not stored so
 * @param unread stored entries that it does not read so
 */
export function addedUp(incoming: readonly LedgerEntry[], unread: readonly LedgerEntry[]): readonly string[] {
  const [now, before] = [tradesOf(incoming), tradesOf(unread)];
  if (now.length === 0 || before.length === 0) return [];
  const gone = new Set(before.filter((one) => partsOf(one, now) !== undefined).map(({ id }) => id));
  for (const one of now) for (const { id } of partsOf(one, before) ?? []) gone.add(id);
  return [...gone];
}

const tradesOf = (entries: readonly LedgerEntry[]): TradeEntry[] =>
  entries
    .filter((entry): entry is TradeEntry => entry.kind === 'trade' && entry.source === 'transaction-records')
    .sort((one, other) => one.at - other.at);

/** The trades in a row, the last of them of the second of this one, that move what it does; undefined where none do. */
function partsOf(one: TradeEntry, list: readonly TradeEntry[]): readonly TradeEntry[] | undefined {
  const end = (Math.floor(one.at / 1000) + 1) * 1000;
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] as TradeEntry).at < end) low = middle + 1;
    else high = middle;
  }
  if (end - (list[low - 1]?.at ?? 0) > 1000) return undefined;
  const left = new Map<string, Decimal>();
  addFlows(left, one);
  for (let start = low - 1; start >= Math.max(0, low - LONGEST_CHAIN); start -= 1) {
    const part = list[start] as TradeEntry;
    if ((list[start + 1]?.at ?? end) - part.at > CHAIN_MS && start + 1 < low) return undefined;
    addFlows(left, part, -1);
    if (start < low - 1 && [...left.values()].every(isZero)) return list.slice(start, low);
  }
  return undefined;
}

/**
 * Stored conversions and trades of statements whose two legs the same statement reads now as legs of two others: an earlier
 * version paired the rows of a second by their order, against their remarks. They give way, or every leg would count twice.
 * One that is read with both its legs together is another of as many coins, and stays. Answers their names.
 * @param incoming what the statement reads and is not stored so
 * @param unread stored entries that it does not read so
 */
export function pairedOtherwise(incoming: readonly LedgerEntry[], unread: readonly LedgerEntry[]): readonly string[] {
  const gone: string[] = [];
  if (unread.length === 0) return gone;
  const keyOf = (leg: string, at: number, off = 0): string => `${leg} ${Math.floor(at / 1000) + off}`;
  const free = new Map<string, string[]>();
  const names = new Set(incoming.map(({ id }) => id));
  for (const entry of incoming)
    if (entry.source === 'transaction-records')
      for (const leg of legsOf(entry)) {
        const key = keyOf(leg, entry.at);
        const owners = free.get(key) ?? [];
        free.set(key, owners);
        owners.push(wholeOf(entry.id, names) ?? entry.id);
      }
  const stored = new Map(unread.map((entry) => [entry.id, entry]));
  for (const entry of unread) {
    if (entry.source !== 'transaction-records' || wholeOf(entry.id, stored) !== undefined) continue;
    // Two coins that became one another are two entries: of both only the coin counts, for each may be valued in money.
    const other = stored.get(`${entry.id}:2`);
    const legs = other === undefined ? legsOf(entry) : [entry, other].flatMap((each) => legsOf(each).slice(0, 1));
    const [ones = [], others = []] = legs.map((leg) =>
      [0, -1, 1].map((off) => free.get(keyOf(leg, entry.at, off)) ?? []).find(({ length }) => length > 0),
    );
    const one = ones.findIndex((owner) => others.some((each) => each !== owner));
    if (one < 0) continue;
    const [owner] = ones.splice(one, 1);
    others.splice(
      others.findIndex((each) => each !== owner),
      1,
    );
    gone.push(entry.id, ...(other === undefined ? [] : [other.id]));
  }
  return gone;
}

/** The name of the entry whose second half this is; undefined for one that is none. */
function wholeOf(id: string, names: { has(name: string): boolean }): string | undefined {
  const whole = id.endsWith(':2') ? id.slice(0, -2) : undefined;
  return whole !== undefined && names.has(whole) ? whole : undefined;
}

/** The legs of which a statement makes an entry: a coin, and the money of a trade. */
function legsOf(entry: LedgerEntry): string[] {
  if (entry.kind === 'transfer') return entry.transfer === 'conversion' ? [`${entry.asset} ${entry.change}`] : [];
  if (entry.kind === 'swap') return [];
  const { side, baseAsset, quantity, quoteAsset, quoteQuantity } = entry;
  const [base, quote] = side === 'Buy' ? [quantity, minus(quoteQuantity)] : [minus(quantity), quoteQuantity];
  return [`${baseAsset} ${base}`, `${quoteAsset} ${quote}`];
}

/** What an entry moves, as far as it names it: of a trade the coin, and its money together with the coin. */
function movesOf(entry: LedgerEntry): string[] {
  if (entry.kind === 'transfer') return [`${entry.asset} ${entry.change}`];
  if (entry.kind === 'swap') return [`${entry.fromAsset} ${minus(entry.fromQuantity)}`, `${entry.asset} ${entry.quantity}`];
  const isBuy = entry.side === 'Buy';
  const [base, quote] = [isBuy ? entry.quantity : minus(entry.quantity), isBuy ? minus(entry.quoteQuantity) : entry.quoteQuantity];
  return [`${entry.baseAsset} ${base}`, `${entry.baseAsset} ${isBuy ? 'for' : 'against'} ${entry.quoteAsset} ${quote}`];
}

/** The same, and the money of a trade by itself: what was a movement alone can have become a leg. */
const allMovesOf = (entry: LedgerEntry): string[] =>
  entry.kind === 'trade'
    ? [...movesOf(entry), `${entry.quoteAsset} ${entry.side === 'Buy' ? minus(entry.quoteQuantity) : entry.quoteQuantity}`]
    : movesOf(entry);

const minus = (quantity: string): string => toText(negate(decimal(quantity)));

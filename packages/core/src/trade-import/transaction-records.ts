import { isAssetName } from '../money/asset-name.ts';
import { add, type Decimal, decimal, isNegative, isPositive, isZero, negate, toText, ZERO } from '../money/decimal.ts';
import { type ConversionDraft, type ImportDraft, isProblem, type TradeDraft, type TransferDraft } from './import-draft.ts';
import type { KnownPairs } from './known-pairs.ts';
import { Cells, priceOf, type ReadContext, RowError, type RowReader, readRow } from './row-reader.ts';
import { givenOperation, knownOperation, type LegKind, operationName } from './statement-operations.ts';
import { joinSwaps, type SwapLeg } from './swap-legs.ts';

type Leg = {
  readonly row: number;
  readonly at: number;
  readonly account: string;
  readonly kind: LegKind;
  readonly asset: string;
  readonly change: Decimal;
  /** `ETH to BNB`: which conversion of several in one second it is a part of; empty where its row says nothing. */
  readonly remark: string;
};

/** Wallets that are no part of the spot account: what happens in them is not a trade of ours. */
const FOREIGN = /futures|margin|options|pool|coin-m|usd-m/i;

/**
 * Statements of the account: every movement of every coin on a line of its own. What belongs together is put
 * together again by its second (one more or less) and its wallet.
 */
export function transactionRecordsReader(context: ReadContext): RowReader {
  const legs: Leg[] = [];
  const swapped: SwapLeg[] = [];
  const moved: TransferDraft[] = [];
  const times: number[] = [];
  return {
    push: (cells, row) =>
      readRow(context, row, () => {
        const read = new Cells(cells, context);
        const operation = operationName(read.text('operation'));
        const account = read.text('account');
        if (FOREIGN.test(account)) throw new RowError('OTHER_WALLET', read.name('account'), account, 'skipped');
        const asset = read.text('coin').toUpperCase();
        if (operation === '') throw new RowError('UNKNOWN_OPERATION', read.name('operation'), '');
        const known = knownOperation(operation);
        if (known === undefined) context.onUnknownOperation?.(read.text('operation'), asset);
        const kind = known ?? givenOperation(operation, !read.text('change').startsWith('-'), context.meanings ?? {});
        if (kind === undefined) throw new RowError('UNKNOWN_OPERATION', read.name('operation'), read.text('operation'), 'question');
        if (kind === 'internal') throw new RowError('OWN_TRANSFER', read.name('operation'), read.text('operation'), 'skipped');
        const at = read.time('time');
        times[Math.min(times.length, 1)] = at;
        if (!isAssetName(asset)) throw new RowError('BAD_PAIR', read.name('coin'), read.text('coin'));
        const change = decimal(read.of('change', [asset]));
        if (isZero(change)) throw new RowError('NOTHING_MOVED', read.name('change'), read.text('change'), 'skipped');
        if (kind === 'swap') swapped.push({ row, at, account, operation, asset, change });
        else if (kind === 'trade' || kind === 'fee' || kind === 'convert' || kind === 'fiat')
          legs.push({ row, at, account, kind, asset, change, remark: read.text('remark').toUpperCase() });
        else moved.push({ kind: 'transfer', row, at, asset, change: toText(change), transfer: kind });
        return undefined;
      }),
    end: () => {
      const [first = 0, last = first] = times;
      const direction = last < first ? -1 : 1;
      const joined = groups(legs).flatMap((group) => joinLegs(group, context.pairs));
      const drafts = [...moved, ...joinSwaps(swapped), ...joined.filter((each): each is ImportDraft => !isProblem(each))];
      for (const problem of joined.filter(isProblem)) context.emit(problem);
      for (const draft of drafts.sort((one, other) => one.at - other.at || direction * (one.row - other.row))) context.emit(draft);
    },
  };
}

/** Legs of one wallet and one kind of event, each at most a second after the one before. */
function groups(legs: readonly Leg[]): Leg[][] {
  const found: Leg[][] = [];
  const family = ({ kind }: Leg) => (kind === 'convert' || kind === 'fiat' ? kind : 'trade');
  const sorted = [...legs].sort(
    (one, other) =>
      one.account.localeCompare(other.account) || family(one).localeCompare(family(other)) || one.at - other.at || one.row - other.row,
  );
  for (const leg of sorted) {
    const group = found.at(-1);
    const last = group?.at(-1);
    if (group && last && last.account === leg.account && family(last) === family(leg) && leg.at - last.at <= 1000) group.push(leg);
    else found.push([leg]);
  }
  return found;
}

type Joined = ImportDraft | { row: number; result: 'error'; code: 'UNBALANCED_LEG' | 'MIXED_LEGS'; value: string };

/**
 * One coin given and one received make a trade or a conversion; anything else says which rows do not add up. The
 * finest parts that add up are taken: a purchase and a sale a second apart are two trades, and so are two within one.
 * Seconds that do not add up are joined with their neighbours only: over a whole chain a purchase and a sale would cancel.
 */
function joinLegs(legs: readonly Leg[], pairs: KnownPairs): Joined[] {
  const seconds = parted(legs, ({ at }) => at).map((second) => ({ legs: second, joined: joinSecond(second, pairs) }));
  const parts: typeof seconds = [];
  for (let index = 0; index < seconds.length; ) {
    let end = index;
    while (end < seconds.length && seconds[end]?.joined === undefined) end += 1;
    if (end === index) {
      parts.push(seconds[index] as (typeof seconds)[number]);
      index += 1;
      continue;
    }
    const [before, open, after] = [parts.slice(-1), seconds.slice(index, end), seconds.slice(end, end + 1)];
    const wider = [open, [...before, ...open], [...open, ...after], [...before, ...open, ...after]].map((each) => ({
      legs: each.flatMap((part) => part.legs),
      hasBefore: each[0] !== open[0],
      hasAfter: each.at(-1) !== open.at(-1),
    }));
    const found = wider
      .map((each) => ({ ...each, joined: joinSecond(each.legs, pairs) }))
      .filter(({ joined }) => joined !== undefined)
      .sort((one, other) => Number(isBalanced(other.legs)) - Number(isBalanced(one.legs)))[0];
    if (found === undefined) parts.push(...open);
    else {
      if (found.hasBefore) parts.pop();
      parts.push(found);
    }
    index = found?.hasAfter ? end + 1 : end;
  }
  return parts.flatMap((part) => part.joined ?? part.legs.map((leg) => alone(leg, part.legs)));
}

/** Each fill is a row of the coin that was given and one of the coin that came. */
function isBalanced(legs: readonly Leg[]): boolean {
  const moved = legs.filter(({ kind }) => kind !== 'fee');
  return 2 * moved.filter(({ change }) => isPositive(change)).length === moved.length;
}

/** Bought from a person, by card or by bank, or sold there: a statement can have the coins alone. Nothing else can be alone. */
function alone({ kind, row, at, asset, change }: Leg, beside: readonly Leg[]): Joined {
  if (kind === 'fiat') return { kind: 'transfer', row, at, asset, change: toText(change), transfer: 'fiat' };
  const moved = beside.filter((leg) => leg.kind !== 'fee');
  const isMixed = moved.some((leg) => isPositive(leg.change)) && moved.some((leg) => isNegative(leg.change));
  return { row, result: 'error', code: isMixed ? 'MIXED_LEGS' : 'UNBALANCED_LEG', value: `${toText(change)} ${asset}` };
}

/** What happened within one second: one trade; a purchase and a sale of one pair; or several, each of consecutive rows. */
function joinSecond(legs: readonly Leg[], pairs: KnownPairs): Joined[] | undefined {
  const moved = legs.filter(({ kind }) => kind !== 'fee');
  const assets = [...new Set(moved.map(({ asset }) => asset))];
  const isBothWays = assets.some((asset) => {
    const own = moved.filter((leg) => leg.asset === asset);
    return own.some(({ change }) => isPositive(change)) && own.some(({ change }) => isNegative(change));
  });
  const said = byRemark(legs);
  const one = isBothWays || (said !== undefined && said.length > 1) ? undefined : joinOne(legs, pairs);
  if (one) return one;
  const parts = said ?? (assets.length === 2 ? bySide(legs, assets[0] as string) : inARow(legs));
  // Where the rows of several trades are mixed, one trade would be given the money of the next.
  if (said === undefined && assets.length > 2 && !(parts.every(isBalanced) && areAlike(parts))) return undefined;
  const joined = parts.map((part) => joinOne(part, pairs));
  return joined.every((each) => each !== undefined) ? joined.flat() : undefined;
}

/** Conversions of one second that say by their remarks which coins became which; undefined where one of them does not. */
function byRemark(legs: readonly Leg[]): Leg[][] | undefined {
  const isSaid = ({ kind, asset, remark }: Leg) => {
    const [from, to, ...more] = remark.split(/\s+TO\s+/);
    return kind === 'convert' && more.length === 0 && from !== to && (asset === from || asset === to);
  };
  return legs.every(isSaid) ? parted(legs, ({ remark }) => remark) : undefined;
}

/** Conversions begin all with what was given, or all with what came: else a row can as well belong to the one before. */
function areAlike(parts: readonly (readonly Leg[])[]): boolean {
  const begins = parts.map(([first]) => first?.kind !== 'convert' || isNegative(first.change));
  return parts.every(([first]) => first?.kind !== 'convert') || new Set(begins).size === 1;
}

/** Purchases and sales of one pair apart; a fee goes with the row it stands nearest to. */
function bySide(legs: readonly Leg[], base: string): Leg[][] {
  const moved = legs.filter(({ kind }) => kind !== 'fee');
  const nearest = (fee: Leg) => moved.reduce((best, leg) => (Math.abs(leg.row - fee.row) < Math.abs(best.row - fee.row) ? leg : best));
  const sideOf = ({ asset, change }: Leg) => (asset === base) === isPositive(change);
  return parted(legs, (leg) => sideOf(leg.kind === 'fee' ? nearest(leg) : leg));
}

/** Rows one after the other for as long as they can be of one trade: a third coin, or one that goes both ways, begins the next. */
function inARow(legs: readonly Leg[]): Leg[][] {
  const parts: Leg[][] = [];
  for (const leg of legs.toSorted((one, other) => one.row - other.row)) {
    const part = parts.at(-1);
    const moved = part?.filter(({ kind }) => kind !== 'fee') ?? [];
    const goesOn = ({ asset, change }: Leg) => asset !== leg.asset || isNegative(change) === isNegative(leg.change);
    const isThird = new Set([...moved.map(({ asset }) => asset), leg.asset]).size > 2;
    if (part && (leg.kind === 'fee' || (!isThird && moved.every(goesOn)))) part.push(leg);
    else parts.push([leg]);
  }
  return parts;
}

/** Legs that are one trade or conversion; undefined where more or less than that. */
function joinOne(legs: readonly Leg[], pairs: KnownPairs): Joined[] | undefined {
  const moved = legs.filter(({ kind }) => kind !== 'fee');
  const assets = new Map<string, Decimal>();
  for (const { asset, change } of moved) assets.set(asset, add(assets.get(asset) ?? ZERO, change));
  const gained = [...assets].filter(([, change]) => isPositive(change));
  const given = [...assets].filter(([, change]) => isNegative(change));
  const fees = new Map<string, Decimal>();
  for (const { kind, asset, change } of legs) if (kind === 'fee') fees.set(asset, add(fees.get(asset) ?? ZERO, negate(change)));
  const [to, from] = [gained[0], given[0]];
  if (to === undefined || from === undefined || gained.length > 1 || given.length > 1 || fees.size > 1) return undefined;
  const first = legs[0] as Leg;
  const [feeAsset, fee] = [...fees][0] ?? [undefined, ZERO];
  const gave = { asset: from[0], quantity: toText(negate(from[1])) };
  const got = { asset: to[0], quantity: toText(to[1]) };
  const buying = pairs.has(got.asset + gave.asset);
  const selling = pairs.has(gave.asset + got.asset);
  if (first.kind === 'convert' || first.kind === 'fiat' || (!buying && !selling)) {
    const conversion: ConversionDraft = { kind: 'conversion', row: first.row, at: first.at, from: gave, to: got };
    if (feeAsset === undefined || isZero(fee)) return [conversion];
    return [
      conversion,
      { kind: 'transfer', row: first.row, at: first.at, asset: feeAsset, change: toText(negate(fee)), transfer: 'adjustment' },
    ];
  }
  const [base, quote] = buying ? [got, gave] : [gave, got];
  const trade: TradeDraft = {
    kind: 'trade',
    row: first.row,
    at: Math.max(...legs.map(({ at }) => at)),
    symbol: base.asset + quote.asset,
    baseAsset: base.asset,
    quoteAsset: quote.asset,
    side: buying ? 'Buy' : 'Sell',
    price: priceOf(quote.quantity, base.quantity),
    quantity: base.quantity,
    quoteQuantity: quote.quantity,
    fee: toText(fee),
    feeAsset: feeAsset ?? quote.asset,
    tradeId: null,
    orderId: null,
  };
  return [trade];
}

function parted(legs: readonly Leg[], by: (leg: Leg) => unknown): Leg[][] {
  const parts = new Map<unknown, Leg[]>();
  for (const leg of legs) {
    const part = parts.get(by(leg));
    if (part) part.push(leg);
    else parts.set(by(leg), [leg]);
  }
  return [...parts.values()];
}

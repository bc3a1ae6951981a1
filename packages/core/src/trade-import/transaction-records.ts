import { add, type Decimal, decimal, isNegative, isPositive, isZero, negate, toText, ZERO } from '../money/decimal.ts';
import type { TransferKind } from '../positions/ledger-entry.ts';
import type { ConversionDraft, ImportDraft, TradeDraft } from './import-draft.ts';
import type { KnownPairs } from './known-pairs.ts';
import { Cells, priceOf, type ReadContext, RowError, type RowReader, readRow } from './row-reader.ts';
import { joinSwaps, type SwapLeg } from './swap-legs.ts';

type LegKind = 'trade' | 'fee' | 'convert' | 'swap' | TransferKind | 'internal';
type Leg = {
  readonly row: number;
  readonly at: number;
  readonly account: string;
  readonly kind: LegKind;
  readonly asset: string;
  readonly change: Decimal;
};

/** The vocabulary of the statements over the years; the first pattern that fits says what a row is. */
const OPERATIONS: readonly (readonly [RegExp, LegKind])[] = [
  [/^(transaction )?fee$|^bnb fee deduction$/, 'fee'],
  [/^(buy|sell|transaction (buy|spend|sold|revenue|related)|auto-?invest transaction)$/, 'trade'],
  [
    /^(binance convert|large otc trading|small assets exchange bnb|stablecoins? auto-conversion|fiat ocbs.*|buy crypto.*|p2p trading)$/,
    'convert',
  ],
  [/^token swap|^asset recovery$|^distribution$/, 'swap'],
  [/^eth 2\.0 staking$/, 'convert'],
  [/^(deposit|fiat deposit|crypto deposit)$/, 'deposit'],
  [/^(withdraw|withdrawal|fiat withdraw(al)?|send|crypto withdraw(al)?)$/, 'withdrawal'],
  [/airdrop|crypto box|token distribution/, 'airdrop'],
  [/(interest|rewards?|rebate|referral|commission|cashback|voucher|bonus|launchpool (earnings|airdrop)|dividend|mining)/, 'reward'],
  [/^(transfer|main and funding|funding account|spot|isolated)/, 'internal'],
  [/(subscription|redemption|purchase|stake|unstake|lock|unlock|liquidity|transfer)/, 'internal'],
];

/** Wallets that are no part of the spot account: what happens in them is not a trade of ours. */
const FOREIGN = /futures|margin|options|pool|coin-m|usd-m/i;

/**
 * Statements of the account: every movement of every coin on a line of its own. What belongs together is put
 * together again by its second (one more or less) and its wallet.
 */
export function transactionRecordsReader(context: ReadContext): RowReader {
  const legs: Leg[] = [];
  const swapped: SwapLeg[] = [];
  return {
    push: (cells, row) =>
      readRow(context, row, () => {
        const read = new Cells(cells, context);
        const operation = read.text('operation').toLowerCase().trim();
        const account = read.text('account');
        const kind = OPERATIONS.find(([pattern]) => pattern.test(operation))?.[1];
        if (kind === undefined) throw new RowError('UNKNOWN_OPERATION', read.name('operation'), read.text('operation'));
        if (kind === 'internal' || FOREIGN.test(account)) throw new RowError(undefined, undefined, undefined, 'skipped');
        const at = read.time('time');
        const asset = read.text('coin').toUpperCase();
        if (!/^[A-Z0-9]{1,20}$/.test(asset)) throw new RowError('BAD_PAIR', read.name('coin'), read.text('coin'));
        const change = decimal(read.amount('change', [asset]).value);
        if (isZero(change)) throw new RowError(undefined, undefined, undefined, 'skipped');
        if (kind === 'swap') swapped.push({ row, at, account, operation, asset, change });
        else if (kind === 'trade' || kind === 'fee' || kind === 'convert') legs.push({ row, at, account, kind, asset, change });
        else return { kind: 'transfer', row, at, asset, change: toText(change), transfer: kind };
        return undefined;
      }),
    end: () => {
      for (const group of groups(legs)) for (const draft of joinLegs(group, context.pairs)) context.emit(draft);
      for (const draft of joinSwaps(swapped)) context.emit(draft);
    },
  };
}

/** Legs of one wallet and one kind of event, each at most a second after the one before. */
function groups(legs: readonly Leg[]): Leg[][] {
  const found: Leg[][] = [];
  const family = ({ kind }: Leg) => (kind === 'convert' ? 'convert' : 'trade');
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

/** One coin given and one received make a trade or a conversion; anything else says which rows do not add up. */
function joinLegs(
  legs: readonly Leg[],
  pairs: KnownPairs,
): (ImportDraft | { row: number; result: 'error'; code: 'UNBALANCED_LEG'; value: string })[] {
  const moved = legs.filter(({ kind }) => kind !== 'fee');
  const assets = new Map<string, Decimal>();
  for (const { asset, change } of moved) assets.set(asset, add(assets.get(asset) ?? ZERO, change));
  const gained = [...assets].filter(([, change]) => isPositive(change));
  const given = [...assets].filter(([, change]) => isNegative(change));
  const fees = new Map<string, Decimal>();
  for (const { kind, asset, change } of legs) if (kind === 'fee') fees.set(asset, add(fees.get(asset) ?? ZERO, negate(change)));
  const [to, from] = [gained[0], given[0]];
  if (to === undefined || from === undefined || gained.length > 1 || given.length > 1 || fees.size > 1) {
    const seconds = splitBySecond(legs);
    if (seconds.length > 1) return seconds.flatMap((part) => joinLegs(part, pairs));
    return legs.map(({ row, asset, change }) => ({ row, result: 'error', code: 'UNBALANCED_LEG', value: `${toText(change)} ${asset}` }));
  }
  const first = legs[0] as Leg;
  const [feeAsset, fee] = [...fees][0] ?? [undefined, ZERO];
  const gave = { asset: from[0], quantity: toText(negate(from[1])) };
  const got = { asset: to[0], quantity: toText(to[1]) };
  const buying = pairs.has(got.asset + gave.asset);
  const selling = pairs.has(gave.asset + got.asset);
  if (first.kind === 'convert' || (!buying && !selling)) {
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

/** A group that chains over several seconds, cut at each second; one that does not is answered whole. */
function splitBySecond(legs: readonly Leg[]): Leg[][] {
  const parts = new Map<number, Leg[]>();
  for (const leg of legs) parts.set(leg.at, [...(parts.get(leg.at) ?? []), leg]);
  return [...parts.values()];
}

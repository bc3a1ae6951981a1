import { randomUUID } from 'node:crypto';
import { isDecimalText } from '@pilotfish/core/money/decimal';
import { digits, type Quantity } from '@pilotfish/core/money/figure';
import { formatChange, formatQuantity, UNKNOWN } from '@pilotfish/core/money/format';
import { carryOverContract, type HalfSwapRow } from '@pilotfish/core/trade-import/carry-over-contract';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, LocalFailure, UsageError } from '../app/failure.ts';
import { printRows, type Resource } from '../ui/output.ts';
import { confirm } from '../ui/prompt.ts';
import { localTime } from '../ui/times.ts';
import { timeOf } from './migrate.ts';

/** One side of a swap in words, as it is given too: `100 POL`. */
const sideText = (amount: Quantity | null, asset: string | null, shown: (amount: Quantity) => string = digits): string =>
  amount === null || asset === null ? '' : `${shown(amount)} ${asset}`;

const halves: Resource<HalfSwapRow> = {
  empty: 'halfSwaps',
  columns: [
    { key: 'at', value: ({ at }) => at, shown: ({ at }) => localTime(at) },
    { key: 'asset', value: ({ asset }) => asset, shown: ({ asset }, paint) => paint.bold(asset) },
    { key: 'change', value: ({ change }) => change, shown: ({ change }) => formatChange(change), right: true },
    {
      key: 'from',
      value: ({ proposal }) => sideText(proposal.fromQuantity, proposal.fromAsset),
      shown: ({ proposal }) => sideText(proposal.fromQuantity, proposal.fromAsset, (amount) => formatQuantity(amount)) || UNKNOWN,
    },
    {
      key: 'to',
      value: ({ proposal }) => sideText(proposal.quantity, proposal.asset),
      shown: ({ proposal }) => sideText(proposal.quantity, proposal.asset, (amount) => formatQuantity(amount)) || UNKNOWN,
    },
  ],
};

export async function list(context: Context): Promise<void> {
  const client = await context.client(carryOverContract);
  const { items, total } = await client.listHalfSwaps();
  await printRows(context, halves, items);
  if (total > items.length) await context.say('cli.swaps.more', { shown: items.length, total });
}

type Options = { asset?: string; from?: string; to?: string; at?: string };

/** Carries the cost of a coin over: of a known side by its coin, of any other swap by both sides and the time. */
export async function carry(context: Context, { asset, ...given }: Options): Promise<void> {
  const client = await context.client(carryOverContract);
  const said = {
    ...(given.from === undefined ? {} : { from: sideOf('--from', given.from) }),
    ...(given.to === undefined ? {} : { to: sideOf('--to', given.to) }),
    ...(given.at === undefined ? {} : { at: timeOf(given.at) }),
  };
  const proposal = asset === undefined ? undefined : await proposalOf(asset.toUpperCase());
  const from = said.from ?? knownSide(proposal?.fromQuantity, proposal?.fromAsset);
  const to = said.to ?? knownSide(proposal?.quantity, proposal?.asset);
  const at = said.at ?? proposal?.at;
  if (from === undefined) throw new UsageError('needsFlag', { flag: '--from' });
  if (to === undefined) throw new UsageError('needsFlag', { flag: '--to' });
  if (at === undefined) throw new UsageError('needsFlag', { flag: '--at' });

  const words = { from: `${from.quantity} ${from.asset}`, to: `${to.quantity} ${to.asset}` };
  if (!(await confirm(context, 'cli.swaps.ask', { ...words, time: localTime(at) }))) throw new Ended(EXIT.failed);
  const body = { fromAsset: from.asset, fromQuantity: from.quantity, asset: to.asset, quantity: to.quantity, at };
  const { batchId, replaced } = await client.carryOver({ body }, { idempotencyKey: randomUUID() });
  await context.say('cli.swaps.done', { ...words, count: replaced.length, id: batchId });

  async function proposalOf(coin: string): Promise<HalfSwapRow['proposal']> {
    const found = (await client.listHalfSwaps()).items.filter((half) => half.asset === coin);
    const [half] = found;
    if (half === undefined) throw new LocalFailure('noHalfSwap', { coin }, { exit: EXIT.notFound });
    // Of several the time says which.
    const meant =
      found.length === 1 ? half : found.find(({ at: when }) => said.at !== undefined && Date.parse(when) === Date.parse(said.at));
    if (meant === undefined)
      throw new LocalFailure('severalHalfSwaps', { coin, times: found.map(({ at: when }) => when).join(', ') }, { exit: EXIT.usage });
    return meant.proposal;
  }
}

const knownSide = (amount: Quantity | null | undefined, asset: string | null | undefined) =>
  amount == null || asset == null ? undefined : { quantity: digits(amount), asset };

/** `100 POL` as one writes it. @throws UsageError */
export function sideOf(flag: string, text: string): { quantity: string; asset: string } {
  const [, amount = '', asset = ''] = /^\s*(\S+)\s+(\S+)\s*$/.exec(text) ?? [];
  if (!isDecimalText(amount) || asset === '') throw new UsageError('swapSide', { flag, value: text });
  return { quantity: amount, asset: asset.toUpperCase() };
}

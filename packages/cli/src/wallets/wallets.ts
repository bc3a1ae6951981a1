import { randomUUID } from 'node:crypto';
import type { Answer } from '@pilotfish/core/http/endpoint';
import { isDecimalText } from '@pilotfish/core/money/decimal';
import { formatMoney, formatPercentNumber, formatSigned } from '@pilotfish/core/money/format';
import { MOST_LATENCY_MS } from '@pilotfish/core/money/trading-terms';
import { type ledgerEntryKind, type Wallet, walletsContract } from '@pilotfish/core/wallets/wallets-contract';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, UsageError } from '../app/failure.ts';
import { findByName } from '../app/find.ts';
import { sayNext } from '../app/next-step.ts';
import { requireTrading } from '../app/require-trading.ts';
import type { Translate } from '../app/texts.ts';
import { sayUnreadable } from '../app/unreadable.ts';
import { tint } from '../ui/colour.ts';
import { formatOf, printOne, printRows, type Resource } from '../ui/output.ts';
import { confirm } from '../ui/prompt.ts';
import { localTime } from '../ui/times.ts';
import { wholeNumber } from '../ui/whole-number.ts';

const shownFee = (percent: Wallet['makerFeePct']): string => (percent === null ? '' : `${formatPercentNumber(percent)}%`);

/** Wallets as rows. */
export const wallets = (t: Translate): Resource<Wallet> => ({
  empty: 'wallets',
  columns: [
    { key: 'name', value: ({ name }) => name, shown: ({ name }, paint) => paint.bold(name) },
    { key: 'mode', value: ({ mode }) => mode, shown: ({ mode }) => t(`cli.modes.${mode}`), rank: 2 },
    { key: 'currency', value: ({ currency }) => currency, rank: 1 },
    { key: 'free', value: ({ free }) => free, shown: ({ free, currency }) => formatMoney(free, currency), right: true },
    {
      key: 'reserved',
      value: ({ reserved }) => reserved,
      shown: ({ reserved, currency }) => formatMoney(reserved, currency),
      right: true,
      rank: 4,
    },
    {
      key: 'invested',
      value: ({ invested }) => invested,
      shown: ({ invested, currency }) => formatMoney(invested, currency),
      right: true,
      rank: 3,
    },
    {
      key: 'realised',
      value: ({ realised }) => realised,
      shown: ({ realised, currency }, paint) => tint(paint, formatSigned(realised, currency)),
      right: true,
    },
    { key: 'status', value: ({ status }) => status, rank: 5 },
    { key: 'id', value: ({ id }) => id, shown: ({ id }, paint) => paint.dim(id), rank: 6 },
    // At the end: who reads the columns of a pipe by their place finds the others where they were.
    { key: 'makerFeePct', value: ({ makerFeePct }) => makerFeePct, shown: ({ makerFeePct }) => shownFee(makerFeePct), dataOnly: true },
    { key: 'takerFeePct', value: ({ takerFeePct }) => takerFeePct, shown: ({ takerFeePct }) => shownFee(takerFeePct), dataOnly: true },
    {
      key: 'latencyMs',
      value: ({ latencyMs }) => (latencyMs === null ? null : String(latencyMs)),
      shown: ({ latencyMs }) => (latencyMs === null ? '' : `${latencyMs} ms`),
      dataOnly: true,
    },
  ],
});

type Line = Answer<typeof walletsContract.getWallet>['ledger'][number];
const ledger = (currency: string): Resource<Line> => ({
  empty: 'ledger',
  columns: [
    { key: 'at', value: ({ at }) => at, shown: ({ at }) => localTime(at) },
    { key: 'kind', value: ({ kind }) => kind },
    {
      key: 'amount',
      value: ({ amount }) => amount,
      shown: ({ amount }, paint) => tint(paint, formatSigned(amount, currency, 'fine')),
      right: true,
    },
    { key: 'note', value: ({ note }) => note },
  ],
});

export async function list(context: Context, { watch }: { watch?: true }): Promise<void> {
  const client = await context.client(walletsContract);
  if (watch) {
    const { watchRows } = await import('../ui/watch-rows.ts');
    return watchRows(context, wallets(await context.texts()), () => client.listWallets(), ['auto-trades', 'account']);
  }
  await printRows(context, wallets(await context.texts()), await client.listWallets());
  await sayUnreadable(context, 'wallet');
}

export async function show(context: Context, { wallet }: { wallet: string }): Promise<void> {
  const client = await context.client(walletsContract);
  const { id } = findByName('wallet', await client.listWallets(), wallet);
  const found = await client.getWallet({ params: { id } });
  await printOne(context, wallets(await context.texts()), found);
  if (formatOf(context) !== 'table') return;
  context.stdout.write('\n');
  await printRows(context, ledger(found.currency), found.ledger);
}

export async function add(
  context: Context,
  options: { name: string; mode: 'paper' | 'live'; currency: string; balance: string; reserve?: string } & TermOptions,
): Promise<void> {
  requireAmount('--balance', options.balance);
  const terms = termsOf(options);
  if (options.reserve !== undefined) requireAmount('--reserve', options.reserve);
  if (options.mode === 'live') await requireTrading(context);
  if (options.mode === 'live' && !(await confirm(context, 'cli.wallets.live', { balance: options.balance, currency: options.currency })))
    throw new Ended(EXIT.failed);
  const client = await context.client(walletsContract);
  const body = {
    name: options.name,
    mode: options.mode,
    currency: options.currency.toUpperCase(),
    initialBalance: options.balance,
    ...(options.reserve === undefined ? {} : { reservePct: options.reserve }),
    ...terms,
  };
  const wallet = await client.createWallet({ body }, { idempotencyKey: randomUUID() });
  await printOne(context, wallets(await context.texts()), wallet);
  await sayNext(context, 'wallet', { id: wallet.id });
}

type TermOptions = { makerFee?: string; takerFee?: string; latency?: string };

/** Fees and latency as they were given; the server says what they may be. @throws UsageError naming the option */
function termsOf({ makerFee, takerFee, latency }: TermOptions): { makerFeePct?: string; takerFeePct?: string; latencyMs?: number } {
  if (makerFee !== undefined) requireAmount('--maker-fee', makerFee);
  if (takerFee !== undefined) requireAmount('--taker-fee', takerFee);
  if (latency !== undefined && !/^\d{1,6}$/.test(latency))
    throw new UsageError('invalidValue', { word: '--latency', allowed: `0 … ${MOST_LATENCY_MS}` });
  return {
    ...(makerFee === undefined ? {} : { makerFeePct: makerFee }),
    ...(takerFee === undefined ? {} : { takerFeePct: takerFee }),
    ...(latency === undefined ? {} : { latencyMs: Number(latency) }),
  };
}

/** Changes what a paper wallet pays and how far it is from the exchange, for orders from then on. */
export async function edit(context: Context, { wallet, ...options }: { wallet: string } & TermOptions): Promise<void> {
  const body = termsOf(options);
  if (Object.keys(body).length === 0) throw new UsageError('missingArgument', { word: '--maker-fee, --taker-fee, --latency' });
  const client = await context.client(walletsContract);
  const { id } = findByName('wallet', await client.listWallets(), wallet);
  await printOne(context, wallets(await context.texts()), await client.updateWallet({ params: { id }, body }));
}

type Movement = { wallet: string; amount: string; note?: string };

export async function deposit(context: Context, { wallet, amount, note }: Movement): Promise<void> {
  requireAmount('<amount>', amount);
  const client = await context.client(walletsContract);
  const { id } = findByName('wallet', await client.listWallets(), wallet);
  const body = { amount, ...(note === undefined ? {} : { note }) };
  await printOne(
    context,
    wallets(await context.texts()),
    await client.addWalletBalance({ params: { id }, body }, { idempotencyKey: randomUUID() }),
  );
}

/** Takes from what is free; the server refuses more than that. */
export async function withdraw(context: Context, { amount, ...movement }: Movement): Promise<void> {
  requireAmount('<amount>', amount);
  if (amount.startsWith('-') || !/[1-9]/.test(amount)) throw new UsageError('aboveZero', { flag: '<amount>', value: amount });
  await deposit(context, { ...movement, amount: `-${amount}` });
}

type LedgerKind = (typeof ledgerEntryKind.options)[number];

/** The newest ledger lines of a wallet, newest first. */
export async function showLedger(
  context: Context,
  { wallet, kind, limit }: { wallet: string; kind?: LedgerKind; limit?: string },
): Promise<void> {
  const count = wholeNumber(limit, '--limit');
  const client = await context.client(walletsContract);
  const { id } = findByName('wallet', await client.listWallets(), wallet);
  const { ledger: lines, currency } = await client.getWallet({ params: { id } });
  const wanted = lines.filter((line) => kind === undefined || line.kind === kind);
  await printRows(context, ledger(currency), wanted.slice(0, count));
}

/** Amounts stay text all the way; only their form is checked here. */
export function requireAmount(flag: string, text: string): void {
  if (!isDecimalText(text)) throw new UsageError('amount', { flag, value: text });
}

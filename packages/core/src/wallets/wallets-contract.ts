import * as z from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { amountText, asset, decimalText, id, idParams, isoTime, money, percent, tradeMode } from '../http/wire.ts';

export const ledgerEntryKind = z.enum(['deposit', 'withdraw', 'reserve', 'release', 'buy', 'sell', 'fee', 'adjust']);

/** A budget for bots, not a key. free + reserved + invested = deposits − withdrawals + realised, exactly. */
export const walletSchema = z.object({
  id,
  name: z.string(),
  currency: asset,
  mode: tradeMode,
  reservePct: percent(amountText),
  status: z.enum(['Ready', 'Underfunded']),
  free: money(),
  reserved: money(),
  invested: money(),
  realised: money(),
  deposits: money(),
  withdrawals: money(),
  createdAt: isoTime,
});
export type Wallet = z.infer<typeof walletSchema>;

/** More than anybody holds is a slip of the finger; nothing could show it either. */
const isOfThisWorld = (amount: string): boolean => Math.abs(Number(amount)) <= 1e12;

export const createWallet = endpoint({
  backend: 'bff',
  method: 'POST',
  path: '/v2/wallets',
  access: 'user',
  summary: 'Opens a wallet; live ones need a key that may trade',
  body: z.object({
    name: z.string().trim().min(1).max(40),
    currency: asset.default('USDT'),
    mode: tradeMode.default('paper'),
    initialBalance: money(amountText.refine(isOfThisWorld, { params: { code: 'max_trillion' } })).default('1000'),
    reservePct: percent(amountText.refine((text) => Number(text) <= 90, { params: { code: 'max_90' } })).default('1'),
  }),
  answer: walletSchema,
  status: 201,
  idempotent: true,
  errors: ['name-taken', 'trading-disabled', 'not-connected', 'underfunded'],
});
export const addWalletBalance = endpoint({
  backend: 'bff',
  method: 'POST',
  path: '/v2/wallets/{id}/add-balance',
  access: 'user',
  summary: 'Adds to the budget, or takes from its free part with a negative amount',
  params: idParams,
  body: z.object({
    amount: money(decimalText.refine(isOfThisWorld, { params: { code: 'max_trillion' } })),
    note: z.string().max(200).optional(),
  }),
  answer: walletSchema,
  idempotent: true,
  errors: ['underfunded', 'not-connected'],
});
export const listWallets = endpoint({
  backend: 'bff',
  method: 'GET',
  path: '/v2/wallets',
  access: 'user',
  summary: 'Wallets',
  answer: z.array(walletSchema),
});
export const getWallet = endpoint({
  backend: 'bff',
  method: 'GET',
  path: '/v2/wallets/{id}',
  access: 'user',
  summary: 'A wallet with its newest ledger lines',
  params: idParams,
  answer: walletSchema.extend({
    ledger: z.array(z.object({ id, at: isoTime, kind: ledgerEntryKind, amount: money(), note: z.string() })),
  }),
});

export const walletsContract = { createWallet, addWalletBalance, listWallets, getWallet };

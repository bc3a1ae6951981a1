import * as z from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { amountText, asset, decimalText, id, idParams, isoTime, money, percent, tradeMode } from '../http/wire.ts';
import { isDecimalText } from '../money/decimal.ts';
import { FEE_PCT_PLACES, MOST_FEE_PCT, MOST_LATENCY_MS } from '../money/trading-terms.ts';

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
  /** What the paper account pays and how far it is from the exchange; null for a live wallet, and from a server that knows none. */
  makerFeePct: percent().nullable().default(null),
  takerFeePct: percent().nullable().default(null),
  latencyMs: z.int().nullable().default(null),
});
export type Wallet = z.infer<typeof walletSchema>;

/** More than anybody holds is a slip of the finger; nothing could show it either. */
const isOfThisWorld = (amount: string): boolean => Math.abs(Number(amount)) <= 1e12;

const feePct = percent(
  amountText
    .refine((text) => Number(text) <= Number(MOST_FEE_PCT), { params: { code: 'too_big', limit: MOST_FEE_PCT } })
    .refine((text) => isDecimalText(text) && placesIn(text) <= FEE_PCT_PLACES, {
      params: { code: 'too_many_places', limit: String(FEE_PCT_PLACES) },
    }),
);
const placesIn = (text: string): number => text.replace(/0+$/, '').split('.')[1]?.length ?? 0;

/** Of orders on paper from now on; what is absent stays as it is. */
const paperTerms = {
  makerFeePct: feePct.optional(),
  takerFeePct: feePct.optional(),
  /** Between the sending of an order, or of its cancel, and its arrival at the matching engine. */
  latencyMs: z.int().min(0).max(MOST_LATENCY_MS).optional(),
};

export const createWallet = endpoint({
  backend: 'bff',
  method: 'POST',
  path: '/v2/wallets',
  access: 'user',
  summary: 'Opens a wallet; live ones need a key that may trade, paper ones have fees (0.1 %) and a latency (0 ms) of their own',
  body: z.object({
    ...paperTerms,
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
export const updateWallet = endpoint({
  backend: 'bff',
  method: 'PATCH',
  path: '/v2/wallets/{id}',
  access: 'user',
  summary: 'Changes the fees and the latency of a paper wallet, for orders from then on',
  params: idParams,
  body: z.object(paperTerms),
  answer: walletSchema,
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

export const walletsContract = { createWallet, updateWallet, addWalletBalance, listWallets, getWallet };

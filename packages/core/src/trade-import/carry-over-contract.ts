import * as z from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { asset, id, isoTime, positiveText, quantity } from '../http/wire.ts';

const swapBody = {
  fromAsset: asset,
  fromQuantity: quantity(positiveText),
  asset,
  quantity: quantity(positiveText),
  at: isoTime,
};

const halfSwap = z.object({
  /** The entry of the ledger. */
  id: z.string(),
  asset,
  /** Below zero: the coin went, and what it became is not known. Above zero: it came, and what of is not known. */
  change: quantity(),
  at: isoTime,
  /** The swap it is proposed to be; null is what its owner has to say. */
  proposal: z.object({
    fromAsset: asset.nullable(),
    fromQuantity: quantity().nullable(),
    asset: asset.nullable(),
    quantity: quantity().nullable(),
    at: isoTime,
  }),
});
export type HalfSwapRow = z.infer<typeof halfSwap>;

export const listHalfSwaps = endpoint({
  backend: 'bff',
  method: 'GET',
  path: '/v2/carry-overs',
  access: 'user',
  summary: 'Coins that went by a swap or renaming, or came, without the other side: what can be carried over',
  answer: z.object({
    /** Coins that went first, newest first; at most 200. */
    items: z.array(halfSwap),
    total: z.int(),
  }),
});

export const carryOver = endpoint({
  backend: 'bff',
  method: 'POST',
  path: '/v2/carry-overs',
  access: 'user',
  summary: 'Carries the cost of a coin over to what it became; movements that are its sides give way. Taken back like an import',
  body: z.object(swapBody),
  answer: z.object({
    /** Takes it back, as that of an import. */
    batchId: id,
    /** Movements that gave way. */
    replaced: z.array(z.object({ asset, change: quantity(), at: isoTime })),
  }),
  idempotent: true,
  errors: ['invalid', 'quota-reached'],
});

/** The format of the batch of a carry-over in the list of imports. */
export const CARRY_OVER_FORMAT = 'carry-over';

export const carryOverContract = { listHalfSwaps, carryOver };

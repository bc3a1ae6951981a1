import { amountText, asset, isoTime, orderSide, positiveText, symbol } from '@pilotfish/core/http/wire';
import * as z from 'zod';

export type TypedTrade = {
  symbol: string;
  side: 'Buy' | 'Sell';
  price: string;
  quantity: string;
  fee: string;
  /** As a `datetime-local` field has it, by the clock of the page. */
  at: string;
};
/** A trade of the exchange that the server offers for confirming. */
const offeredTrade = z.object({
  symbol,
  side: orderSide,
  price: positiveText,
  quantity: positiveText,
  fee: amountText.optional(),
  feeAsset: asset.optional(),
  at: isoTime,
  tradeId: z.string().max(40).nullish(),
});
export type OfferedTrade = Omit<z.infer<typeof offeredTrade>, 'tradeId'> & { tradeId?: string };

/** What the server offers, as trades; what is not one is left out. */
export function readCandidates(offered: readonly Record<string, unknown>[]): OfferedTrade[] {
  return offered.flatMap((each) => {
    const parsed = offeredTrade.safeParse(each);
    if (!parsed.success) return [];
    const { tradeId, ...trade } = parsed.data;
    return [{ ...trade, ...(tradeId == null ? {} : { tradeId }) }];
  });
}

import * as z from 'zod';

// The wallet's own histories, as far as they are read. Ids come as texts or as numbers, depending on the list.

const text = z.string();
const identity = z.union([z.string(), z.number()]).transform(String);

export const depositsPayload = z.array(
  z.looseObject({ id: identity, amount: text, coin: text, status: z.number(), insertTime: z.number() }),
);
export const withdrawalsPayload = z.array(
  z.looseObject({
    id: identity,
    amount: text,
    transactionFee: text.default('0'),
    coin: text,
    status: z.number(),
    /** `2026-01-31 12:00:00`, UTC. */
    applyTime: text,
    completeTime: text.optional(),
  }),
);
export const dividendsPayload = z.looseObject({
  rows: z.array(z.looseObject({ id: identity, amount: text, asset: text, divTime: z.number(), direction: z.number().optional() })),
});
export const conversionsPayload = z.looseObject({
  list: z
    .array(
      z.looseObject({
        orderId: identity,
        orderStatus: text,
        fromAsset: text,
        fromAmount: text,
        toAsset: text,
        toAmount: text,
        createTime: z.number(),
      }),
    )
    .nullish(),
  moreData: z.boolean().optional(),
});
export const dustPayload = z.looseObject({
  userAssetDribblets: z
    .array(
      z.looseObject({
        operateTime: z.number(),
        userAssetDribbletDetails: z.array(
          z.looseObject({ transId: identity, amount: text, operateTime: z.number(), transferedAmount: text, fromAsset: text }),
        ),
      }),
    )
    .nullish(),
});

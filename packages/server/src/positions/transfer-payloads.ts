import * as z from 'zod';
import {
  amountText as amount,
  idText,
  type Rows,
  rowsOf,
  sentIn,
  textOfUnread,
  type UnreadRow,
  unreadOf,
  withUnread,
} from '../exchange/exchange-rows.ts';

// The wallet's own histories, as far as they are read, row by row. Ids come as texts or as numbers, depending on the list.

const text = z.string();
/** `2026-01-31 12:00:00`, UTC, as epoch ms. */
const utcTime = text.transform((written, context): number => {
  const at = Date.parse(`${written.replace(' ', 'T')}Z`);
  if (Number.isNaN(at)) context.addIssue({ code: 'custom', message: 'no time' });
  return at;
});

export const depositsPayload = rowsOf(
  'deposits',
  z.looseObject({ id: idText, amount, coin: text, status: z.number(), insertTime: z.number() }),
  ['id'],
);
export const withdrawalsPayload = rowsOf(
  'withdrawals',
  z.looseObject({ id: idText, amount, transactionFee: amount.default('0'), coin: text, status: z.number(), applyTime: utcTime }),
  ['id'],
);
export const dividendsPayload = z.looseObject({
  rows: rowsOf('dividends', z.looseObject({ id: idText, amount, asset: text, divTime: z.number(), direction: z.number().optional() }), [
    'id',
  ]),
});

/** Lists of which an account that has nothing is sent none. */
const listOrNone = <Row extends z.ZodType>(list: string, row: Row, names: readonly string[]) =>
  z.preprocess((given) => given ?? [], rowsOf(list, row, names));

export const conversionsPayload = z.looseObject({
  list: listOrNone(
    'conversions',
    z.looseObject({
      orderId: idText,
      orderStatus: text,
      fromAsset: text,
      fromAmount: amount,
      toAsset: text,
      toAmount: amount,
      createTime: z.number(),
    }),
    ['orderId'],
  ),
  /** The span holds more than the list: what is beyond it has to be asked for by shorter spans. */
  moreData: z.boolean().nullish(),
});

const dustRow = z.looseObject({
  transId: idText,
  amount,
  operateTime: z.number(),
  transferedAmount: amount,
  fromAsset: text,
  /** What the dust became; an exchange that does not say it has BNB alone. */
  targetAsset: text.nullish().transform((given) => given ?? 'BNB'),
});
const dribblet = z
  .looseObject({ userAssetDribbletDetails: rowsOf('dust', dustRow, ['transId', 'fromAsset']) })
  .transform(({ userAssetDribbletDetails: details }) => details);
export type Dust = { readonly rows: Rows<z.output<typeof dustRow>>; readonly records: number; readonly oldest: number };
/** The rows of all records, how many records were sent, and when the oldest of them was made, epoch ms. */
export const dustPayload = z
  .looseObject({ userAssetDribblets: listOrNone('dust', dribblet, ['operateTime']) })
  .transform(({ userAssetDribblets: all }): Dust => {
    const unread: readonly UnreadRow[] = [...unreadOf(all), ...all.flatMap(unreadOf)];
    const times = [...all.flat().map(({ operateTime }) => operateTime), ...unread.map((row) => Number(textOfUnread(row, 'operateTime')))];
    return { rows: withUnread(all.flat(), unread), records: sentIn(all), oldest: Math.min(...times.filter((at) => at > 0)) };
  });

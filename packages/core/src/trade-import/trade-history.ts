import { isUnsureAmount } from './file-signs.ts';
import { Cells, checkFee, checkTotal, isDash, type ReadContext, RowError, type RowReader, readFee, readRow } from './row-reader.ts';

/**
 * Trade history: one fill a row. Old files name the base quantity `Amount` and the quote total `Total`, with the
 * fee's coin in a column of its own; newer ones say `Executed` and `Amount`, each with its asset glued on.
 */
export function tradeHistoryReader(context: ReadContext): RowReader {
  const newer = context.header.columns.has('executed');
  const [quantityWord, totalWord] = newer ? ['executed', 'amount'] : ['amount', 'total'];
  const sideWord = context.header.columns.has('side') ? 'side' : 'type';
  return {
    push: (cells, row) =>
      readRow(context, row, () => {
        const read = new Cells(cells, context);
        const at = read.time('time');
        const { symbol, baseAsset, quoteAsset, listed } = read.pair({
          base: read.text(quantityWord),
          quote: read.text(totalWord),
          named: [read.text('feeasset').toUpperCase()],
        });
        const side = read.side(sideWord);
        const price = read.positive('price', [quoteAsset]);
        const quantity = read.positive(quantityWord, [baseAsset]);
        const quoteQuantity = read.positive(totalWord, [quoteAsset]);
        checkTotal(price, quantity, quoteQuantity, read.name(totalWord));
        const fee = readFee(feeText(read), [baseAsset, quoteAsset, 'BNB'], read.name('fee'), quoteAsset);
        checkFee(
          fee,
          [
            { asset: baseAsset, quantity },
            { asset: quoteAsset, quantity: quoteQuantity },
          ],
          read.name('fee'),
        );
        return {
          kind: 'trade',
          row,
          at,
          symbol,
          baseAsset,
          quoteAsset,
          side,
          price,
          quantity,
          quoteQuantity,
          ...fee,
          tradeId: idOf(read, 'tradeid'),
          orderId: idOf(read, 'orderno') ?? idOf(read, 'orderid'),
          ...(listed ? {} : { notice: 'DELISTED_PAIR' as const }),
        };
      }),
    end: () => {},
  };
}

/** The fee with its coin; a dash in either column is no coin, and no fee. One that can be two numbers is shown by itself. */
function feeText(read: Cells): string {
  const [fee, asset] = [read.text('fee'), read.text('feeasset')];
  return fee === '' || isDash(fee) || asset === '' || isDash(asset) || isUnsureAmount(fee) ? fee : `${fee} ${asset}`;
}

function idOf(read: Cells, word: string): string | null {
  const text = read.text(word);
  if (text === '') return null;
  if (!/^[\w-]{1,40}$/.test(text)) throw new RowError('BAD_NUMBER', read.name(word), text);
  return text;
}

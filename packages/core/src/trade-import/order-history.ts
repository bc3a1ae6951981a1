import { decimal, isPositive } from '../money/decimal.ts';
import { readAmount, readTime } from './import-cells.ts';
import type { TradeDraft } from './import-draft.ts';
import { headerWord } from './import-header.ts';
import { Cells, checkFee, checkTotal, priceOf, type ReadContext, RowError, type RowReader, readFee, readRow } from './row-reader.ts';

const FILLED = /^(filled|partiallyfilled|partial)/;

/**
 * Order history: an order a row. Older files list its fills below it, under a header of their own; newer ones say
 * only how much was executed, without a fee: such a row stands for its fills until they arrive.
 */
export function orderHistoryReader(context: ReadContext): RowReader {
  const sideWord = context.header.columns.has('side') ? 'side' : 'type';
  /** The order whose fills may follow, and the columns of their header once it came. */
  let order: { row: number; cells: readonly string[]; fills: number } | undefined;
  let nested: ReadonlyMap<string, number> | undefined;

  const read = (cells: readonly string[], row: number) => {
    const line = new Cells(cells, context);
    const status = line
      .text('status')
      .toLowerCase()
      .replace(/[\s_-]/g, '');
    const { symbol, baseAsset, quoteAsset, listed } = line.pair({ base: line.text('executed'), quote: line.text('total') });
    const executed = line.amount('executed', [baseAsset]).value;
    if (!isPositive(decimal(executed))) throw new RowError('UNFILLED', line.name('status'), line.text('status'), 'skipped');
    if (status !== '' && !FILLED.test(status) && !/^(cancel|expired)/.test(status)) {
      throw new RowError('UNFILLED', line.name('status'), line.text('status'), 'skipped');
    }
    const orderId = line.text('orderno');
    return {
      line,
      row,
      symbol,
      baseAsset,
      quoteAsset,
      listed,
      executed,
      side: line.side(sideWord),
      orderId: orderId === '' ? null : orderId,
    };
  };
  type Order = ReturnType<typeof read>;
  const common = ({ symbol, baseAsset, quoteAsset, side, orderId, listed }: Order) => ({
    kind: 'trade' as const,
    symbol,
    baseAsset,
    quoteAsset,
    side,
    tradeId: null,
    orderId,
    ...(listed ? {} : { notice: 'DELISTED_PAIR' as const }),
  });

  /** An order nobody listed fills for is one row for all of them. */
  const flush = () => {
    if (order === undefined || order.fills > 0) {
      order = undefined;
      return;
    }
    const { cells, row } = order;
    order = undefined;
    readRow(context, row, (): TradeDraft => {
      const parsed = read(cells, row);
      const { line, executed, quoteAsset } = parsed;
      // `Time` stands twice in newer files: the second is when it was filled.
      const at = line.text('time', 1) === '' ? line.time('time') : line.time('time', 1);
      const quoteQuantity = line.positive('total', [quoteAsset]);
      const average = readAmount(line.text('averageprice'), [quoteAsset])?.value;
      if (average !== undefined && average !== '0') checkTotal(average, executed, quoteQuantity, line.name('total'));
      return {
        ...common(parsed),
        row,
        at,
        price: average === undefined || average === '0' ? priceOf(quoteQuantity, executed) : average,
        quantity: executed,
        quoteQuantity,
        fee: '0',
        feeAsset: quoteAsset,
        feeUnknown: true,
        aggregate: true,
      };
    });
  };

  const pushFill = (cells: readonly string[], row: number) =>
    readRow(context, row, (): TradeDraft => {
      if (order === undefined) throw new RowError('MISSING_COLUMN', context.header.names[0], cells.join(','));
      order.fills += 1;
      const parsed = read(order.cells, order.row);
      const cell = (word: string) => (cells[nested?.get(word) ?? -1] ?? '').trim();
      const at = readTime(cell('time'), context.zone, context.is1904);
      if (typeof at === 'string') throw new RowError(at, 'time', cell('time'));
      const number = (word: string, asset: string): string => {
        const value = readAmount(cell(word), [asset])?.value;
        if (value === undefined || !isPositive(decimal(value))) throw new RowError('BAD_NUMBER', word, cell(word));
        return value;
      };
      const price = number('tradingprice', parsed.quoteAsset);
      const quantity = number('executed', parsed.baseAsset);
      const quoteQuantity = number('total', parsed.quoteAsset);
      checkTotal(price, quantity, quoteQuantity, 'total');
      const { baseAsset, quoteAsset } = parsed;
      const fee = readFee(cell('fee'), [baseAsset, quoteAsset, 'BNB'], 'fee', quoteAsset);
      checkFee(
        fee,
        [
          { asset: baseAsset, quantity },
          { asset: quoteAsset, quantity: quoteQuantity },
        ],
        'fee',
      );
      return { ...common(parsed), row, at, price, quantity, quoteQuantity, ...fee };
    });

  return {
    push: (cells, row) => {
      if ((cells[0] ?? '').trim() !== '') {
        flush();
        nested = undefined;
        order = { row, cells, fills: 0 };
        return;
      }
      const words = cells.map(headerWord);
      if (words.includes('tradingprice')) nested = new Map(words.map((word, index) => [word, index]));
      else pushFill(cells, row);
    },
    end: flush,
  };
}

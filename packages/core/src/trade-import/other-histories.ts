import { isAssetName } from '../money/asset-name.ts';
import { absolute, add, compare, type Decimal, decimal, isNegative, isPositive, negate, subtract, toText, ZERO } from '../money/decimal.ts';
import type { ConversionDraft, ImportDraft, TransferDraft } from './import-draft.ts';
import { CASH_ASSETS, splitPair } from './known-pairs.ts';
import { Cells, isDash, priceOf, type ReadContext, RowError, type RowReader, readRow } from './row-reader.ts';

const DONE = /^(completed?|success(ful)?|settled)$/i;

function mustBeDone(read: Cells): void {
  const status = read.text('status');
  if (read.has('status') && !DONE.test(status)) throw new RowError('NOT_COMPLETED', read.name('status'), status, 'skipped');
}

function mustHaveAsset(read: Cells, word: string): string {
  const asset = read.text(word).toUpperCase();
  if (!isAssetName(asset)) throw new RowError('BAD_PAIR', read.name(word), read.text(word));
  return asset;
}

/** An amount with its asset after it; of `101INCH` the assets of the pair say where the number ends. */
function amountOf(read: Cells, word: string, assets?: readonly string[]): ConversionDraft['from'] {
  const { value, asset } = read.amount(word, assets);
  if (asset === undefined || !isPositive(decimal(value))) throw new RowError('BAD_NUMBER', read.name(word), read.text(word));
  return { asset, quantity: value };
}

/** The fee of a movement, in its own asset; a dash and an empty cell are none. */
function feeOf(read: Cells, word: string | undefined, asset: string): Decimal {
  const text = word === undefined ? '' : read.text(word);
  if (word === undefined || text === '' || isDash(text.split(/\s/)[0] ?? '')) return ZERO;
  const fee = decimal(read.of(word, [asset]));
  if (isNegative(fee)) throw new RowError('BAD_NUMBER', read.name(word), text);
  return fee;
}

/** Conversions: what was given and what came, each with its asset. */
export function convertReader(context: ReadContext): RowReader {
  return {
    push: (cells, row) =>
      readRow(context, row, (): ConversionDraft => {
        const read = new Cells(cells, context);
        mustBeDone(read);
        const at = read.text('dateupdated') === '' ? read.time('time') : read.time('dateupdated');
        const pair = splitPair(read.text('pair'), context.pairs);
        const assets = pair && [pair.baseAsset, pair.quoteAsset];
        return { kind: 'conversion', row, at, from: amountOf(read, 'sell', assets), to: amountOf(read, 'buy', assets) };
      }),
    end: () => {},
  };
}

/** Which of the two a file is of, as its name says; undefined where it has the words of neither, or of both. */
function namedDirection(fileName: string): 'deposit' | 'withdrawal' | undefined {
  const [isOut, isIn] = [/withdraw/i.test(fileName), /deposit/i.test(fileName)];
  return isOut === isIn ? undefined : isOut ? 'withdrawal' : 'deposit';
}
const unknownDirection = (fileName: string) => new RowError('DIRECTION_UNKNOWN', 'deposit / withdraw', fileName);

/** Deposits and withdrawals of coins. Only newer files say by their columns which of the two they are. */
export function depositsReader(context: ReadContext): RowReader {
  const { columns } = context.header;
  const feeWord = ['fee', 'transactionfee'].find((word) => columns.has(word));
  const named = namedDirection(context.fileName);
  const newer = columns.has('network') && !columns.has('sourceaddress');
  const direction = named ?? (newer ? (feeWord === undefined ? 'deposit' : 'withdrawal') : undefined);
  return {
    push: (cells, row) =>
      readRow(context, row, (): TransferDraft => {
        const read = new Cells(cells, context);
        mustBeDone(read);
        if (direction === undefined) throw unknownDirection(context.fileName);
        const at = read.time('time');
        const asset = mustHaveAsset(read, 'coin');
        const amount = decimal(read.positive('amount', [asset]));
        if (direction === 'deposit') return { kind: 'transfer', row, at, asset, change: toText(amount), transfer: 'deposit' };
        // The amount of a withdrawal is what arrives; the fee leaves with it.
        return {
          kind: 'transfer',
          row,
          at,
          asset,
          change: toText(negate(add(amount, feeOf(read, feeWord, asset)))),
          transfer: 'withdrawal',
        };
      }),
    end: () => {},
  };
}

/** The exchange rounds cash to its hundredth. */
const CENT = decimal('0.01');

/**
 * Deposits and withdrawals of cash. Of 100 EUR that were sent, or taken out, (`Indicated Amount`) 98.10 arrived (`Amount`)
 * after a fee of 1.90. Only the file name says which of the two it holds. Header as two public importers have it, rows of both
 * kinds as the tests of one of them do.
 */
export function cashReader(context: ReadContext): RowReader {
  const direction = namedDirection(context.fileName);
  return {
    push: (cells, row) =>
      readRow(context, row, (): TransferDraft => {
        const read = new Cells(cells, context);
        mustBeDone(read);
        if (direction === undefined) throw unknownDirection(context.fileName);
        const at = read.time('time');
        const asset = mustHaveAsset(read, 'coin');
        const arrived = decimal(read.positive('amount', [asset]));
        const whole = add(arrived, feeOf(read, 'fee', asset));
        const indicated = read.text('indicatedamount');
        if (indicated !== '' && !isDash(indicated)) {
          const off = absolute(subtract(decimal(read.of('indicatedamount', [asset])), whole));
          // Indicated = Amount + Fee. If not, the fee belongs to the other column, and the row would book money that never moved.
          if (compare(off, CENT) > 0) throw new RowError('BAD_NUMBER', read.name('indicatedamount'), indicated);
        }
        const change = toText(direction === 'deposit' ? arrived : negate(whole));
        return { kind: 'transfer', row, at, asset, change, transfer: direction };
      }),
    end: () => {},
  };
}

/**
 * Purchases of a plan: so much was paid, so many units came, and the fee came on top in what was paid; `--` where there was
 * none. Header, rows and the place of the fee as the plugin and test file of dali-rp2 for these exports have them.
 */
export function autoInvestReader(context: ReadContext): RowReader {
  return {
    push: (cells, row) =>
      readRow(context, row, (): ImportDraft => {
        const read = new Cells(cells, context);
        mustBeDone(read);
        const at = read.time('time');
        const baseAsset = mustHaveAsset(read, 'holdingcoin');
        const { asset: quoteAsset, quantity: quoteQuantity } = amountOf(read, 'amountperperiod');
        const { asset, quantity } = amountOf(read, 'units', [baseAsset]);
        if (asset !== baseAsset || asset === quoteAsset) throw new RowError('BAD_NUMBER', read.name('units'), read.text('units'));
        const fee = toText(feeOf(read, 'tradingfee', quoteAsset));
        const symbol = baseAsset + quoteAsset;
        const isListed = context.pairs.has(symbol);
        const from = { asset: quoteAsset, quantity: toText(add(decimal(quoteQuantity), decimal(fee))) };
        if (!isListed && !CASH_ASSETS.has(quoteAsset)) return { kind: 'conversion', row, at, from, to: { asset, quantity } };
        const price = priceOf(quoteQuantity, quantity);
        const paid = { price, quantity, quoteQuantity, fee, feeAsset: quoteAsset };
        const notice = isListed ? {} : { notice: 'DELISTED_PAIR' as const };
        return { kind: 'trade', row, at, symbol, baseAsset, quoteAsset, side: 'Buy', ...paid, tradeId: null, orderId: null, ...notice };
      }),
    end: () => {},
  };
}

/** Purchases by card or bank: what was spent, its fee included, and what came. */
export function fiatReader(context: ReadContext): RowReader {
  return {
    push: (cells, row) =>
      readRow(context, row, (): ConversionDraft => {
        const read = new Cells(cells, context);
        mustBeDone(read);
        const [from, to] = [amountOf(read, 'spendamount'), amountOf(read, 'receiveamount')];
        return { kind: 'conversion', row, at: read.time('time'), from, to };
      }),
    end: () => {},
  };
}

/** Trades between people: a coin for cash of a country. */
export function peerReader(context: ReadContext): RowReader {
  return {
    push: (cells, row) =>
      readRow(context, row, (): ConversionDraft => {
        const read = new Cells(cells, context);
        mustBeDone(read);
        const side = read.side('ordertype');
        const coin = { asset: mustHaveAsset(read, 'asset'), quantity: read.positive('quantity') };
        const cash = { asset: mustHaveAsset(read, 'fiattype'), quantity: read.positive('totalprice') };
        return {
          kind: 'conversion',
          row,
          at: read.time('createdtime'),
          ...(side === 'Buy' ? { from: cash, to: coin } : { from: coin, to: cash }),
        };
      }),
    end: () => {},
  };
}

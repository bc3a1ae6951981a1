import { isAssetName } from '../money/asset-name.ts';
import { add, type Decimal, decimal, isNegative, isPositive, negate, toText, ZERO } from '../money/decimal.ts';
import type { ConversionDraft, TransferDraft } from './import-draft.ts';
import { splitPair } from './known-pairs.ts';
import { Cells, isDash, type ReadContext, RowError, type RowReader, readRow } from './row-reader.ts';

const DONE = /^(completed?|success(ful)?|settled)$/i;

function mustBeDone(read: Cells): void {
  const status = read.text('status');
  if (read.has('status') && !DONE.test(status)) throw new RowError('UNFILLED', read.name('status'), status, 'skipped');
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
  if (word === undefined || text === '' || isDash(text)) return ZERO;
  const fee = read.amount(word, [asset]);
  if (isNegative(decimal(fee.value)) || (fee.asset !== undefined && fee.asset !== asset))
    throw new RowError('BAD_NUMBER', read.name(word), text);
  return decimal(fee.value);
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

/** Deposits and withdrawals of coins and of cash. Only newer files say by their columns which of the two they are. */
export function depositsReader(context: ReadContext): RowReader {
  const { columns } = context.header;
  const feeWord = ['fee', 'transactionfee'].find((word) => columns.has(word));
  const named = /withdraw/i.test(context.fileName) ? 'withdrawal' : /deposit/i.test(context.fileName) ? 'deposit' : undefined;
  const newer = columns.has('network') && !columns.has('sourceaddress');
  const direction = named ?? (newer ? (feeWord === undefined ? 'deposit' : 'withdrawal') : undefined);
  return {
    push: (cells, row) =>
      readRow(context, row, (): TransferDraft => {
        const read = new Cells(cells, context);
        mustBeDone(read);
        if (direction === undefined) throw new RowError('MISSING_COLUMN', 'deposit / withdrawal', context.fileName);
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

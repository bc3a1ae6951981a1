import { expect, test } from 'vitest';
import { FileSigns, type ProductColumns } from './file-signs.ts';

/** Rows as they are handed on, in order. */
function read(rows: readonly string[][], isCommaSeparated = false, product?: ProductColumns): string[][] {
  const handed: string[][] = [];
  const push = (cells: readonly string[], line: number) => {
    expect(line).toBe(handed.length + 2);
    handed.push([...cells]);
  };
  const signs = new FileSigns(isCommaSeparated, push, product);
  for (const [index, cells] of rows.entries()) signs.take(cells, index + 2);
  signs.end();
  return handed;
}
const column = (...cells: string[]) => read(cells.map((cell) => [cell])).flat();

test('the order of day and month is decided by a date that can be only one of them, wherever it stands', () => {
  expect(column('09/05/2020 05:49', '14/04/2020 10:41', '1/2/20')).toEqual(['2020-05-09 05:49', '2020-04-14 10:41', '2020-2-1']);
  expect(column('09/05/2020', '04/14/2020')).toEqual(['2020-09-05', '2020-04-14']);
});
test('without such a date they stay ambiguous; after one of both kinds none is read', () => {
  expect(column('09/05/2020', '10/05/2020')).toEqual(['09/05/2020', '10/05/2020']);
  expect(column('14/04/2020', '04/14/2020', '09/05/2020')).toEqual(['2020-04-14', '04/14/2020?', '09/05/2020?']);
});
test('a comma is a decimal point where a cell of the file can have it for nothing else', () => {
  expect(column('1,250', '2,5', '0,125BTC', '-12,00 EUR')).toEqual(['1.250', '2.5', '0.125BTC', '-12.00 EUR']);
  expect(column('1.250,50', '1.250', '3,125')).toEqual(['1250.50', '1250', '3.125']);
});
test('and parts thousands where a cell says so', () => expect(column('1,250', '1,234.56')).toEqual(['1,250', '1,234.56']));
test('where no cell says it, the row is refused; also where a point could be either', () => {
  expect(column('1,250', '1250')).toEqual(['1,250?', '1250']);
  expect(column('2,5', '1.250')).toEqual(['2.5', '1.250?']);
  expect(column('2,5', '1,234.56', '1,250')).toEqual(['2.5', '1,234.56?', '1,250?']);
});
test('a point alone is as ambiguous as a comma alone, until a cell of the file says what it is', () => {
  expect(column('1.250', '1250', '1.250BTC')).toEqual(['1.250?', '1250', '1.250BTC?']);
  expect(column('1.250', '0.5')).toEqual(['1.250', '0.5']);
  expect(column('1.250', '1,234.5')).toEqual(['1.250', '1,234.5']);
  expect(column('1.250', '1.000.000')).toEqual(['1250', '1000000']);
  expect(column('1.250', '0.5', '1.000.000', '2.500')).toEqual(['1.250', '0.5', '1.000.000', '2.500?']);
});
test('price × quantity = total says which sign is decimal, where it holds for one reading only', () => {
  const rows = (...cells: string[][]) => read(cells, false, [0, 1, 2]);
  expect(rows(['1.250', '2.000', '2.500'])).toEqual([['1.250', '2.000', '2.500']]);
  expect(rows(['1,250', '2,000BTC', '2,500EUR'])).toEqual([['1.250', '2.000BTC', '2.500EUR']]);
  expect(rows(['1.250', '2', '2.500'], ['40', '1.250', '50.000'])).toEqual([
    ['1.250?', '2', '2.500?'],
    ['40', '1.250?', '50.000?'],
  ]);
  expect(rows(['1.250', '2', '2.500'], ['1.000', '1.000', '1.000.000'])).toEqual([
    ['1250', '2', '2500'],
    ['1000', '1000', '1000000'],
  ]);
  // It holds for neither: whatever is wrong, the signs are not known by it.
  expect(rows(['1.250', '2.000', '7.500'])).toEqual([['1.250?', '2.000?', '7.500?']]);
});
test('in a file whose cells are parted by commas one inside a number parts thousands', () => {
  // What was handed on of them was read so: a later cell cannot make a decimal point of it.
  for (const cells of [
    ['1,250', '1.250', '31.12.2017'],
    ['1,250', '2,5', '1,250'],
    ['2,5', '1,250'],
  ])
    expect(read([cells], true)).toEqual([cells]);
});
test('numbers and dates as the exchange writes them stay what they are', () => {
  const cells = ['2024-03-01 12:30:00', '31.12.17 23:59', '0.00001', '62000.5', '1.250', '42', '-3.605E-05', '0.51INCH', 'BTC/USDT', ''];
  expect(read([cells])).toEqual([cells]);
});

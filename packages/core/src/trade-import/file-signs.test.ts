import { expect, test } from 'vitest';
import { FileSigns } from './file-signs.ts';

/** Rows as they are handed on, in order. */
function read(rows: readonly string[][], isCommaSeparated = false): string[][] {
  const handed: string[][] = [];
  const signs = new FileSigns(isCommaSeparated, (cells, line) => {
    expect(line).toBe(handed.length + 2);
    handed.push([...cells]);
  });
  for (const [index, cells] of rows.entries()) signs.take(cells, index + 2);
  signs.end();
  return handed;
}
const column = (...cells: string[]) => read(cells.map((cell) => [cell])).flat();

test('the order of day and month is decided by a date that can be only one of them, wherever it stands', () => {
  expect(column('09/05/2020 05:49', '14/04/2020 10:41', '1/2/20')).toEqual(['2020-05-09 05:49', '2020-04-14 10:41', '2020-2-1']);
  expect(column('09/05/2020', '04/14/2020')).toEqual(['2020-09-05', '2020-04-14']);
});
test('without such a date they stay a riddle; after one of both kinds none is read', () => {
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

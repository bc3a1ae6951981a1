import { zoneIn } from '../src/trade-import/import-cells.ts';
import { type ImportDraft, isProblem, type RowProblem } from '../src/trade-import/import-draft.ts';
import { detectFormat } from '../src/trade-import/import-formats.ts';
import { readHeader } from '../src/trade-import/import-header.ts';
import type { KnownPairs } from '../src/trade-import/known-pairs.ts';

export const PAIRS: KnownPairs = new Map(
  ['BTC/USDT', 'ETH/USDT', 'BTC/EUR', 'DOGE/EUR', 'DOGE/BTC', '1INCH/USDT', 'ALGO/USDT', 'XLM/ETH', 'XRP/ETH', 'SOL/USDT'].map((pair) => {
    const [baseAsset = '', quoteAsset = ''] = pair.split('/');
    return [baseAsset + quoteAsset, { baseAsset, quoteAsset }];
  }),
);
/** The fields of the samples hold no quoted separators but these: enough of CSV for a test. */
const cellsOf = (line: string, separator: string) =>
  line.includes('"') ? [...line.matchAll(/"([^"]*)"/g)].map(([, cell = '']) => cell) : line.split(separator);

/** Reads a whole file: its format, what its rows became, and those that brought nothing. For tests. */
export function read(text: string, options: { fileName?: string; zone?: number; pairs?: KnownPairs } = {}) {
  const lines = text.trim().split(/\r?\n/);
  const separator = (lines[0] ?? '').includes(';') ? ';' : ',';
  const header = readHeader(cellsOf(lines[0] ?? '', separator));
  const format = detectFormat(header);
  const fileName = options.fileName ?? 'export.csv';
  const zone = options.zone ?? header.zone ?? zoneIn(fileName);
  const parsed: (ImportDraft | RowProblem)[] = [];
  if (format && zone !== undefined) {
    const reader = format.reader({ header, pairs: options.pairs ?? PAIRS, zone, fileName, emit: (one) => parsed.push(one) });
    lines.slice(1).forEach((line, index) => {
      reader.push(cellsOf(line, separator), index + 2);
    });
    reader.end();
  }
  return {
    format: format?.key,
    zone,
    drafts: parsed.filter((one): one is ImportDraft => !isProblem(one)),
    problems: parsed.filter(isProblem),
  };
}

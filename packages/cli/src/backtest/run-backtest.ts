import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { autoTradeConfigSchema } from '@pilotfish/core/auto-trades/auto-trade-config';
import { runBacktest } from '@pilotfish/core/backtest/backtest';
import type { BacktestReport } from '@pilotfish/core/backtest/backtest-report';
import { formatFixed, formatPercent, formatSigned } from '@pilotfish/core/money/format';
import { type CandleSeries, parseCandles } from '@pilotfish/core/prices/candle-series';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure, UsageError } from '../app/failure.ts';
import { traces } from '../auto-trades/bot-columns.ts';
import { readBotFile } from '../auto-trades/bot-settings.ts';
import { tint } from '../ui/colour.ts';
import { type Column, formatOf, printOne, printRows } from '../ui/output.ts';
import { sparkline } from '../ui/sparkline.ts';
import { requireAmount } from '../wallets/wallets.ts';
import { findPair } from './find-pair.ts';

const percent = (value: string | number | null) => (value === null ? '' : formatPercent(String(value)));
const columns: readonly Column<BacktestReport>[] = [
  { key: 'symbol', value: ({ symbol }) => symbol, shown: ({ symbol }, paint) => paint.bold(symbol) },
  { key: 'from', value: ({ from }) => from },
  { key: 'to', value: ({ to }) => to },
  { key: 'bars', value: ({ bars }) => String(bars) },
  { key: 'startBalance', value: ({ startBalance }) => startBalance },
  { key: 'endValue', value: ({ endValue }) => endValue, shown: ({ endValue }) => formatFixed(endValue, 2) },
  { key: 'netPnl', value: ({ netPnl }) => netPnl, shown: ({ netPnl }, paint) => tint(paint, formatSigned(netPnl)) },
  { key: 'returnPct', value: ({ returnPct }) => returnPct, shown: ({ returnPct }, paint) => tint(paint, percent(returnPct)) },
  { key: 'holdReturnPct', value: ({ holdReturnPct }) => holdReturnPct, shown: ({ holdReturnPct }) => percent(holdReturnPct) },
  { key: 'fees', value: ({ fees }) => fees, shown: ({ fees }) => formatFixed(fees, 2) },
  { key: 'trades', value: ({ trades, wins, losses }) => `${trades} (${wins}/${losses})` },
  {
    key: 'winRatePct',
    value: ({ winRatePct }) => winRatePct ?? '',
    shown: ({ winRatePct }) => (winRatePct === null ? '' : `${formatFixed(winRatePct, 1)}%`),
  },
  { key: 'profitFactor', value: ({ profitFactor }) => profitFactor ?? '' },
  { key: 'expectancy', value: ({ expectancy }) => expectancy ?? '' },
  { key: 'maxDrawdownPct', value: ({ maxDrawdownPct }) => String(maxDrawdownPct), shown: ({ maxDrawdownPct }) => `${maxDrawdownPct}%` },
  { key: 'exposurePct', value: ({ exposurePct }) => String(exposurePct), shown: ({ exposurePct }) => `${exposurePct}%` },
  { key: 'ambiguousBars', value: ({ ambiguousBars }) => String(ambiguousBars) },
  {
    key: 'exits',
    value: ({ exits }) =>
      Object.entries(exits)
        .map(([reason, count]) => `${reason} ${count}`)
        .join(', '),
  },
];

export type BacktestRunOptions = { candles?: string; config?: string; symbol?: string; balance: string; traces?: true };

/** Runs a bot over a file of candles with the engine the server uses, in this process. */
export async function run(context: Context, options: BacktestRunOptions): Promise<void> {
  if (!options.candles) throw new UsageError('needsFlag', { flag: '--candles' });
  if (!options.config) throw new UsageError('needsFlag', { flag: '--config' });
  requireAmount('--balance', options.balance);
  const symbol = (options.symbol ?? symbolOf(options.candles)).toUpperCase();
  if (!symbol) throw new UsageError('needsFlag', { flag: '--symbol' });
  const config = await configOf(context, options.config, symbol);
  const candles = readCandles(options.candles, symbol);
  const { pair, from } = await findPair(context, symbol);
  await context.say(`cli.backtest.pair.${from}`, { symbol, url: context.profile.url });
  const started = performance.now();
  const result = runBacktest({ config, pair, candles, startBalance: options.balance, onProgress: progressBar(context) });
  const seconds = (performance.now() - started) / 1000;
  await context.say('cli.backtest.took', { bars: candles.openTime.length, seconds: seconds.toFixed(2) });
  if (options.traces) return printRows(context, traces(await context.texts(), pair.quoteAsset), result.traces);
  await printOne(context, { columns }, result.report);
  if (formatOf(context) === 'table') {
    const points = result.report.equity.map(([, value]) => value);
    const every = Math.max(1, Math.ceil(points.length / 70));
    context.stdout.write(
      `${sparkline(
        points.filter((_, index) => index % every === 0),
        context.unicode,
      )}\n`,
    );
  }
}

/** `BTCUSDT-1m-2025.csv.gz` is about BTCUSDT. */
export const symbolOf = (file: string): string => /^([A-Z0-9]{5,20})[-_.]/.exec(basename(file))?.[1] ?? '';

/** The bot's settings; a wallet is not needed here, so a file without one is complete. */
async function configOf(context: Context, file: string, symbol: string) {
  const { wallet: _wallet, ...draft } = await readBotFile(context, file);
  const parsed = autoTradeConfigSchema.safeParse({
    name: 'backtest',
    walletId: '00000000-0000-7000-8000-000000000000',
    coins: { symbols: [symbol] },
    ...draft,
  });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new LocalFailure('badSettings', { file, path: issue?.path.join('.') || '–', reason: issue?.message ?? '' }, { exit: EXIT.usage });
}

function readCandles(file: string, symbol: string): CandleSeries {
  let text: string;
  try {
    const bytes = readFileSync(file);
    text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  } catch (error) {
    throw new LocalFailure(
      'cannotRead',
      { file, reason: String((error as NodeJS.ErrnoException).code) },
      { exit: EXIT.usage, cause: error },
    );
  }
  try {
    return parseCandles(text, symbol);
  } catch (error) {
    throw new LocalFailure('badCandles', { file, reason: (error as Error).message }, { exit: EXIT.usage, cause: error });
  }
}

/** On a terminal a bar on one line of stderr; in a pipe nothing. */
function progressBar({ stderr, unicode }: Context): (done: number) => void {
  if (!stderr.isTTY) return () => undefined;
  const width = 30;
  return (done) => {
    const full = Math.round(done * width);
    const bar = (unicode ? '█' : '#').repeat(full) + (unicode ? '░' : '.').repeat(width - full);
    stderr.write(done >= 1 ? '\r\u001b[K' : `\r${bar} ${Math.round(done * 100)}%`);
  };
}

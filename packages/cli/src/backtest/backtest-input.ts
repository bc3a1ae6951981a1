import { existsSync } from 'node:fs';
import { type AutoTradeConfig, autoTradeConfigSchema } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import type { BacktestCoin } from '@pilotfish/core/backtest/backtest';
import { CORRELATION_PAIR } from '@pilotfish/core/backtest/backtest-conditions';
import type { CandleSource } from '@pilotfish/core/backtest/candle-feed';
import { withHistory } from '@pilotfish/core/backtest/figure-history';
import { DEFAULT_FILL_MODEL, type FillModel } from '@pilotfish/core/backtest/fill-model';
import { candleLoader } from '@pilotfish/core/candles/candle-loader';
import { listCandleMonths, readCandleMonth } from '@pilotfish/core/candles/candles-contract';
import { type Interval, interval as intervals } from '@pilotfish/core/http/wire';
import { decimal, multiply, toText } from '@pilotfish/core/money/decimal';
import { intervalLength } from '@pilotfish/core/prices/candle-gaps';
import type { CandleLoader } from '@pilotfish/core/prices/candle-pages';
import type { CandleSeries } from '@pilotfish/core/prices/candle-series';
import { listCandles } from '@pilotfish/core/prices/prices-contract';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure, UsageError } from '../app/failure.ts';
import { groupsForWords } from '../auto-trades/bot-names.ts';
import { readBotFile } from '../auto-trades/bot-settings.ts';
import type { Draft } from '../auto-trades/bot-source.ts';
import { botsClient, findBot } from '../auto-trades/find-bot.ts';
import { progressLine } from '../ui/progress-line.ts';
import { requireAmount } from '../wallets/wallets.ts';
import { candlesOfFile } from './candle-file.ts';
import { findPair } from './find-pair.ts';
import { symbolOf } from './read-candles.ts';

/** Where a backtest gets its bot and its candles from; the same for one run and for a sweep. */
export type BacktestInputOptions = {
  botOrFile?: string;
  config?: string;
  candles?: string[];
  zoom?: string[];
  history?: string[];
  symbol?: string;
  pair?: string;
  from?: string;
  to?: string;
  interval: string;
  balance?: string;
  fee?: string;
};

export type BacktestInput = {
  readonly config: AutoTradeConfig;
  readonly coins: readonly BacktestCoin[];
  readonly reference?: CandleSource;
  readonly startBalance: string;
  readonly model: FillModel;
};

const PAGE = 1000;
const START_BALANCE = '1000';
const NO_WALLET = '00000000-0000-7000-8000-000000000000';

/** @throws UsageError, LocalFailure */
export async function backtestInput(context: Context, options: BacktestInputOptions): Promise<BacktestInput> {
  const startBalance = options.balance ?? START_BALANCE;
  requireAmount('--balance', startBalance);
  const candles = await candlesOf(context, options);
  const config = await configOf(
    context,
    options,
    candles.map(({ symbol }) => symbol),
  );
  const coins: BacktestCoin[] = [];
  for (const series of candles) {
    const { pair, from } = await findPair(context, series.symbol);
    await context.say(`cli.backtest.pair.${from}`, { symbol: pair.symbol, url: context.profile.url });
    const finer = options.zoom?.find((file) => (options.zoom?.length === 1 ? candles.length === 1 : symbolOf(file) === series.symbol));
    coins.push({ pair, candles: series, ...(finer === undefined ? {} : { zoom: await candlesOfFile(finer, series.symbol) }) });
  }
  const quotes = new Set(coins.map(({ pair }) => pair.quoteAsset));
  if (quotes.size > 1) throw new LocalFailure('quotesDiffer', { quotes: [...quotes].join(', ') }, { exit: EXIT.usage });
  return { config, ...(await reachingBack(context, options, config, coins)), startBalance, model: modelOf(options.fee) };
}

/** What the figures of a bot reach back to before its candles: of the files that are named for it, else of the server. */
async function reachingBack(
  context: Context,
  options: BacktestInputOptions,
  config: AutoTradeConfig,
  coins: readonly BacktestCoin[],
): Promise<Pick<BacktestInput, 'coins' | 'reference'>> {
  const files: CandleSeries[] = [];
  for (const file of options.history ?? []) files.push(await candlesOfFile(file, symbolOf(file) || (coins[0]?.pair.symbol ?? '')));
  if (options.candles && options.candles.length > 0) {
    const found = coins.map((coin) => ({ ...coin, history: files.filter(({ symbol }) => symbol === coin.pair.symbol) }));
    const beside = files.find(({ symbol }) => symbol === CORRELATION_PAIR);
    const isThere = coins.some(({ pair }) => pair.symbol === CORRELATION_PAIR);
    return { coins: found, ...(beside && !isThere ? { reference: { candles: beside } } : {}) };
  }
  const line = progressLine(context, '');
  const interval = intervals.parse(options.interval);
  const { coins: found, reference } = await withHistory(config, coins, interval, await loaderOf(context), line.show);
  line.end();
  return { coins: found, ...(reference ? { reference } : {}) };
}

const modelOf = (fee: string | undefined): FillModel =>
  fee === undefined ? DEFAULT_FILL_MODEL : { ...DEFAULT_FILL_MODEL, ...feesOf(fee) };

/** `--fee` in percent, as the model has it. @throws UsageError */
export function feesOf(fee: string): Pick<FillModel, 'takerFee' | 'makerFee'> {
  requireAmount('--fee', fee);
  const fraction = toText(multiply(decimal(fee), decimal('0.01')));
  return { takerFee: fraction, makerFee: fraction };
}

const isFile = (word: string): boolean => word === '-' || /\.(ya?ml|json)$/i.test(word) || existsSync(word);

/** A bot of the server by its name, or the settings in a file. A wallet is not needed here, so a file without one is complete. */
export async function configOf(
  context: Context,
  { botOrFile: bot, config }: Pick<BacktestInputOptions, 'botOrFile' | 'config'>,
  symbols: readonly string[],
): Promise<AutoTradeConfig> {
  const file = config ?? (bot !== undefined && isFile(bot) ? bot : undefined);
  if (file === undefined) {
    if (bot === undefined) throw new UsageError('missingArgument', { word: '<bot-or-file>' });
    return (await findBot(await botsClient(context), bot)).config;
  }
  const { wallet: _wallet, ...written } = await readBotFile(context, file);
  const draft = await conditionsInGroups(context, file, written);
  const parsed = autoTradeConfigSchema.safeParse({ name: 'backtest', walletId: NO_WALLET, ...draft, coins: { symbols } });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new LocalFailure('badSettings', { file, path: issue?.path.join('.') || '–', reason: issue?.message ?? '' }, { exit: EXIT.usage });
}

/** Conditions in words need the server's list of fields; without any, no server is asked. */
async function conditionsInGroups(context: Context, file: string, written: Draft): Promise<Draft> {
  const { draft, problems } = await groupsForWords(context, written);
  const [problem] = problems;
  if (problem) throw new LocalFailure('badSettings', { file, path: problem.path, reason: problem.message }, { exit: EXIT.usage });
  return draft;
}

async function candlesOf(context: Context, options: BacktestInputOptions): Promise<CandleSeries[]> {
  if (options.candles && options.candles.length > 0) {
    const read: CandleSeries[] = [];
    for (const file of options.candles) {
      const symbol = (options.candles.length === 1 && options.symbol ? options.symbol : symbolOf(file)).toUpperCase();
      if (!symbol) throw new UsageError('needsFlag', { flag: '--symbol' });
      read.push(await candlesOfFile(file, symbol));
    }
    return read;
  }
  if (options.pair === undefined) throw new UsageError('needsFlag', { flag: options.from === undefined ? '--candles' : '--pair' });
  if (options.from === undefined) throw new UsageError('needsFlag', { flag: '--from' });
  const parsed = intervals.safeParse(options.interval);
  if (!parsed.success || intervalLength(options.interval) === undefined)
    throw new UsageError('invalidValue', { word: '--interval', allowed: intervals.options.filter((each) => each !== '1M').join(', ') });
  const span = { from: timeOf(options.from), to: options.to === undefined ? context.now() : timeOf(options.to) };
  if (span.to <= span.from) throw new UsageError('invalidValue', { word: '--to', allowed: `> ${options.from}` });
  const found: CandleSeries[] = [];
  for (const symbol of options.pair.toUpperCase().split(',')) found.push(await fetched(context, symbol.trim(), parsed.data, span));
  return found;
}

/** Stored months first, for those who are signed in, and the exchange for the rest. */
async function loaderOf(context: Context): Promise<CandleLoader> {
  const client = await context.client({ listCandles, listCandleMonths, readCandleMonth });
  const session = await context.session();
  return candleLoader({
    page: async (symbol, interval, endTime) =>
      (await client.listCandles({ params: { symbol }, query: { interval, limit: PAGE, endTime } })).items,
    months: async (query) => (session.accessToken() === undefined ? [] : (await client.listCandleMonths({ query })).items),
    read: (params) => client.readCandleMonth({ params }),
  });
}

async function fetched(context: Context, symbol: string, interval: Interval, span: { from: number; to: number }): Promise<CandleSeries> {
  const load = await loaderOf(context);
  const line = progressLine(context, symbol);
  const series = await load({ symbol, interval, ...span }, line.show);
  line.end();
  if (series.openTime.length === 0) throw new LocalFailure('noCandles', { symbol }, { exit: EXIT.notFound });
  return series;
}

/** A day or a moment, UTC, in epoch ms. */
function timeOf(text: string): number {
  const time = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new UsageError('time', { value: text });
  return time;
}

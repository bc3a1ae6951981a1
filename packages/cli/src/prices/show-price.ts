import { type Interval, interval as intervals } from '@pilotfish/core/http/wire';
import { digits, isNothing, type Price } from '@pilotfish/core/money/figure';
import { formatCompact, formatCurrency, formatPercent, formatPrice, formatQuantity, formatRatio } from '@pilotfish/core/money/format';
import { type Candle, listCandles, listPairs, listTickers, type Pair, type Ticker } from '@pilotfish/core/prices/prices-contract';
import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import type { Translate } from '../app/texts.ts';
import { candleChart, candlesThatFit } from '../ui/candle-chart.ts';
import { type Colours, colours, isColoured, tint } from '../ui/colour.ts';
import { type Column, formatOf, printOne } from '../ui/output.ts';
import { sparkline } from '../ui/sparkline.ts';
import { heightOf, widthOf } from '../ui/terminal-size.ts';
import { unchecked } from '../ui/unchecked.ts';
import { wholeNumber } from '../ui/whole-number.ts';
import { noSuchPair } from './price-choice.ts';
import { prices } from './price-columns.ts';

const MOST_CANDLES = 1000;
/** Without a terminal that says how many can be drawn. */
const USUAL_CANDLES = 100;
const SPARKLINE = 24;
const MINUTES: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1440, w: 10_080, M: 43_200 };

const intervalMs = (interval: Interval): number => Number.parseInt(interval, 10) * (MINUTES[interval.at(-1) ?? 'm'] ?? 1) * 60_000;

/** One pair: its figures, the rules of its orders, and its candles as a drawing on a terminal, as data elsewhere. */
export async function show(context: Context, options: { symbol: string; interval: string; limit?: string }): Promise<void> {
  const parsed = intervals.safeParse(options.interval);
  if (!parsed.success) throw new UsageError('invalidValue', { word: '--interval', allowed: intervals.options.join(', ') });
  const asked = wholeNumber(options.limit, '--limit');
  if (asked !== undefined && asked > MOST_CANDLES) throw new UsageError('atMost', { flag: '--limit', most: MOST_CANDLES });
  const client = await context.client({ listTickers: unchecked(listTickers), listPairs: unchecked(listPairs), listCandles });
  const name = options.symbol.toUpperCase();
  const isTable = formatOf(context) === 'table';
  const [{ items }, pairs] = await Promise.all([client.listTickers(), client.listPairs()]);
  const pair = pairs.find(({ symbol }) => symbol === name);
  const ticker = items.find(({ symbol }) => symbol === name);
  if (!pair || !ticker)
    throw noSuchPair(
      name,
      items.map(({ symbol }) => symbol),
    );
  const fitting = candlesThatFit(widthOf(context), Number(ticker.high), pair.pricePrecision);
  const limit = asked ?? (isTable ? Math.min(MOST_CANDLES, Math.max(SPARKLINE, fitting)) : USUAL_CANDLES);
  const candles = (await client.listCandles({ params: { symbol: name }, query: { interval: parsed.data, limit } })).items;
  if (isTable && !context.globals.fields) return draw(context, { ticker, pair, candles, interval: parsed.data });
  const { filters, status, baseAsset, quoteAsset, pricePrecision, quantityPrecision } = pair;
  const row = { ...ticker, baseAsset, quoteAsset, status, pricePrecision, quantityPrecision, filters, interval: parsed.data, candles };
  const more: Column<typeof row>[] = [
    { key: 'open', value: ({ open }) => open, shown: ({ open }) => formatPrice(open, pricePrecision) },
    { key: 'volume', value: ({ volume }) => volume, shown: ({ volume }) => formatCompact(volume) },
    { key: 'status', value: (shown) => shown.status },
  ];
  const rules = (['tickSize', 'stepSize', 'minQty', 'maxQty', 'minNotional'] as const).map((key) => ({
    key,
    value: (shown: typeof row) => digits(shown.filters[key]),
  }));
  await printOne(context, { columns: [...prices.columns, ...more, ...rules] }, row);
}

type Shown = { ticker: Ticker; pair: Pair; candles: readonly Candle[]; interval: Interval };

async function draw(context: Context, { ticker, pair, candles, interval }: Shown): Promise<void> {
  const t = await context.texts();
  const { stdout, unicode } = context;
  const paint = colours(context, stdout);
  const [width, height] = [widthOf(context), heightOf(context)];
  const closes = candles.slice(-SPARKLINE).map(({ close }) => Number(close));
  const head = `${paint.bold(pair.symbol)}  ${paint.bold(formatPrice(ticker.price, pair.pricePrecision))} ${pair.quoteAsset}  ${tint(paint, formatPercent(ticker.changePct))}  ${sparkline(closes, unicode)}`;
  const blocks = [...figureLines(t, paint, ticker, pair, width), ...ruleLines(t, paint, pair, width, unicode)];
  const chart = candleChart(
    candles.map((candle) => ({
      openTime: Date.parse(candle.openTime),
      open: Number(candle.open),
      high: Number(candle.high),
      low: Number(candle.low),
      close: Number(candle.close),
      volume: Number(candle.volume),
      filled: candle.filled === true,
    })),
    {
      width,
      // The figures, the drawing and the next prompt on one screen.
      height: Math.max(8, height - blocks.length - 4),
      unicode,
      paint,
      coloured: isColoured(context, stdout),
      places: pair.pricePrecision,
      intervalMs: intervalMs(interval),
    },
  );
  const drawn = chart.length > 0 ? chart : [t('cli.prices.noCandles')];
  stdout.write(`${[head, ...blocks, '', ...drawn, paint.dim(`${interval} ${unicode ? '×' : 'x'} ${candles.length}`)].join('\n')}\n`);
}

/** `label value` side by side, as many to a line as fit. */
function packed(entries: readonly (readonly [string, string])[], paint: Colours, width: number): string[] {
  const lines: string[] = [];
  let [line, used] = ['', 0];
  for (const [label, value] of entries) {
    const size = label.length + 1 + value.length;
    if (used > 0 && used + 3 + size > width) {
      lines.push(line);
      [line, used] = ['', 0];
    }
    line += `${used > 0 ? '   ' : ''}${paint.dim(label)} ${value}`;
    used += (used > 0 ? 3 : 0) + size;
  }
  return line === '' ? lines : [...lines, line];
}

function figureLines(t: Translate, paint: Colours, ticker: Ticker, pair: Pair, width: number): string[] {
  const price = (value: Price) => formatPrice(value, pair.pricePrecision);
  return packed(
    [
      [t('cli.columns.open'), price(ticker.open)],
      [t('cli.columns.high'), price(ticker.high)],
      [t('cli.columns.low'), price(ticker.low)],
      [t('cli.columns.volume'), `${formatCompact(ticker.volume)} ${pair.baseAsset}`],
      [t('cli.columns.quoteVolume'), `${formatCompact(ticker.quoteVolume)} ${pair.quoteAsset}`],
      [t('cli.columns.status'), t(`screener.value.${pair.status}`)],
    ],
    paint,
    width,
  );
}

/** What an order of the pair must keep to; bounds that are off are left out. */
function ruleLines(
  t: Translate,
  paint: Colours,
  { filters, quoteAsset, baseAsset, pricePrecision }: Pair,
  width: number,
  unicode: boolean,
): string[] {
  const entries: [string, string][] = [
    [t('cli.columns.tickSize'), `${formatPrice(filters.tickSize, pricePrecision)} ${quoteAsset}`],
    [t('cli.columns.stepSize'), `${formatQuantity(filters.stepSize, 12)} ${baseAsset}`],
    [t('cli.columns.minQty'), formatQuantity(filters.minQty, 12)],
    [t('cli.columns.maxQty'), formatQuantity(filters.maxQty, 12)],
    [t('cli.columns.minNotional'), formatCurrency(filters.minNotional, quoteAsset)],
    [t('cli.columns.maxNotional'), `${formatCompact(filters.maxNotional)} ${quoteAsset}`],
    [t('cli.columns.priceBand'), [filters.bidMultiplierDown, filters.askMultiplierUp].map(formatRatio).join(unicode ? '…' : ' - ')],
    [t('cli.columns.maxNumOrders'), String(filters.maxNumOrders)],
  ];
  const bounds = [filters.tickSize, filters.stepSize, filters.minQty, filters.maxQty, filters.minNotional, filters.maxNotional];
  return packed(
    entries.filter((_, index) => index >= bounds.length || !isNothing(bounds[index]!)),
    paint,
    width,
  );
}

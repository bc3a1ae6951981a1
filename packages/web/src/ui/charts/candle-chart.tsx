import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { formatCompact, formatFixed } from '@pilotfish/core/money/format';
import { type KeyboardEvent, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import uPlot from 'uplot';
import { Button } from '../primitives.tsx';
import { bucketCandles, type CandleColumns, summarise } from './bucket-candles.ts';
import { themeColor, timeLabels, useUplot } from './use-uplot.ts';

/** A horizontal line of meaning: an entry, an average, a stop. */
export type PriceLine = {
  label: string;
  price: number;
  color: 'brand-fg' | 'gain' | 'loss' | 'secondary-fg' | 'fg-muted';
  dashed?: boolean;
};

const TABLE_ROWS = 60;
/** Pixels a candle takes at first: wide enough to see its body. */
const CANDLE_WIDTH = 6;

type Props = {
  /** What is charted, e.g. `BTCUSDT, 1h`. */
  label: string;
  candles: CandleColumns;
  lines?: readonly PriceLine[];
  pricePrecision: number;
  height?: number;
};

/** Candles with volume and price lines. Drag to zoom, double click to see everything, arrows to read; also as a table. */
export function CandleChart({ label, candles, lines = [], pricePrecision, height = 340 }: Props) {
  const { t, i18n } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const [asTable, setAsTable] = useState(false);
  const [read, setRead] = useState<number>();
  const drawn = useRef({ candles, lines });
  useLayoutEffect(() => {
    drawn.current = { candles, lines };
  });
  const price = (value: number) => formatFixed(value.toFixed(pricePrecision), pricePrecision);
  const when = (seconds: number) => new Date(seconds * 1000).toLocaleString(i18n.language, { dateStyle: 'short', timeStyle: 'short' });
  const data = useMemo<uPlot.AlignedData>(() => [[...candles.time], [...candles.low], [...candles.high], [...candles.volume]], [candles]);
  const shape =
    candles.time.length === 0 || asTable
      ? ''
      : `${label}:${i18n.language}:${pricePrecision}:${lines.map((line) => `${line.label}${line.price}`).join()}`;

  const plot = useUplot(
    box,
    shape,
    () => ({
      padding: [12, lines.length > 0 ? 8 : 0, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { show: false } },
      scales: {
        x: { time: true },
        y: {
          range: (_, low, high) => {
            const prices = drawn.current.lines.map((line) => line.price).filter((value) => value > low * 0.8 && value < high * 1.25);
            const [min, max] = [Math.min(low, ...prices), Math.max(high, ...prices)];
            const room = (max - min || max * 0.01) * 0.06;
            return [min - room * 3, max + room];
          },
        },
        volume: { range: (_, __, high) => [0, high * 6] },
      },
      axes: [
        {
          stroke: () => themeColor('fg-muted'),
          grid: { stroke: () => themeColor('border-subtle'), width: 1 },
          ticks: { show: false },
          font: '12px "Inter Variable", sans-serif',
          values: (_, splits, __, ___, step) => timeLabels(splits, step, i18n.language),
        },
        {
          side: 1,
          size: (_, values) => 16 + Math.max(...(values ?? ['']).map((value) => value.length)) * 7.2,
          stroke: () => themeColor('fg-muted'),
          grid: { stroke: () => themeColor('border-subtle'), width: 1 },
          ticks: { show: false },
          font: '12px "Inter Variable", sans-serif',
          values: (_, splits) => splits.map(price),
        },
      ],
      series: [
        {},
        { paths: () => null, points: { show: false } },
        { paths: () => null, points: { show: false } },
        { scale: 'volume', paths: () => null, points: { show: false } },
      ],
      hooks: {
        draw: [(chart) => drawCandles(chart, drawn.current.candles), (chart) => drawLines(chart, drawn.current.lines, price)],
        setCursor: [(chart) => setRead(chart.cursor.idx ?? undefined)],
      },
    }),
    data,
    height,
    CANDLE_WIDTH,
  );

  const last = candles.time.length - 1;
  const shown = read !== undefined && read <= last ? read : last;
  const summary =
    last < 0
      ? t('chart.nothing')
      : t('chart.summary', {
          label,
          last: price(candles.close[last]!),
          low: price(Math.min(...candles.low)),
          high: price(Math.max(...candles.high)),
        });
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -last, End: last }[event.key];
    if (step === undefined || last < 0) return;
    event.preventDefault();
    const next = Math.min(last, Math.max(0, shown + step));
    setRead(next);
    const chart = plot.current;
    chart?.setCursor({ left: chart.valToPos(candles.time[next]!, 'x'), top: 10 }, false);
  };

  return (
    <Flex direction="column" gap="2" minW="0">
      <Flex justify="space-between" align="center" gap="3" minH="8" wrap="wrap">
        <Text fontSize="12px" color="fg.muted" css={{ fontVariantNumeric: 'tabular-nums' }} minW="0">
          {last >= 0 && (
            <>
              {when(candles.time[shown]!)} · {t('chart.o')} {price(candles.open[shown]!)} · {t('chart.h')} {price(candles.high[shown]!)} ·{' '}
              {t('chart.l')} {price(candles.low[shown]!)} · {t('chart.c')} {price(candles.close[shown]!)} · {t('chart.v')}{' '}
              {formatCompact(candles.volume[shown]!.toFixed(4))}
            </>
          )}
        </Text>
        <Button size="xs" variant="ghost" color="fg.muted" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {t(asTable ? 'chart.asChart' : 'chart.asTable')}
        </Button>
      </Flex>
      {asTable ? (
        <chakra.section tabIndex={0} aria-label={label} overflow="auto" maxH={`${height}px`}>
          <chakra.table w="100%" fontSize="12px" className="figure">
            <caption className="visually-hidden">{summary}</caption>
            <thead>
              <tr>
                {(['time', 'o', 'h', 'l', 'c', 'v'] as const).map((column) => (
                  <chakra.th key={column} scope="col" px="2" py="1" textAlign="end" color="fg.muted" fontWeight="550">
                    {t(`chart.${column}`)}
                  </chakra.th>
                ))}
              </tr>
            </thead>
            <tbody>
              {summarise(candles, TABLE_ROWS)
                .toReversed()
                .map((row) => (
                  <tr key={row.time}>
                    {[
                      when(row.time),
                      price(row.open),
                      price(row.high),
                      price(row.low),
                      price(row.close),
                      formatCompact(row.volume.toFixed(4)),
                    ].map((text, column) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
                      <chakra.td key={column} px="2" py="1" borderTopWidth="1px" borderColor="border.subtle">
                        {text}
                      </chakra.td>
                    ))}
                  </tr>
                ))}
            </tbody>
          </chakra.table>
        </chakra.section>
      ) : (
        <Box role="group" tabIndex={0} aria-label={summary} aria-describedby={`${id}-keys`} onKeyDown={onKeyDown} borderRadius="control">
          <Box ref={box} h={`${height}px`} minW="0" aria-hidden="true" />
          <span id={`${id}-keys`} className="visually-hidden">
            {t('chart.keys')}
          </span>
        </Box>
      )}
    </Flex>
  );
}

function drawCandles(chart: uPlot, candles: CandleColumns): void {
  const { ctx } = chart;
  const [from, to] = chart.series[0]?.idxs ?? [0, candles.time.length - 1];
  const ratio = uPlot.pxRatio;
  const x = (time: number) => chart.valToPos(time, 'x', true);
  const y = (value: number) => chart.valToPos(value, 'y', true);
  const drawn = bucketCandles(candles, from, to, x);
  const gap = drawn.length > 1 ? (drawn.at(-1)!.x - drawn[0]!.x) / (drawn.length - 1) : 8 * ratio;
  const width = Math.max(1, Math.min(Math.floor(gap * 0.7), 14 * ratio));
  const half = Math.floor(width / 2);
  const { left, top, width: w, height: h } = chart.bbox;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, w, h);
  ctx.clip();
  // Volume first, behind, one shade for both directions.
  ctx.fillStyle = themeColor('border');
  const floor = chart.valToPos(0, 'volume', true);
  if (to - from < w)
    for (let index = from; index <= to; index += 1) {
      const height = floor - chart.valToPos(candles.volume[index]!, 'volume', true);
      ctx.fillRect(Math.round(x(candles.time[index]!)) - half, floor - height, width, height);
    }
  for (const rising of [true, false]) {
    const color = themeColor(rising ? 'gain' : 'loss');
    const shapes = new Path2D();
    for (const candle of drawn) {
      if (candle.close >= candle.open !== rising) continue;
      const [high, low, open, close] = [y(candle.high), y(candle.low), y(candle.open), y(candle.close)];
      const wick = Math.max(1, Math.round(ratio));
      shapes.rect(candle.x - Math.floor(wick / 2), high, wick, Math.max(1, low - high));
      shapes.rect(candle.x - half, Math.min(open, close), width, Math.max(ratio, Math.abs(open - close)));
    }
    ctx.fillStyle = color;
    ctx.fill(shapes);
  }
  ctx.restore();
}

function drawLines(chart: uPlot, lines: readonly PriceLine[], price: (value: number) => string): void {
  const { ctx } = chart;
  const { left, top, width, height } = chart.bbox;
  const ratio = uPlot.pxRatio;
  ctx.save();
  ctx.font = `${12 * ratio}px "Inter Variable", sans-serif`;
  ctx.textBaseline = 'bottom';
  const taken: number[] = [];
  for (const line of [...lines].sort((a, b) => b.price - a.price)) {
    const y = Math.round(chart.valToPos(line.price, 'y', true));
    if (y < top || y > top + height) continue;
    ctx.strokeStyle = ctx.fillStyle = themeColor(line.color);
    ctx.lineWidth = 1.5 * ratio;
    ctx.setLineDash(line.dashed ? [6 * ratio, 4 * ratio] : []);
    ctx.beginPath();
    ctx.moveTo(left, y);
    ctx.lineTo(left + width, y);
    ctx.stroke();
    // Labels of lines that lie close to each other move apart sideways.
    const crowd = taken.filter((other) => Math.abs(other - y) < 15 * ratio).length;
    taken.push(y);
    ctx.fillText(`${line.label} ${price(line.price)}`, left + 6 * ratio + crowd * 170 * ratio, y - 3 * ratio);
  }
  ctx.restore();
}

import { Flex, Grid, Heading, Text } from '@chakra-ui/react';
import type { BacktestDocument } from '@pilotfish/core/backtest/backtest-contract';
import { drawdownOf, reportPage, shownFigures, warningsOf } from '@pilotfish/core/backtest/report-page';
import type { TextValues } from '@pilotfish/core/fields/text-values';
import { formatFixed, formatMoney, formatPercent } from '@pilotfish/core/money/format';
import type { CandleSeries } from '@pilotfish/core/prices/candle-series';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Figure } from '../auto-trades/figure.tsx';
import { LineChart } from '../ui/charts/line-chart.tsx';
import { type Fill, PriceChart } from '../ui/charts/price-chart.tsx';
import { Notice, Panel, Segments } from '../ui/controls.tsx';
import { Button } from '../ui/primitives.tsx';
import { toneOf } from '../ui/tone.ts';
import { BacktestTrades } from './backtest-trades.tsx';

type Props = { document: BacktestDocument; candles: readonly CandleSeries[]; pairs: readonly Pair[] };

/** Figures whose sign is worth a colour. */
const SIGNED = new Set(['netPnl', 'returnPct', 'hold', 'dca', 'expectancy']);

/** What came out: warnings first, figures, curves, the trades on the price, and each trade with what it did. */
export function BacktestReport({ document: report, candles, pairs }: Props) {
  const { t, i18n } = useTranslation();
  const text = (key: string | readonly string[], values?: TextValues) => t(key as string, values);
  const time = useMemo(() => report.equity.map(({ at }) => Date.parse(at) / 1000), [report]);
  const values = useMemo(() => report.equity.map(({ value }) => value), [report]);
  const drawdown = useMemo(() => drawdownOf(values), [values]);
  const money = (value: number) => formatMoney(value.toFixed(8), report.quoteAsset);
  const { model } = report;
  const save = () => {
    const page = URL.createObjectURL(new Blob([reportPage(report, text, i18n.language)], { type: 'text/html' }));
    const link = window.document.createElement('a');
    link.href = page;
    link.download = `backtest-${report.symbols.join('-')}-${report.from.slice(0, 10)}.html`;
    link.click();
    URL.revokeObjectURL(page);
  };
  return (
    <Flex direction="column" gap="5">
      {warningsOf(report, text).map((warning) => (
        <Notice key={warning} tone="warning" live={false}>
          {warning}
        </Notice>
      ))}
      <Panel>
        <Flex justify="space-between" gap="3" wrap="wrap" align="baseline" mb="3">
          <Text color="fg.muted" fontSize="13px">
            {t('backtest.period', {
              from: report.from.slice(0, 10),
              to: report.to.slice(0, 10),
              bars: formatFixed(String(report.bars), 0),
            })}
          </Text>
          <Button size="xs" variant="outline" color="fg" onClick={save}>
            {t('backtest.save')}
          </Button>
        </Flex>
        <Grid as="dl" templateColumns={{ base: '1fr 1fr', md: 'repeat(4, minmax(0, 1fr))', xl: 'repeat(6, minmax(0, 1fr))' }} gap="4">
          {shownFigures(report, i18n.language).map(([key, shown, exact]) => (
            <Figure
              key={key}
              term={t(`backtest.figures.${key}`)}
              value={shown}
              tone={SIGNED.has(key) && exact !== '' ? toneOf(exact) : ''}
            />
          ))}
        </Grid>
      </Panel>
      <Panel>
        <LineChart
          label={t('backtest.charts.equity', { currency: report.quoteAsset })}
          time={time}
          format={money}
          series={[
            { label: t('backtest.lines.value'), values, color: 'brand-fg' },
            { label: t('backtest.lines.hold'), values: report.equity.map(({ hold }) => hold), color: 'secondary-fg' },
            {
              label: t('backtest.lines.dca', { count: report.dca.buys }),
              values: report.equity.map(({ dca }) => dca),
              color: 'fg-muted',
              dashed: true,
            },
          ]}
        />
      </Panel>
      <Panel>
        <LineChart
          label={t('backtest.charts.drawdown')}
          time={time}
          height={140}
          format={(value) => formatPercent(value.toFixed(4))}
          series={[{ label: t('backtest.lines.drawdown'), values: drawdown, color: 'loss' }]}
        />
      </Panel>
      <PriceWithTrades report={report} candles={candles} pairs={pairs} />
      <BacktestTrades report={report} />
      <Panel>
        <Heading as="h2" fontSize="16px" fontWeight="600" mb="2">
          {t('backtest.howFilled')}
        </Heading>
        <Text color="fg.muted" fontSize="13px">
          {t('backtest.model', {
            spread: model.halfSpreadPct,
            slippage: model.slippagePct,
            volume: model.volumeSharePct,
            fee: Number(model.takerFee) * 100,
          })}{' '}
          {t('backtest.ratiosRule')} {t('backtest.dcaRule', { count: report.dca.buys })}
        </Text>
      </Panel>
    </Flex>
  );
}

function PriceWithTrades({
  report,
  candles,
  pairs,
}: {
  report: BacktestDocument;
  candles: readonly CandleSeries[];
  pairs: readonly Pair[];
}) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState(candles[0]?.symbol ?? '');
  const series = candles.find(({ symbol }) => symbol === chosen) ?? candles[0];
  const columns = useMemo(() => series && { ...series, time: series.openTime.map((ms) => ms / 1000) }, [series]);
  const fills = useMemo<Fill[]>(() => {
    // Asked for once: there may be tens of thousands of trades.
    const labels = { Buy: t('traceKinds.Buy'), Sell: t('traceKinds.Sell') };
    const found: Fill[] = [];
    for (const { symbol, traces } of report.positions) {
      if (symbol !== series?.symbol) continue;
      for (const { kind, at, price } of traces)
        if (kind === 'Buy' || kind === 'Sell')
          found.push({
            time: Date.parse(at) / 1000,
            price: Number(price),
            side: kind === 'Buy' ? 'buy' : 'sell',
            label: labels[kind],
          });
    }
    return found;
  }, [report, series, t]);
  if (!series || !columns) return null;
  return (
    <Panel>
      {candles.length > 1 && (
        <Flex mb="3">
          <Segments
            label={t('backtest.form.coins')}
            value={series.symbol}
            options={candles.map(({ symbol }) => ({ value: symbol, label: symbol }))}
            onChange={setChosen}
          />
        </Flex>
      )}
      <PriceChart
        key={series.symbol}
        label={t('backtest.charts.trades', { symbol: series.symbol })}
        candles={columns}
        fills={fills}
        pricePrecision={pairs.find(({ symbol }) => symbol === series.symbol)?.pricePrecision ?? 2}
        seconds={(report.bars * report.intervalMs) / 1000}
      />
    </Panel>
  );
}

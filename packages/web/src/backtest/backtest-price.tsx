import type { BacktestDocument, BacktestTrade } from '@pilotfish/core/backtest/backtest-contract';
import { baseAssetOf } from '@pilotfish/core/prices/base-asset';
import type { CandleSeries } from '@pilotfish/core/prices/candle-series';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Fill, PriceChart } from '../ui/charts/price-chart.tsx';
import { Segments } from '../ui/controls.tsx';
import { TitledPanel } from '../ui/kit/titled-panel.tsx';

/** The price of a coin with the buys and sells of the trades that are shown. */
export function BacktestPrice({
  report,
  trades,
  coins,
  candles,
  pairs,
}: {
  report: BacktestDocument;
  trades: readonly BacktestTrade[];
  /** Only their prices are shown; of all where it is empty. */
  coins: readonly string[];
  candles: readonly CandleSeries[];
  pairs: readonly Pair[];
}) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState(candles[0]?.symbol ?? '');
  const shown = coins.length === 0 ? candles : candles.filter(({ symbol }) => coins.includes(baseAssetOf(symbol, report.quoteAsset)));
  const series = shown.find(({ symbol }) => symbol === chosen) ?? shown[0];
  const columns = useMemo(() => series && { ...series, time: series.openTime.map((ms) => ms / 1000) }, [series]);
  const fills = useMemo<Fill[]>(() => {
    // Asked for once: there may be tens of thousands of trades.
    const labels = { Buy: t('traceKinds.Buy'), Sell: t('traceKinds.Sell') };
    const found: Fill[] = [];
    for (const { symbol, traces } of trades) {
      if (symbol !== series?.symbol) continue;
      for (const { kind, at, price } of traces)
        if (kind === 'Buy' || kind === 'Sell')
          found.push({ time: Date.parse(at) / 1000, price: Number(price), side: kind === 'Buy' ? 'buy' : 'sell', label: labels[kind] });
    }
    return found;
  }, [trades, series, t]);
  if (!series || !columns) return null;
  const name = t('backtest.charts.trades', { symbol: series.symbol });
  return (
    <TitledPanel
      title={name}
      toolbar={
        shown.length > 1 ? (
          <Segments
            label={t('backtest.form.coins')}
            value={series.symbol}
            options={shown.map(({ symbol }) => ({ value: symbol, label: symbol }))}
            onChange={setChosen}
          />
        ) : undefined
      }
    >
      <PriceChart
        key={series.symbol}
        label={name}
        candles={columns}
        fills={fills}
        pricePrecision={pairs.find(({ symbol }) => symbol === series.symbol)?.pricePrecision ?? 2}
        seconds={(report.bars * report.intervalMs) / 1000}
      />
    </TitledPanel>
  );
}

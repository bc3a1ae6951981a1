import { Box, Grid } from '@chakra-ui/react';
import { useState } from 'react';
import { useApp } from '../platform/app-context.tsx';
import { type Fill, PriceChart, type PriceLevel, type PriceZone } from '../ui/charts/price-chart.tsx';
import { TitledPanel } from '../ui/kit/titled-panel.tsx';
import { KIT_PATH, kitCandles } from './kit-samples.ts';

const STEP = 900;
const LEVELS: readonly PriceLevel[] = [
  { id: 'tp2', label: 'Take profit 2', short: 'TP 2', note: 'sells 50% · +24.89', price: 99_786.94, tone: 'gain', look: 'dashed' },
  { id: 'tp1', label: 'Take profit 1', short: 'TP 1', note: 'sells 50% · +17.57', price: 98_822.81, tone: 'gain', look: 'dashed' },
  { id: 'arm', label: 'Trailing start', short: 'Trailing', price: 98_340.75, tone: 'brand', look: 'dotted' },
  { id: 'average', label: '0.0152 BTC', note: '+20.88 (+1.42%)', price: 96_412.5, tone: 'neutral', look: 'solid' },
  { id: 'stop', label: 'Stop now', note: '−30.75', price: 94_484.25, tone: 'loss', look: 'dashed' },
];
const PREVIEW = { id: 'stop', from: 94_484.25, to: 95_900, label: 'Stop 95,900.00 · sells all · −9.25' };
const CLOSE: readonly PriceLevel[] = [
  { id: 'alert', label: 'Alert', price: 97_980, tone: 'warning', look: 'dotted' },
  ...[97_900, 97_860, 97_840].map(
    (price, index): PriceLevel => ({ id: `${index}`, label: `Sell 0.00${index}`, price, tone: 'neutral', look: 'dashed' }),
  ),
  { id: 'far', label: 'Buy 0.01', price: 60_000, tone: 'brand', look: 'dashed', faded: true },
];

/** The chart of a price as in the cockpit, on a phone, and with levels that stand close. */
export function Charts() {
  const { now } = useApp().browser;
  const [candles] = useState(() => kitCandles(KIT_PATH, Math.floor(now() / 1000 / STEP) * STEP, STEP));
  const timeAgo = (count: number) => candles.time.at(-1)! - count * STEP;
  const zones: readonly PriceZone[] = [
    { from: timeAgo(101), low: 96_412.5, high: 99_786.94, tone: 'gain' },
    { from: timeAgo(101), low: 95_900, high: 96_412.5, tone: 'loss' },
  ];
  const fills: readonly Fill[] = [
    { time: timeAgo(101) + 60, price: 96_230, side: 'buy', label: 'Bought 0.0102' },
    { time: timeAgo(75) + 60, price: 96_850, side: 'buy', label: 'Rebuy 0.0050' },
    { time: timeAgo(40), price: 98_020, side: 'sell', label: 'Sold 0.0010' },
  ];
  const chart = { label: 'BTCUSDT, 15m', candles, pricePrecision: 2, fills, room: 0.25 };
  return (
    <Grid templateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) 390px' }} gap="3" alignItems="start">
      <TitledPanel title="Price chart" count="levels, zones, fills, a level being moved">
        <PriceChart {...chart} levels={LEVELS} zones={zones} preview={PREVIEW} height={436} seconds={140 * STEP} />
      </TitledPanel>
      <Box minW="0">
        <TitledPanel title="On a phone" count="levels off the scale at the edges">
          <PriceChart {...chart} levels={LEVELS} zones={zones} height={352} seconds={57 * STEP} />
        </TitledPanel>
      </Box>
      <TitledPanel title="Levels that stand close" count="chips keep apart">
        <PriceChart {...chart} levels={CLOSE} height={240} room={0.2} />
      </TitledPanel>
    </Grid>
  );
}

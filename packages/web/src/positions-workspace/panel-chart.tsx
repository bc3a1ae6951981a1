import { Box } from '@chakra-ui/react';
import type { AutoTradeDetail, AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { HeldPositionRow } from '@pilotfish/core/positions/held-positions-contract';
import type { ClosedRow } from '@pilotfish/core/positions/positions-contract';
import { useMemo } from 'react';
import { sendsExits } from '../auto-trades/detail/cockpit/banner-kind.ts';
import { useFillMarks, useLevelMarks, useZones } from '../auto-trades/detail/cockpit/chart-marks.ts';
import { CandleChart, type ChartedPosition, PositionChart } from '../positions/detail/position-chart.tsx';

const NONE: readonly never[] = [];
const Frame = ({ children }: { children: React.ReactNode }) => (
  <Box px="3" pb="1" minW="0">
    {children}
  </Box>
);

/** The candles with the levels of a bot's position as its page has them, to be read only. They come with its bot. */
export function BotPositionChart({
  row,
  bot,
  position,
}: {
  row: HeldPositionRow;
  bot: AutoTradeDetail | undefined;
  position: AutoTradePosition | undefined;
}) {
  const { symbol, autoTradeId, positionId, openedAt, quoteAsset } = row;
  const coin = useMemo(() => ({ symbol, position, evaluation: undefined }), [symbol, position]);
  const levels = useLevelMarks(coin, { currency: quoteAsset, row, isInForce: bot === undefined || sendsExits(bot) });
  const zones = useZones(coin);
  const fills = useFillMarks(autoTradeId ?? '', positionId);
  return (
    <Frame>
      <CandleChart {...{ symbol, openedAt, closedAt: null, levels, zones, fills }} isInPanel />
    </Frame>
  );
}

/** What a bot bought and sold on paper, over the candles of that time. */
export function PaperChart({ row, botId }: { row: ClosedRow; botId: string }) {
  const { symbol, openedAt, closedAt, id } = row;
  const fills = useFillMarks(botId, id);
  return (
    <Frame>
      <CandleChart {...{ symbol, openedAt, closedAt, fills }} levels={NONE} zones={NONE} isInPanel />
    </Frame>
  );
}

/** Of a position of the ledger: its average, its break-even and its owner's target. */
export const LedgerChart = ({ position }: { position: ChartedPosition }) => (
  <Frame>
    <PositionChart position={position} isInPanel />
  </Frame>
);

import { Flex } from '@chakra-ui/react';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { useConfig, useSignedIn } from '../../platform/use-session.ts';
import { usePositionNews } from '../../positions/use-positions.ts';
import { useLiveTickers } from '../../prices/use-prices.ts';
import { AlertsPanel } from './alerts-panel.tsx';
import { FiguresPanel, type TableColumns } from './figures-panel.tsx';
import { OrderRules } from './order-rules.tsx';
import { PositionPanel } from './position-panel.tsx';
import { TradesPanel } from './trades-panel.tsx';

/**
 * What is the reader's own in a pair: position, bots, alerts and trades, with the pair's figures and the exchange's rules.
 * Guests see the last two. Each panel loads and fails by itself.
 * @param onColumns opens the choice of the table's columns
 */
export function YoursColumn({ pair, onColumns, ...table }: TableColumns & { pair: Pair; onColumns?: () => void }) {
  useLiveTickers();
  const signedIn = useSignedIn();
  const hasAlerts = useConfig()?.features.includes('price-alerts') ?? false;
  return (
    <Flex direction="column" gap="3" minW="0">
      {signedIn && <PositionPanel key={pair.symbol} pair={pair} />}
      {signedIn && hasAlerts && <AlertsPanel pair={pair} />}
      <FiguresPanel pair={pair} onColumns={onColumns} {...table} />
      <OrderRules pair={pair} />
      {signedIn && <Own pair={pair} />}
    </Flex>
  );
}

function Own({ pair }: { pair: Pair }) {
  usePositionNews();
  return <TradesPanel pair={pair} />;
}

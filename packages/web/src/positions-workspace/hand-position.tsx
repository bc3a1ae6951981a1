import { Box } from '@chakra-ui/react';
import { distancePct } from '@pilotfish/core/auto-trades/position-risk';
import { useTranslation } from 'react-i18next';
import { PositionActions } from '../positions/detail/position-actions.tsx';
import { type Fact, Facts, useHeldFacts, useLedgerFacts } from '../positions/detail/position-facts.tsx';
import { exitFeeOf } from '../positions/open/live-held.ts';
import { TargetCell } from '../positions/open/target-cell.tsx';
import { BrokenReasons } from '../positions/position-state.tsx';
import { usePosition, usePositionMarks } from '../positions/use-positions.ts';
import { usePairs } from '../prices/use-prices.ts';
import { AsOf } from '../ui/kit/titled-panel.tsx';
import { ErrorPanel } from '../ui/state-panels.tsx';
import type { Chosen } from './chosen.ts';
import { pageOf } from './chosen-places.ts';
import { HeldOutcomes, useReasons } from './held-outcomes.tsx';
import { LedgerChart } from './panel-chart.tsx';
import { PanelFills } from './panel-fills.tsx';
import { Actions, Ended, Part, Sentence } from './panel-parts.tsx';

/** Buttons beside each other; what is more is behind dots. */
const BUTTONS = 2;

/** What is held by hand of a position of the ledger: what becomes of it, and what the ledger lets its owner do. */
export function HandPosition({ chosen }: { chosen: Extract<Chosen, { kind: 'hand' }> }) {
  const { t } = useTranslation();
  const { row } = chosen;
  const ledger = usePosition(row.positionId);
  const position = ledger.data?.kind === 'open' ? ledger.data : undefined;
  const isGone = ledger.data !== undefined && !position;
  const trades = usePositionMarks(row.positionId);
  const pair = usePairs()?.get(row.symbol);
  const held = useHeldFacts({ ...row, exitFee: exitFeeOf(row) }, useReasons(row));
  const whole = useLedgerFacts(ledger.hasFailed || isGone ? null : position);
  const targets: Fact[] = position
    ? [
        {
          term: t('positions.target.name'),
          value: (
            <TargetCell
              key={row.positionId}
              position={position}
              pair={pair}
              price={row.price}
              distancePct={distancePct(row.price, position.targetPrice)}
            />
          ),
          wide: true,
        },
      ]
    : [];
  const { positionId: id, symbol, openedAt, averageCost, breakEven, target } = row;
  return (
    <>
      {isGone && <Ended page={pageOf(chosen)} />}
      <Box px="4" pb="2.5" className={isGone ? 'stale' : undefined}>
        <HeldOutcomes row={row} />
      </Box>
      <LedgerChart position={{ id, symbol, openedAt, closedAt: null, averageCost, breakEven, targetPrice: target }} />
      {!isGone && <Sentence>{t(target === null ? 'positions.panel.byHand' : 'positions.panel.byHandTarget')}</Sentence>}
      {row.broken.length > 0 && (
        <Part>
          <BrokenReasons broken={row.broken} asset={row.baseAsset} compact />
        </Part>
      )}
      <Part className={isGone ? 'stale' : undefined}>
        <Facts facts={[...held, ...whole, ...targets]} />
      </Part>
      <PanelFills query={{ ...trades, fills: trades.data?.items, total: trades.data?.total }} row={row} page={pageOf(chosen)} />
      {position ? (
        <Actions>
          <AsOf query={ledger} />
          <PositionActions key={`actions ${id}`} position={position} most={BUTTONS} />
        </Actions>
      ) : (
        !isGone && (
          <Actions>
            {ledger.hasFailed ? (
              <ErrorPanel problem={ledger.problem} onRetry={ledger.retry} />
            ) : (
              <div className="skeleton" style={{ height: 32, flex: 1 }} />
            )}
          </Actions>
        )
      )}
    </>
  );
}

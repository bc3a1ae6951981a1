import { Box } from '@chakra-ui/react';
import type { ClosedRow } from '@pilotfish/core/positions/positions-contract';
import { useFills } from '../auto-trades/use-auto-trades.ts';
import { useExitWord } from '../positions/closed/closed-table.tsx';
import { PositionActions } from '../positions/detail/position-actions.tsx';
import { Facts, useClosedFacts } from '../positions/detail/position-facts.tsx';
import { ClosedOutcomes } from '../positions/detail/position-outcomes.tsx';
import { BrokenReasons } from '../positions/position-state.tsx';
import { usePositionMarks } from '../positions/use-positions.ts';
import type { Chosen } from './chosen.ts';
import { botOf, pageOf } from './chosen-places.ts';
import { LedgerChart, PaperChart } from './panel-chart.tsx';
import { PanelFills } from './panel-fills.tsx';
import { Actions, Part } from './panel-parts.tsx';

/** Buttons beside each other; what is more is behind dots. */
const BUTTONS = 2;

/** A closed position: what it brought, why it ended, and its fills. */
export function ClosedPositionBody({ chosen }: { chosen: Extract<Chosen, { kind: 'closed' }> }) {
  const { row } = chosen;
  const botId = botOf(chosen);
  return (
    <>
      <Box px="4" pb="2.5">
        <ClosedOutcomes position={row} />
      </Box>
      {botId === undefined ? <OfLedger row={row} page={pageOf(chosen)} /> : <OnPaper row={row} botId={botId} page={pageOf(chosen)} />}
    </>
  );
}

const ClosedFacts = ({ row }: { row: ClosedRow }) => {
  const facts = useClosedFacts(row, useExitWord()(row.exit));
  return (
    <Part>
      <Facts facts={facts} />
    </Part>
  );
};

function OfLedger({ row, page }: { row: ClosedRow; page: string }) {
  const trades = usePositionMarks(row.id);
  return (
    <>
      <LedgerChart position={{ ...row, targetPrice: null }} />
      {row.broken.length > 0 && (
        <Part>
          <BrokenReasons broken={row.broken} asset={row.baseAsset} compact />
        </Part>
      )}
      <ClosedFacts row={row} />
      <PanelFills query={{ ...trades, fills: trades.data?.items, total: trades.data?.total }} row={row} page={page} />
      {row.allowed.length > 0 && (
        <Actions>
          <PositionActions key={row.id} position={{ kind: 'closed', ...row }} most={BUTTONS} />
        </Actions>
      )}
    </>
  );
}

/** Nothing may be asked of what was closed on paper. */
function OnPaper({ row, botId, page }: { row: ClosedRow; botId: string; page: string }) {
  const fills = useFills(botId, row.id);
  return (
    <>
      <PaperChart row={row} botId={botId} />
      <ClosedFacts row={row} />
      <PanelFills
        query={{ ...fills, fills: fills.data && [...fills.data].sort((a, b) => b.at.localeCompare(a.at)) }}
        row={row}
        page={page}
      />
    </>
  );
}

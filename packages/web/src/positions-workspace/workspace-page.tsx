import { Flex, Grid } from '@chakra-ui/react';
import type { ClosedRow } from '@pilotfish/core/positions/positions-contract';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearchParams } from 'react-router-dom';
import { useEquity } from '../overview/use-overview.ts';
import { useAddress } from '../platform/use-address.ts';
import { useAccount } from '../platform/use-session.ts';
import { ClosedPanel } from '../positions/closed/closed-panel.tsx';
import { HistorySentence } from '../positions/history-sentence.tsx';
import { Age } from '../positions/open/age.tsx';
import type { OpenRow } from '../positions/open/held-order.ts';
import { PositionsFrame } from '../positions/positions-tabs.tsx';
import { usePositionNews } from '../positions/use-positions.ts';
import { fetchChartCode } from '../ui/charts/price-chart.tsx';
import { Segments } from '../ui/controls.tsx';
import { useRowKeys } from '../ui/kit/use-row-keys.ts';
import { useMedia } from '../ui/use-media.ts';
import type { Chosen } from './chosen.ts';
import { OpenPanel } from './open-panel.tsx';
import { PositionPanel } from './position-panel.tsx';
import { useMonth, useOpenRows } from './use-workspace.ts';
import { ofMode, WORKSPACE, type WorkspaceAddress } from './workspace-address.ts';
import { WorkspaceFigures } from './workspace-figures.tsx';

/** From this width on a detail stands beside the tables; below it, it is a page of its own. */
const WITH_DETAIL = '(min-width: 1200px)';

/** What is shown: all of it, or one of the two lists by an address of its own. */
const viewOf = (path: string): { open: boolean; closed: boolean } => ({
  open: !path.endsWith('/closed-positions'),
  closed: !path.endsWith('/open-positions'),
});

const nameOf = ({ open, closed }: ReturnType<typeof viewOf>) =>
  open && closed ? 'routes.positions' : open ? 'routes.openPositions' : 'routes.closedPositions';

/** What I hold, what I closed, in one place: figures, both lists, and the detail of what is chosen beside them. */
export default function PositionsWorkspace() {
  const { t } = useTranslation();
  usePositionNews();
  const { pathname } = useLocation();
  const view = viewOf(pathname);
  const [address, change] = useAddress(WORKSPACE);
  const [, setQuery] = useSearchParams();
  const { mode } = address;
  const open = useOpenRows(mode);
  const month = useMonth(mode);
  const equity = useEquity(mode, '30d').data;
  const whole = equity && { amount: equity.now.equity, currency: equity.currency };
  const hasPlace = useMedia(WITH_DETAIL);
  useEffect(() => {
    if (hasPlace && open.rows) fetchChartCode();
  }, [hasPlace, open.rows]);
  const { chosen, onClosedRows } = useChosen(address, open.rows);
  const detail = hasPlace ? chosen : undefined;
  const lists = useRef<HTMLDivElement>(null);
  const choose = useCallback((position: string | undefined) => change({ position }), [change]);
  useRowKeys(lists, { onToggle: () => undefined, onCompare: () => undefined, onGiveUp: () => choose(undefined) });
  const account = useAccount();
  const isConnected = account === undefined || account.exchanges.length > 0;
  // Who has connected nothing and holds nothing is shown the one thing to do.
  const hasOpen = isConnected || mode === 'paper' || (open.rows?.length ?? 0) > 0;
  return (
    <PositionsFrame
      title={t('routes.positions')}
      note={mode === 'live' ? <HistorySentence /> : undefined}
      needsExchange={mode === 'live'}
      actions={
        <Segments
          label={t('overview.money')}
          value={mode}
          options={(['live', 'paper'] as const).map((value) => ({ value, label: t(`autoTrades.mode.${value}`) }))}
          onChange={(next) => setQuery(ofMode(new URLSearchParams(window.location.search), next), { replace: true })}
        />
      }
    >
      <Flex direction="column" gap={{ base: '2.5', md: '3' }}>
        <Age query={open.held} />
        {hasOpen && <WorkspaceFigures name={t(nameOf(view))} mode={mode} open={open} month={month} whole={whole} />}
        <Grid templateColumns={detail ? 'minmax(0, 1fr) 428px' : 'minmax(0, 1fr)'} gap="3" alignItems="start">
          <Flex ref={lists} direction="column" gap={{ base: '2.5', md: '3' }} minW="0">
            {view.open && hasOpen && (
              <OpenPanel
                address={address}
                onChange={change}
                open={open}
                whole={whole}
                onChoose={hasPlace ? (row: OpenRow) => choose(row.positionId) : undefined}
                isNarrow={detail !== undefined}
              />
            )}
            {view.closed && (
              <ClosedPanel
                mode={mode}
                chosenId={address.position}
                onChoose={hasPlace ? (row: ClosedRow) => choose(row.id) : undefined}
                onRows={onClosedRows}
              />
            )}
          </Flex>
          {detail && <PositionPanel chosen={detail} isStale={open.held.isStale} onClose={() => choose(undefined)} />}
        </Grid>
      </Flex>
    </PositionsFrame>
  );
}

/** The row that the address names, in whichever list it stands; the last one as long as a list of it is on its way. */
function useChosen({ position, mode }: WorkspaceAddress, rows: readonly OpenRow[] | undefined) {
  const [closed, setClosed] = useState<ClosedRow>();
  const onClosedRows = useCallback(
    (items: readonly ClosedRow[]) => setClosed((before) => items.find(({ id }) => id === position) ?? before),
    [position],
  );
  const chosen = useMemo((): Chosen | undefined => {
    if (position === undefined) return undefined;
    const row = rows?.find(({ positionId }) => positionId === position);
    if (row) return row.autoTradeId === null ? { kind: 'hand', row } : { kind: 'bot', mode, row, ledger: row.ledger };
    return closed?.id === position ? { kind: 'closed', mode, row: closed } : undefined;
  }, [position, mode, rows, closed]);
  return { chosen, onClosedRows };
}

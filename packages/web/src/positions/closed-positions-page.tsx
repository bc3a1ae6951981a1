import { Box, Flex, Text } from '@chakra-ui/react';
import { shownProblem } from '@pilotfish/core/http/problem';
import { formatMoney } from '@pilotfish/core/money/format';
import type { ClosedRow, PositionTotals } from '@pilotfish/core/positions/positions-contract';
import { dayNames } from '@pilotfish/core/time/calendar-day';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { useApp } from '../app/app-context.tsx';
import { LinkButton, Panel } from '../ui/controls.tsx';
import { shownTimeZone } from '../ui/field-time.ts';
import { Icon } from '../ui/icons.tsx';
import { Result } from '../ui/kit/result.tsx';
import { TitledPanel } from '../ui/kit/titled-panel.tsx';
import { Pager } from '../ui/pager.tsx';
import { Button } from '../ui/primitives.tsx';
import { EmptyState } from '../ui/state-panels.tsx';
import { showToast, toastText } from '../ui/toasts.ts';
import { useLast } from '../ui/use-last.ts';
import { useMedia } from '../ui/use-media.ts';
import {
  type ClosedAddress,
  type ClosedQuery,
  closedQuery,
  isFiltered,
  NO_FILTERS,
  readClosedAddress,
  writeClosedAddress,
} from './closed-address.ts';
import { closedCsv } from './closed-csv.ts';
import { ClosedFilters } from './closed-filters.tsx';
import { ClosedCards, ClosedTable } from './closed-table.tsx';
import { PositionsFrame, WhenConnected } from './positions-tabs.tsx';
import { LeftOut } from './totals-panel.tsx';
import { useClosedPositions, usePositionNews } from './use-positions.ts';

/** What was bought and sold again: filtered in one line, with the sum of what is listed beside that of everything. */
export default function ClosedPositionsPage() {
  const { t } = useTranslation();
  usePositionNews();
  const app = useApp();
  const [query, setQuery] = useSearchParams();
  const address = useMemo(() => readClosedAddress(query), [query]);
  const change = useCallback(
    (changes: Partial<ClosedAddress>) =>
      setQuery(writeClosedAddress(new URLSearchParams(window.location.search), changes), { replace: true }),
    [setQuery],
  );
  const asked = closedQuery(address, dayNames(shownTimeZone())(app.browser.now()));
  const closed = useClosedPositions(asked, true);
  // A filter is no reason to lose sight of the list; what does not answer it must not stand for its answer.
  const last = useLast(closed.data);
  const data = closed.hasFailed ? closed.data : last;
  const waiting = closed.data === undefined ? 'stale' : undefined;
  const isPhone = useMedia('(max-width: 899px)');
  const isNothingThere = closed.data !== undefined && data?.totalsAll.length === 0 && data.items.length === 0 && !isFiltered(address);
  if (isNothingThere)
    return (
      <PositionsFrame title={t('routes.closedPositions')} lead={t('positions.closedLead')}>
        <WhenConnected>
          <NothingClosed />
        </WhenConnected>
      </PositionsFrame>
    );
  return (
    <PositionsFrame title={t('routes.closedPositions')} lead={t('positions.closedLead')} actions={<ExportButton query={asked} />}>
      <TitledPanel
        title={t('positions.tab.closed')}
        count={
          data && (
            <span className={waiting}>
              <Sums totals={data.totalsListed} />
            </span>
          )
        }
        query={{ ...closed, data }}
        rows={8}
        flush
        toolbar={<Toolbar address={address} onChange={change} data={data} sorts={isPhone} />}
      >
        {data && data.items.length === 0 ? (
          <NoneMatch onClear={() => change(NO_FILTERS)} />
        ) : (
          data && (
            <Box className={waiting}>
              {isPhone ? (
                <ClosedCards items={data.items} />
              ) : (
                <ClosedTable items={data.items} order={address.order} onOrder={(order) => change({ order })} />
              )}
              <Pager page={data.page} pages={Math.max(1, Math.ceil(data.total / data.pageSize))} onPage={(page) => change({ page })} />
            </Box>
          )
        )}
      </TitledPanel>
    </PositionsFrame>
  );
}

/** The filters, what is left of the whole by them, and what is in no sum. */
function Toolbar({
  address,
  onChange,
  data,
  sorts,
}: {
  address: ClosedAddress;
  onChange: (changes: Partial<ClosedAddress>) => void;
  data: ReturnType<typeof useClosedPositions>['data'];
  sorts: boolean;
}) {
  const { t } = useTranslation();
  return (
    <Flex direction="column" gap="2">
      <ClosedFilters
        address={address}
        onChange={onChange}
        choices={data?.choices}
        currencies={data?.totalsAll.map(({ currency }) => currency) ?? []}
        sorts={sorts}
      />
      {data && isFiltered(address) && (
        <Text fontSize="12px" color="fg.muted" role="status">
          {t('positions.ofAll')} <Sums totals={data.totalsAll} />
        </Text>
      )}
      {data?.totalsListed.map((totals) => (
        <LeftOut key={totals.currency} totals={totals} of="closed" />
      ))}
    </Flex>
  );
}

/** How many positions, and what they came to in each currency: never added together. */
function Sums({ totals }: { totals: readonly PositionTotals[] }) {
  const { t } = useTranslation();
  const count = totals.reduce((sum, each) => sum + each.count, 0);
  return (
    <>
      {t('positions.count', { count })}
      {totals.map(({ currency, realised, fees, wins, losses }) => (
        <span key={currency}>
          {' · '}
          <Result value={realised} currency={currency} reason="" />
          {` · ${t('positions.wonOf', { wins, count: wins + losses })} · ${t('positions.feesOf', { fees: `${formatMoney(fees, currency)} ${currency}` })}`}
        </span>
      ))}
    </>
  );
}

function NothingClosed() {
  const { t } = useTranslation();
  return (
    <Panel>
      <EmptyState
        icon="positions"
        title={t('positions.noClosedTitle')}
        action={
          <LinkButton to="/positions/import" colorPalette="brand">
            {t('positions.importFile')}
          </LinkButton>
        }
      >
        {t('positions.noClosedLead')}
      </EmptyState>
    </Panel>
  );
}

function NoneMatch({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      icon="filter"
      title={t('positions.noneMatch')}
      action={
        <Button colorPalette="brand" onClick={onClear}>
          {t('positions.clearFilters')}
        </Button>
      }
    >
      {t('positions.noneMatchLead')}
    </EmptyState>
  );
}

const EXPORT_PAGE = 200;

/** Everything the filters leave, of all pages, as one file. */
function ExportButton({ query }: { query: ClosedQuery }) {
  const { t } = useTranslation();
  const app = useApp();
  const [running, setRunning] = useState(false);
  const run = async () => {
    setRunning(true);
    try {
      const items: ClosedRow[] = [];
      for (let page = 1; ; page += 1) {
        const answer = await app.busy.during(
          app.client.listClosedPositions({ query: { ...query, page, pageSize: EXPORT_PAGE } }, { quiet: true }),
        );
        items.push(...answer.items);
        if (answer.items.length === 0 || items.length >= answer.total) break;
      }
      const url = URL.createObjectURL(new Blob([closedCsv(items)], { type: 'text/csv;charset=utf-8' }));
      const link = document.createElement('a');
      link.href = url;
      link.download = 'closed-positions.csv';
      link.click();
      URL.revokeObjectURL(url);
      void showToast('success', t('positions.exported', { count: items.length }));
    } catch (error) {
      void showToast('error', toastText(shownProblem(error), t));
    } finally {
      setRunning(false);
    }
  };
  return (
    <Button variant="outline" color="fg" disabled={running} onClick={() => void run()}>
      <Icon name="down" size={16} />
      {t(running ? 'positions.exporting' : 'positions.export')}
    </Button>
  );
}

import { Flex, Grid, Heading, Text } from '@chakra-ui/react';
import type { Money } from '@pilotfish/core/money/figure';
import { formatResult, formatShare, formatSigned, UNKNOWN } from '@pilotfish/core/money/format';
import type { ClosedPosition } from '@pilotfish/core/positions/positions-contract';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { LinkButton, Panel } from '../ui/controls.tsx';
import { ResultPercent } from '../ui/kit/result.tsx';
import { Unknown } from '../ui/kit/unknown.tsx';
import { EmptyState, ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { Age } from './age.tsx';
import { Amount } from './amounts.tsx';
import { MonthPanel } from './month-panel.tsx';
import { useUnknownReason } from './position-state.tsx';
import { PositionsFrame, WhenConnected } from './positions-tabs.tsx';
import { SyncPanel } from './sync-panel.tsx';
import { Cell, CurrencyTotals } from './totals-panel.tsx';
import { useOverview, usePositionNews } from './use-positions.ts';

const LineChart = lazy(() => import('../ui/charts/line-chart.tsx').then((module) => ({ default: module.LineChart })));
const CHART_HEIGHT = 220;

/** What is held, what it cost and what it earned: in total, by month, and how far the history behind it is known. */
export default function PositionsPage() {
  const { t } = useTranslation();
  usePositionNews();
  return (
    <PositionsFrame
      title={t('routes.positions')}
      note={t('positions.lead')}
      actions={
        <LinkButton to="/performance" size="sm" variant="outline" color="fg">
          {t('routes.performance')}
        </LinkButton>
      }
    >
      <Flex direction="column" gap="5">
        <Figures />
        <WhenConnected>
          <SyncPanel />
        </WhenConnected>
      </Flex>
    </PositionsFrame>
  );
}

function Figures() {
  const { t } = useTranslation();
  const query = useOverview();
  const { data } = query;
  if (query.hasFailed)
    return (
      <Panel>
        <ErrorPanel problem={query.problem} onRetry={query.retry} />
      </Panel>
    );
  if (!data)
    return (
      <>
        <Panel>
          <Skeleton rows={3} height={30} />
        </Panel>
        <Grid templateColumns={{ base: 'minmax(0, 1fr)', lg: '1fr 1fr' }} gap="5">
          {[1, 2].map((panel) => (
            <Panel key={panel}>
              <Skeleton rows={1} height={CHART_HEIGHT + 40} />
            </Panel>
          ))}
        </Grid>
      </>
    );
  if (data.totals.length === 0)
    return (
      <WhenConnected>
        <Panel>
          <EmptyState
            icon="positions"
            title={t('positions.emptyTitle')}
            action={
              <LinkButton to="/positions/import" colorPalette="brand">
                {t('positions.importFile')}
              </LinkButton>
            }
          >
            {t('positions.emptyLead')}
          </EmptyState>
        </Panel>
      </WhenConnected>
    );
  return (
    <>
      <Age query={query} />
      <Flex as="section" direction="column" gap="5" aria-label={t('positions.totals')} className={query.isStale ? 'stale' : undefined}>
        <Panel>
          <Grid as="dl" templateColumns={{ base: 'repeat(2, minmax(0, 1fr))', md: 'repeat(4, minmax(0, 1fr))' }} gap="4">
            <Cell term={t('positions.realisedThisMonth')} large>
              <Amount value={data.realisedThisMonth} currency="USDT" signed reason={t('positions.rateUnknown')} />
            </Cell>
            <Cell term={t('positions.winRate')} large>
              {data.winRatePct === null ? <Unknown reason={t('positions.unknown.noTrades')} /> : formatShare(data.winRatePct, 1)}
            </Cell>
            <Extreme term={t('positions.best')} position={data.best} />
            <Extreme term={t('positions.worst')} position={data.worst} />
          </Grid>
          {data.excluded.count > 0 && (
            <Text mt="3" fontSize="13px" color="fg.muted">
              {t('positions.excludedPnl', {
                count: data.excluded.count,
                pnl: data.excluded.pnl === null ? UNKNOWN : formatResult(data.excluded.pnl, 'USDT'),
              })}
            </Text>
          )}
        </Panel>
        <Grid
          templateColumns={{ base: 'minmax(0, 1fr)', lg: data.totals.length > 1 ? 'repeat(2, minmax(0, 1fr))' : 'minmax(0, 1fr)' }}
          gap="5"
        >
          {data.totals.map((totals) => (
            <CurrencyTotals key={totals.currency} totals={totals} of="all" large={data.totals.length === 1} />
          ))}
        </Grid>
      </Flex>
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' }} gap="5" alignItems="stretch">
        <Equity equity={data.equity} />
        <MonthPanel />
      </Grid>
    </>
  );
}

function Extreme({ term, position }: { term: string; position: ClosedPosition | null }) {
  const { t } = useTranslation();
  const reasonOf = useUnknownReason();
  return (
    <Cell term={term} large>
      {position === null ? (
        <Unknown reason={t('positions.unknown.noTrades')} />
      ) : (
        <Link to={`/positions/detail/${position.id}`}>
          <Amount value={position.realised} currency={position.quoteAsset} signed reason={reasonOf(position.broken)} />
          <Text as="span" display="block" fontSize="13px" fontWeight="450" color="fg.muted">
            <span lang="en" translate="no">
              {position.symbol}
            </span>{' '}
            <ResultPercent value={position.returnPct} reason={reasonOf(position.broken)} />
          </Text>
        </Link>
      )}
    </Cell>
  );
}

function Equity({ equity }: { equity: readonly { at: string; value: Money }[] }) {
  const { t } = useTranslation();
  return (
    <Panel>
      <Heading as="h2" textStyle="title" mb="3">
        {t('positions.equity')}
      </Heading>
      {equity.length < 2 ? (
        <Flex minH={`${CHART_HEIGHT}px`} align="center" justify="center" color="fg.muted" textAlign="center">
          {t('positions.equityLater')}
        </Flex>
      ) : (
        <Suspense fallback={<div className="skeleton" style={{ height: CHART_HEIGHT + 40 }} />}>
          <LineChart
            label={t('positions.equityLabel')}
            time={equity.map(({ at }) => Date.parse(at) / 1000)}
            series={[{ label: t('positions.realised'), values: equity.map(({ value }) => Number(value)), color: 'brand-fg' }]}
            format={(value) => formatSigned(value.toFixed(8), 'USDT')}
            height={CHART_HEIGHT}
          />
        </Suspense>
      )}
    </Panel>
  );
}

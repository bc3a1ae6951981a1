import { Box, Flex, Heading, Text } from '@chakra-ui/react';
import type { OpenPosition } from '@pilotfish/core/positions/positions-contract';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import * as z from 'zod';
import { useAddress } from '../../platform/use-address.ts';
import { useLiveTickers, usePairs, useTicker } from '../../prices/use-prices.ts';
import { Badge, LinkButton, Panel, Segments } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icons.tsx';
import { EmptyState, ErrorPanel, Skeleton } from '../../ui/state-panels.tsx';
import { useMoment } from '../../ui/use-moment.ts';
import { Age } from '../open/age.tsx';
import { liveFigures } from '../open/live-figures.ts';
import { TargetCell } from '../open/target-cell.tsx';
import { PairName } from '../pair-name.tsx';
import { BrokenReasons, PositionBadges, useUnknownReason } from '../position-state.tsx';
import { type AnyPosition, usePosition, usePositionNews } from '../use-positions.ts';
import { PositionActions } from './position-actions.tsx';
import { type ChartedPosition, PositionChart } from './position-chart.tsx';
import { Facts, useClosedFacts, useHeldFacts, useLedgerFacts } from './position-facts.tsx';
import { ClosedOutcomes, LedgerOutcomes } from './position-outcomes.tsx';
import { DailyPerformance, TradesTable, TransactionsTable } from './position-records.tsx';

const charted = (position: AnyPosition): ChartedPosition =>
  position.kind === 'open' ? { ...position, closedAt: null } : { ...position, targetPrice: null };

const TABS = ['trades', 'transactions', 'days'] as const;
const SHOWN = { tab: z.enum(TABS).default('trades') };

/** One position with everything behind its figures. */
export default function PositionDetailPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  usePositionNews();
  useLiveTickers();
  const query = usePosition(id);
  if (query.hasFailed)
    return (
      <Panel>
        <ErrorPanel problem={query.problem} onRetry={query.retry} />
      </Panel>
    );
  if (query.data === undefined)
    return (
      <>
        <Skeleton rows={2} height={32} />
        <Panel mt="5">
          <Skeleton rows={1} height={360} />
        </Panel>
      </>
    );
  if (query.data === null)
    return (
      <Panel>
        <EmptyState
          icon="search"
          title={t('positions.goneTitle')}
          action={
            <LinkButton to="/positions/open-positions" colorPalette="brand">
              {t('routes.openPositions')}
            </LinkButton>
          }
        >
          {t('positions.goneLead')}
        </EmptyState>
      </Panel>
    );
  return (
    <>
      <Box mb="4" _empty={{ display: 'none' }}>
        <Age query={query} />
      </Box>
      <Detail position={query.data} />
    </>
  );
}

function Detail({ position }: { position: AnyPosition }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const [{ tab: wanted }, change] = useAddress(SHOWN);
  const tabs = TABS.filter((each) => each !== 'days' || position.kind === 'open');
  const tab = tabs.find((each) => each === wanted) ?? 'trades';
  const day = (iso: string) => moment(iso, 'day');
  return (
    <Flex direction="column" gap={{ base: 2.5, md: 3 }}>
      <Flex justify="space-between" gap="4" wrap="wrap" align="flex-start">
        <Box minW="0">
          <LinkButton
            to={position.kind === 'open' ? '/positions/open-positions' : '/positions/closed-positions'}
            variant="ghost"
            size="xs"
            px="0"
            color="fg.muted"
          >
            <Icon name="back" size={14} />
            {t(position.kind === 'open' ? 'routes.openPositions' : 'routes.closedPositions')}
          </LinkButton>
          <Flex align="center" gap="3" wrap="wrap">
            <Heading as="h1" fontSize="16px" lineHeight="20px" fontWeight="600">
              <PairName {...position} />
            </Heading>
            <Badge tone={position.kind === 'open' ? 'brand' : 'neutral'}>
              {position.kind === 'open' ? t('positions.open') : t(`positions.closedBy.${position.closedBy}`)}
            </Badge>
            <PositionBadges {...position} />
          </Flex>
          <Text color="fg.muted">
            {t('positions.story', { number: position.number, count: position.trades, opened: day(position.openedAt) })}
            {position.kind === 'closed' && ` ${t('positions.storyClosed', { closed: day(position.closedAt) })}`}
          </Text>
        </Box>
        <PositionActions position={position} />
      </Flex>
      <BrokenReasons broken={position.broken} asset={position.baseAsset} />
      {position.kind === 'open' ? <OpenFigures position={position} /> : <ClosedFigures position={position} />}
      <Panel>
        <PositionChart position={charted(position)} />
      </Panel>
      <Panel>
        <Box mb="3">
          <Segments
            label={t('positions.records')}
            value={tab}
            options={tabs.map((value) => ({ value, label: t(`positions.record.${value}`) }))}
            onChange={(value) => change({ tab: value })}
          />
        </Box>
        {tab === 'trades' ? (
          <TradesTable position={position} />
        ) : tab === 'transactions' ? (
          <TransactionsTable position={position} />
        ) : (
          <DailyPerformance position={position} />
        )}
      </Panel>
    </Flex>
  );
}

/** The figures of an open position, moving with the price. */
function OpenFigures({ position }: { position: { kind: 'open' } & OpenPosition }) {
  const { t } = useTranslation();
  const pair = usePairs()?.get(position.symbol);
  const live = liveFigures(position, useTicker(position.symbol)?.price);
  const reason = useUnknownReason()(position.broken);
  const held = useHeldFacts({ ...position, value: live.value, exitFee: live.exitFee }, { price: reason, cost: reason, result: reason });
  const ledger = useLedgerFacts(position);
  const target = {
    term: t('positions.target.name'),
    value: <TargetCell position={position} pair={pair} price={live.price} distancePct={live.targetDistancePct} />,
    wide: true,
  };
  return (
    <Panel p="0">
      <Box px="4" py="3">
        <LedgerOutcomes position={position} live={live} />
      </Box>
      <Box px="4" py="3" borderTopWidth="1px" borderColor="border.subtle">
        <Facts facts={[...held, ...ledger, target]} />
      </Box>
    </Panel>
  );
}

function ClosedFigures({ position }: { position: Extract<AnyPosition, { kind: 'closed' }> }) {
  const { t } = useTranslation();
  const facts = useClosedFacts(position, t(`positions.closedBy.${position.closedBy}`));
  return (
    <Panel p="0">
      <Box px="4" py="3">
        <ClosedOutcomes position={position} />
      </Box>
      <Box px="4" py="3" borderTopWidth="1px" borderColor="border.subtle">
        <Facts facts={facts} />
      </Box>
    </Panel>
  );
}

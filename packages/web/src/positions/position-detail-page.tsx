import { Box, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import { isNothing, type Money, type Price } from '@pilotfish/core/money/figure';
import { formatPrice, formatQuantity } from '@pilotfish/core/money/format';
import type { OpenPosition } from '@pilotfish/core/positions/positions-contract';
import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router-dom';
import { useLiveTickers, usePairs, useTicker } from '../prices/use-prices.ts';
import { CoinIcon } from '../ui/coin-icon.tsx';
import { Badge, LinkButton, Panel, Segments } from '../ui/controls.tsx';
import { Icon } from '../ui/icons.tsx';
import { ResultPercent } from '../ui/kit/result.tsx';
import { Unknown } from '../ui/kit/unknown.tsx';
import { EmptyState, ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { useMoment } from '../ui/use-moment.ts';
import { Age } from './age.tsx';
import { Amount } from './amounts.tsx';
import { liveFigures } from './live-figures.ts';
import { PositionActions } from './position-actions.tsx';
import { PositionChart } from './position-chart.tsx';
import { DailyPerformance, TradesTable, TransactionsTable } from './position-records.tsx';
import { BrokenReasons, PositionBadges, useUnknownReason } from './position-state.tsx';
import { TargetCell } from './target-cell.tsx';
import { Cell } from './totals-panel.tsx';
import { type AnyPosition, usePosition, usePositionNews } from './use-positions.ts';

const TABS = ['trades', 'transactions', 'days'] as const;
type Tab = (typeof TABS)[number];

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
      <Age query={query} />
      <Detail position={query.data} />
    </>
  );
}

function Detail({ position }: { position: AnyPosition }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const [address, setAddress] = useSearchParams();
  const wanted = address.get('tab');
  const tabs = TABS.filter((each) => each !== 'days' || position.kind === 'open');
  const tab: Tab = tabs.find((each) => each === wanted) ?? 'trades';
  const day = (iso: string) => moment(iso, 'day');
  return (
    <Flex direction="column" gap="5">
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
            <Heading as="h1" textStyle="display">
              <span lang="en" translate="no">
                <CoinIcon code={position.baseAsset} />
                {position.baseAsset}
                <Text as="span" color="fg.muted" fontWeight="450">
                  {' '}
                  / {position.quoteAsset}
                </Text>
              </span>
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
      <PositionChart position={position} />
      <Panel>
        <Box mb="3">
          <Segments
            label={t('positions.records')}
            value={tab}
            options={tabs.map((value) => ({ value, label: t(`positions.record.${value}`) }))}
            onChange={(value) => {
              const next = new URLSearchParams(window.location.search);
              next.set('tab', value);
              setAddress(next, { replace: true });
            }}
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

const FIGURES = 'repeat(auto-fill, minmax(150px, 1fr))';

function OpenFigures({ position }: { position: { kind: 'open' } & OpenPosition }) {
  const { t } = useTranslation();
  const reasonOf = useUnknownReason();
  const pair = usePairs()?.get(position.symbol);
  const live = liveFigures(position, useTicker(position.symbol)?.price);
  const reason = reasonOf(position.broken);
  const price = (text: Price | null) => (text === null ? <Unknown reason={reason} /> : formatPrice(text, pair?.pricePrecision));
  const amount = (text: Money | null, signed = false) => (
    <Amount value={text} currency={position.quoteAsset} signed={signed} reason={reason} />
  );
  return (
    <Panel>
      <Grid as="dl" templateColumns={FIGURES} gap="4">
        <Cell term={t('positions.result')} large>
          {amount(live.total, true)}
          <Text as="span" display="block" fontSize="13px">
            <ResultPercent value={live.returnPct} reason={reason} />
          </Text>
        </Cell>
        <Cell term={t('positions.value')} large>
          {amount(live.value)}
        </Cell>
        <Cell term={t('positions.price')} large>
          {price(live.price)}
        </Cell>
        <Cell term={t('positions.quantity')} large>
          {formatQuantity(position.quantity)}{' '}
          <Text as="span" fontSize="13px" color="fg.muted" lang="en" translate="no">
            {position.baseAsset}
          </Text>
        </Cell>
        <Cell term={t('positions.averageCost')}>{price(position.averageCost)}</Cell>
        <Cell term={t('positions.breakEvenNet')}>
          {position.breakEven !== null && isNothing(position.breakEven) ? t('positions.recovered') : price(position.breakEven)}
        </Cell>
        <Cell term={t('positions.asOnExchange')}>{price(position.averageAsOnExchange)}</Cell>
        <Cell term={t('positions.cost')}>{amount(position.cost)}</Cell>
        <Cell term={t('positions.unrealised')}>{amount(live.unrealised, true)}</Cell>
        <Cell term={t('positions.exitFee')}>{amount(live.exitFee)}</Cell>
        <Cell term={t('positions.realised')}>{amount(position.realised, true)}</Cell>
        <Cell term={t('positions.fees')}>{amount(position.fees)}</Cell>
        <Cell term={t('positions.target.name')}>
          <TargetCell position={position} pair={pair} price={live.price} distancePct={live.targetDistancePct} />
        </Cell>
        {position.targetPrice !== null && <Cell term={t('positions.resultAtTarget')}>{amount(position.resultAtTarget, true)}</Cell>}
      </Grid>
    </Panel>
  );
}

function ClosedFigures({ position }: { position: Extract<AnyPosition, { kind: 'closed' }> }) {
  const { t } = useTranslation();
  const reason = useUnknownReason()(position.broken, 'nothingHeld');
  const amount = (text: Money | null, signed = false) => (
    <Amount value={text} currency={position.quoteAsset} signed={signed} reason={reason} />
  );
  return (
    <Panel>
      <Grid as="dl" templateColumns={FIGURES} gap="4">
        <Cell term={t('positions.realised')} large>
          {amount(position.realised, true)}
        </Cell>
        <Cell term={t('positions.return')} large>
          <ResultPercent value={position.returnPct} reason={reason} />
        </Cell>
        <Cell term={t('positions.cost')}>{amount(position.matchedCost)}</Cell>
        <Cell term={t('positions.fees')}>{amount(position.fees)}</Cell>
        {!isNothing(position.dust) && (
          <Cell term={t('positions.dust')}>
            {formatQuantity(position.dust)} {position.baseAsset}
          </Cell>
        )}
      </Grid>
    </Panel>
  );
}

import { Box, chakra, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import type { AutoTradeDetail, AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { isTraded } from '@pilotfish/core/auto-trades/held-positions';
import { autoTradePositionMachine } from '@pilotfish/core/auto-trades/position/auto-trade-position-machine';
import { isNothing, type Price } from '@pilotfish/core/money/figure';
import { formatCurrency, formatPrice, formatQuantity, UNKNOWN } from '@pilotfish/core/money/format';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CHART_INTERVALS, type ChartInterval, useCandles, useLiveTickers, usePairs } from '../../prices/use-prices.ts';
import { PriceChart, type PriceLevel } from '../../ui/charts/price-chart.tsx';
import { Badge, Notice, Panel, Segments } from '../../ui/controls.tsx';
import { Tag } from '../../ui/kit/badges.tsx';
import { Result } from '../../ui/kit/result.tsx';
import { EmptyState, ErrorPanel, Skeleton } from '../../ui/state-panels.tsx';
import { useMoment } from '../../ui/use-moment.ts';
import { useStayingChoice } from '../../ui/use-staying-choice.ts';
import { Figure } from '../figure.tsx';
import { useFills } from '../use-auto-trades.ts';
import { shownName } from './chart-layout.ts';
import { Lifecycle } from './lifecycle.tsx';
import { PositionActions } from './position-actions.tsx';

const isOver = ({ state }: AutoTradePosition) => state === 'Closed' || state === 'Detached';
const holds = ({ quantity }: AutoTradePosition) => !isNothing(quantity);

/** The bot's positions; the chosen one with its life and its lines on the chart. */
export function PositionsView({ bot }: { bot: AutoTradeDetail }) {
  const { t } = useTranslation();
  useLiveTickers();
  // What is held first, then what is watched, then what is over, newest first.
  const ordered = [...bot.positions].sort(
    (a, b) =>
      Number(isOver(a)) - Number(isOver(b)) || Number(holds(b)) - Number(holds(a)) || (b.openedAt ?? '').localeCompare(a.openedAt ?? ''),
  );
  const [shownId, choose] = useStayingChoice(ordered[0]?.id);
  const position = ordered.find(({ id }) => id === shownId);
  if (ordered.length === 0)
    return (
      <Panel>
        <EmptyState icon="positions" title={t('autoTrades.noPositions')}>
          {t('autoTrades.noPositionsLead')}
        </EmptyState>
      </Panel>
    );
  return (
    <Grid templateColumns={{ base: 'minmax(0, 1fr)', lg: '280px minmax(0, 1fr)' }} gap="5" alignItems="start">
      <Panel p="2">
        <Flex
          as="ul"
          className="rings-inside"
          direction="column"
          gap="1"
          listStyleType="none"
          maxH={{ base: '240px', lg: '640px' }}
          overflowY="auto"
        >
          {ordered.map((each) => (
            <li key={each.id}>
              <chakra.button
                type="button"
                w="100%"
                p="3"
                textAlign="start"
                borderRadius="control"
                cursor="pointer"
                aria-pressed={each.id === shownId}
                bg={each.id === shownId ? 'brand.subtle' : 'transparent'}
                _hover={{ bg: each.id === shownId ? 'brand.subtle' : 'bg.raised' }}
                onClick={() => choose(each.id)}
              >
                <Flex justify="space-between" gap="2">
                  <Text fontWeight="600" lang="en" translate="no">
                    {each.symbol}
                  </Text>
                  {isOver(each) && (
                    <Text className="figure" fontSize="13px" fontWeight="600">
                      <Result value={each.realised} currency={bot.currency} closeness="fine" reason="" />
                    </Text>
                  )}
                </Flex>
                <Text fontSize="13px" color={each.state === 'NeedsAttention' ? 'danger.fg' : 'fg.muted'}>
                  {t(`positionStates.${each.state}`)}
                </Text>
              </chakra.button>
            </li>
          ))}
        </Flex>
      </Panel>
      {position ? (
        <PositionPanel key={position.id} bot={bot} position={position} />
      ) : (
        <Panel>
          <EmptyState icon="positions" title={t('autoTrades.positionGone')}>
            {t('autoTrades.positionGoneLead')}
          </EmptyState>
        </Panel>
      )}
    </Grid>
  );
}

function PositionPanel({ bot, position }: { bot: AutoTradeDetail; position: AutoTradePosition }) {
  const { currency } = bot;
  const { t } = useTranslation();
  const moment = useMoment();
  const time = (iso: string | null) => (iso ? moment(iso) : UNKNOWN);
  const pair = usePairs()?.get(position.symbol);
  const price = (text: Price | null) => (text === null ? UNKNOWN : formatPrice(text, pair?.pricePrecision));
  return (
    <Flex direction="column" gap="5" minW="0">
      <Panel>
        <Flex justify="space-between" gap="3" mb="3" wrap="wrap">
          <Heading as="h2" textStyle="title" lang="en" translate="no">
            {position.symbol}
          </Heading>
          <Flex gap="2" align="center">
            {position.exitReason && <Tag>{t(`exitReasons.${position.exitReason}`, { defaultValue: position.exitReason })}</Tag>}
            <Badge tone={position.state === 'NeedsAttention' ? 'danger' : isOver(position) ? 'neutral' : 'brand'}>
              {t(`positionStates.${position.state}`)}
            </Badge>
          </Flex>
        </Flex>
        {position.attention && (
          <Box mb="3">
            <Notice tone="error" title={t('positionStates.NeedsAttention')}>
              {t(`errors.${position.attention}.detail`, { defaultValue: position.attention })}
            </Notice>
          </Box>
        )}
        {position.stopRefused && (
          <Box mb="3">
            <Notice tone="warning">
              {t([`autoTrades.stopRefusals.${position.stopRefused}`, 'autoTrades.position.stopRefused'], {
                reason: t(`stopReasons.${position.stopRefused}`, { defaultValue: position.stopRefused }),
              })}
            </Notice>
          </Box>
        )}
        {!isTraded(bot, position.symbol) && !isOver(position) && (
          <Box mb="3">
            <Notice tone="warning" title={t('autoTrades.notTraded.title', { symbol: position.symbol })}>
              {t('autoTrades.notTraded.detail')}
            </Notice>
          </Box>
        )}
        <PositionChart botId={bot.id} position={position} />
        <Grid as="dl" templateColumns={{ base: '1fr 1fr', md: 'repeat(4, 1fr)' }} gap="3" mt="4">
          <Figure term={t('autoTrades.position.quantity')} value={formatQuantity(position.quantity)} />
          <Figure term={t('autoTrades.position.invested')} value={formatCurrency(position.invested, currency)} />
          <Figure term={t('autoTrades.position.average')} value={price(position.averageCost)} />
          <Figure term={t('autoTrades.position.breakEven')} value={price(position.breakEven)} />
          <Figure
            term={t('autoTrades.position.realised')}
            value={<Result value={position.realised} currency={currency} closeness="fine" reason="" unit />}
          />
          <Figure term={t('autoTrades.position.fees')} value={formatCurrency(position.fees, currency, 'fine')} />
          <Figure term={t('autoTrades.position.opened')} value={time(position.openedAt)} />
          <Figure term={t('autoTrades.position.closed')} value={time(position.closedAt)} />
          {position.lines.timeStopAt && <Figure term={t('autoTrades.position.timeStop')} value={time(position.lines.timeStopAt)} />}
        </Grid>
        <PositionActions bot={bot} position={position} />
      </Panel>
      <Panel>
        <Heading as="h3" fontSize="16px" fontWeight="600" mb="3">
          {t('autoTrades.lifecycleOfPosition')}
        </Heading>
        <Lifecycle
          machine={autoTradePositionMachine}
          current={position.machineState}
          title={position.symbol}
          stateName={(state) => t(`positionStates.${shownName(state)}`)}
        />
      </Panel>
    </Flex>
  );
}

/** The levels that decide this position, as numbers for drawing only. */
export function levelsOf({ lines, averageCost, breakEven, state }: AutoTradePosition, t: (key: string) => string): PriceLevel[] {
  const level = (key: string, price: Price | null, tone: PriceLevel['tone'], look: PriceLevel['look'] = 'solid', id = key): PriceLevel[] =>
    price === null ? [] : [{ id, label: t(`autoTrades.line.${key}`), price: Number(price), tone, look }];
  const entering = state === 'Watching' || state === 'TrailingEntry' || state === 'EntryPending';
  return [
    ...(entering
      ? [...level('trigger', lines.trigger, 'warning', 'dashed'), ...level('entryLow', lines.entryLow, 'neutral', 'dashed')]
      : []),
    ...level('average', averageCost, 'neutral'),
    ...level('breakEven', breakEven, 'neutral', 'dashed'),
    ...lines.rebuys.flatMap(({ price }, index) => level('rebuy', price, 'warning', 'dashed', `rebuy${index}`)),
    ...level('target', lines.target, 'gain'),
    ...level('protectiveStop', lines.protectiveStop, 'loss'),
    ...level('stopLoss', lines.stopLoss, 'loss', 'dashed'),
    ...level('protectedCost', lines.protectedCost, 'brand'),
    ...level('arm', lines.arm, 'brand', 'dotted'),
    ...lines.takeProfit.flatMap(({ price, done }, index) =>
      done ? [] : level('takeProfit', price, 'gain', 'dashed', `takeProfit${index}`),
    ),
  ];
}

/** Nothing but words for a pair that has left the exchange: nobody answers what its candles were. */
function PositionChart(props: { botId: string; position: AutoTradePosition }) {
  const { t } = useTranslation();
  const pairs = usePairs();
  if (!pairs) return <Skeleton rows={1} height={372} />;
  return pairs.has(props.position.symbol) ? <CandlesOfPosition {...props} /> : <Text color="fg.muted">{t('autoTrades.noChart')}</Text>;
}

function CandlesOfPosition({ botId, position }: { botId: string; position: AutoTradePosition }) {
  const { t } = useTranslation();
  const [interval, setInterval] = useState<ChartInterval>('5m');
  const pair = usePairs()?.get(position.symbol);
  const { columns, hasFailed, problem, retry } = useCandles(position.symbol, interval);
  const executions = useFills(botId, position.id).data;
  const fills = useMemo(
    () =>
      (executions ?? []).map(({ at, price, side }) => ({
        time: Date.parse(at) / 1000,
        price: Number(price),
        side: side === 'Buy' ? ('buy' as const) : ('sell' as const),
        label: t(`prices.side.${side}`),
      })),
    [executions, t],
  );
  const levels = useMemo(() => levelsOf(position, t), [position, t]);
  return (
    <Flex direction="column" gap="3">
      <Segments
        label={t('prices.interval')}
        value={interval}
        options={CHART_INTERVALS.map((value) => ({ value, label: value }))}
        onChange={setInterval}
      />
      {hasFailed ? (
        <ErrorPanel problem={problem} onRetry={retry} />
      ) : !columns ? (
        <Skeleton rows={1} height={372} />
      ) : (
        <PriceChart
          label={`${position.symbol}, ${interval}`}
          candles={columns}
          levels={levels}
          fills={fills}
          pricePrecision={pair?.pricePrecision ?? 4}
        />
      )}
    </Flex>
  );
}

import { Box, chakra, Flex, Grid, Text } from '@chakra-ui/react';
import { formatCurrency, formatMoney, formatPercent, formatQuantity, formatShare } from '@pilotfish/core/money/format';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { DETOUR_KEY } from '../app/app.ts';
import { useApp, useServices, useStore } from '../app/app-context.tsx';
import { entryOf } from '../app/route-table.ts';
import { useQuery } from '../app/use-query.ts';
import { CoinIcon } from '../ui/coin-icon.tsx';
import { LinkButton, Panel, Segments } from '../ui/controls.tsx';
import { EmptyState, ErrorPanel } from '../ui/state-panels.tsx';
import { toneOf } from '../ui/tone.ts';
import type { ChosenViews } from './landing-page.tsx';
import type { LandingInterval } from './market-panels.tsx';
import { Age, LandingPanel, RowsSkeleton, useRefresh } from './panel-parts.tsx';

// The chart library comes with the first series worth drawing.
const LineChart = lazy(() => import('../ui/charts/line-chart.tsx').then(({ LineChart: component }) => ({ default: component })));

const WALLET_RANGES = ['1d', '7d', '30d', '1y', 'all'] as const;
type WalletRange = (typeof WALLET_RANGES)[number];
const REFRESH_MS = 60_000;

/** What is held and what it is worth, with `bots` below; one column of a guest's page less. */
export function AccountPanels({ interval, query, put, bots }: ChosenViews & { bots: ReactNode }) {
  const app = useApp();
  const range = WALLET_RANGES.find((each) => each === query.get('range')) ?? '30d';
  useRefresh(REFRESH_MS, 'balance', 'holdings', 'wallet-chart');
  useEffect(
    () => app.live.on('account', ({ kind }) => kind !== 'session' && app.queries.invalidate('balance', 'holdings', 'wallet-chart')),
    [app],
  );
  return (
    <>
      <Onward />
      <Grid
        templateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1.7fr) minmax(320px, 1fr)' }}
        templateRows={{ lg: 'auto 1fr' }}
        gap="5"
        alignItems="start"
      >
        <BalancePanel range={range} onRange={(value) => put('range', value)} />
        <Box gridRow={{ lg: '1 / span 2' }} gridColumn={{ lg: '2' }} minW="0" alignSelf="stretch" css={{ '& > *': { minHeight: '100%' } }}>
          <HoldingsPanel interval={interval} />
        </Box>
        <Box minW="0">{bots}</Box>
      </Grid>
    </>
  );
}

/** Where somebody was going when they were asked to sign in, or begins by their own choice; until they leave this page. */
function Onward() {
  const { t } = useTranslation();
  const { app, preferences } = useServices();
  const { tabStorage } = app.browser;
  const [detour] = useState(() => tabStorage.get(DETOUR_KEY));
  const chosen = useStore(preferences.onward);
  useEffect(
    () => () => {
      tabStorage.remove(DETOUR_KEY);
      preferences.onward.set(undefined);
    },
    [tabStorage, preferences],
  );
  const to = detour ?? chosen;
  if (to === undefined || to === '/') return null;
  const { page } = entryOf(to.split('?')[0] ?? '');
  return (
    <Box>
      <LinkButton to={to} colorPalette="brand">
        {t('landing.onward', { screen: t(`routes.${page}`) })}
      </LinkButton>
    </Box>
  );
}

/** What everything on the exchange account is worth, and how that went. */
function BalancePanel({ range, onRange }: { range: WalletRange; onRange: (range: WalletRange) => void }) {
  const { t } = useTranslation();
  const balance = useQuery('balance', (client, _: null, signal) => client.getEstimatedBalance(undefined, { signal, quiet: true }), null);
  if (balance.problem?.code === 'not-connected')
    return (
      <Panel>
        <EmptyState
          icon="key"
          title={t('landing.connectTitle')}
          action={
            <LinkButton to="/user/exchange-connect" colorPalette="brand">
              {t('features.connectExchange')}
            </LinkButton>
          }
        >
          {t('landing.connectLead')}
        </EmptyState>
      </Panel>
    );
  const { data } = balance;
  const change = data?.change24h ?? null;
  return (
    <Panel display="flex" flexDirection="column" gap="4">
      <Box minH={{ base: '168px', sm: '116px' }}>
        <Flex justify="space-between" gap="3">
          <Text as="h2" color="fg.muted" fontSize="13px" fontWeight="500">
            {t('landing.balance')}
          </Text>
          <Age query={balance} />
        </Flex>
        {balance.hasFailed ? (
          <ErrorPanel problem={balance.problem} onRetry={balance.retry} />
        ) : !data ? (
          <RowsSkeleton rows={1} height={58} />
        ) : (
          <Box css={{ fontVariantNumeric: 'tabular-nums' }} className={balance.isStale ? 'stale' : undefined}>
            <Flex align="baseline" columnGap="4" wrap="wrap">
              <Text textStyle="display">{formatCurrency(data.total, data.currency)}</Text>
              {data.btc !== null && <Text color="fg.muted">≈ {formatQuantity(data.btc, 6)} BTC</Text>}
            </Flex>
            <Flex columnGap="4" wrap="wrap" fontSize="13px" color="fg.muted">
              {change !== null && (
                <Text className={toneOf(change)} fontWeight="600">
                  {formatPercent(change)} {t('landing.today')}
                </Text>
              )}
              <span>
                {t('landing.available')} {formatMoney(data.available, data.currency)}
              </span>
              <span>
                {t('landing.invested')} {formatMoney(data.invested, data.currency)}
              </span>
            </Flex>
          </Box>
        )}
        {data && data.unpriced.length > 0 && (
          <Text color="fg.muted" fontSize="13px" mt="1">
            {t('landing.unpriced', { assets: data.unpriced.join(', ') })}
          </Text>
        )}
      </Box>
      <WalletChart range={range} onRange={onRange} />
    </Panel>
  );
}

const CHART_HEIGHT = 220;
/** Chart, readout and the gap between them. */
const CHART_BOX = CHART_HEIGHT + 40;

function WalletChart({ range, onRange }: { range: WalletRange; onRange: (range: WalletRange) => void }) {
  const { t } = useTranslation();
  const query = useQuery(
    'wallet-chart',
    (client, params: { range: WalletRange }, signal) => client.getWalletChartV2({ query: params }, { signal, quiet: true }),
    { range },
  );
  const { data } = query;
  const bar = <div className="skeleton" style={{ height: CHART_BOX }} />;
  return (
    <Flex direction="column" gap="3">
      <Flex justify="space-between" align="center" gap="3" wrap="wrap">
        <Segments
          label={t('landing.range')}
          value={range}
          options={WALLET_RANGES.map((value) => ({ value, label: t(`landing.ranges.${value}`) }))}
          onChange={onRange}
        />
        <Age query={query} />
      </Flex>
      <Box minH={`${CHART_BOX}px`}>
        {query.hasFailed ? (
          <ErrorPanel problem={query.problem} onRetry={query.retry} />
        ) : !data ? (
          bar
        ) : data.length < 2 ? (
          <Flex h={`${CHART_BOX}px`} align="center" justify="center" color="fg.muted" textAlign="center" px="4">
            {t('landing.chartLater')}
          </Flex>
        ) : (
          <Suspense fallback={bar}>
            <LineChart
              label={t('landing.balance')}
              time={data.map(({ time }) => Date.parse(time) / 1000)}
              series={[
                { label: t('landing.total'), values: data.map(({ total }) => Number(total)), color: 'brand-fg' },
                { label: t('landing.invested'), values: data.map(({ invested }) => Number(invested)), color: 'fg-muted', dashed: true },
              ]}
              format={(value) => formatMoney(value.toFixed(8), 'USDT')}
              height={CHART_HEIGHT}
            />
          </Suspense>
        )}
      </Box>
    </Flex>
  );
}

const HOLDINGS_SHOWN = 10;
const HOLDINGS_EXPECTED = 5;
const HOLDING_ROW = 58;

function HoldingsPanel({ interval }: { interval: LandingInterval }) {
  const { t } = useTranslation();
  const query = useQuery(
    'holdings',
    (client, params: { interval: LandingInterval }, signal) => client.getHoldings({ query: params }, { signal, quiet: true }),
    { interval },
  );
  const { data } = query;
  return (
    <LandingPanel
      title={t('landing.holdings')}
      level="h2"
      query={query}
      isEmpty={data?.length === 0}
      empty={t('landing.noHoldings')}
      skeleton={<RowsSkeleton rows={HOLDINGS_EXPECTED} height={HOLDING_ROW} />}
      minHeight={HOLDINGS_EXPECTED * HOLDING_ROW}
    >
      <Flex as="ul" direction="column" listStyleType="none">
        {data?.slice(0, HOLDINGS_SHOWN).map((holding) => (
          <chakra.li key={holding.asset} borderTopWidth="1px" borderColor="border.subtle" _first={{ borderTopWidth: '0' }}>
            <Box
              asChild
              display="block"
              h={`${HOLDING_ROW - 1}px`}
              py="2"
              mx="-2"
              px="2"
              borderRadius="control"
              _hover={{ bg: 'bg.raised' }}
            >
              <Link to={`/prices?search=${holding.asset}`}>
                <Flex justify="space-between" gap="3" lineHeight="1.35">
                  <Text fontWeight="600" lang="en" translate="no">
                    <CoinIcon code={holding.asset} />
                    {holding.asset}
                  </Text>
                  <Text className="figure">{formatCurrency(holding.value, 'USDT')}</Text>
                </Flex>
                <Flex justify="space-between" gap="3" color="fg.muted" fontSize="12px" lineHeight="1.35">
                  <Text className="figure">{formatQuantity(holding.quantity)}</Text>
                  <Flex gap="3" className="figure">
                    <span>{formatShare(holding.sharePct, 1)}</span>
                    {holding.changePct !== null && <span className={toneOf(holding.changePct)}>{formatPercent(holding.changePct)}</span>}
                  </Flex>
                </Flex>
                <Box h="3px" mt="1" bg="bg.raised" borderRadius="full" overflow="hidden" aria-hidden="true">
                  <Box h="100%" bg="brand.solid" style={{ width: `${Math.min(100, Math.max(0, Number(holding.sharePct)))}%` }} />
                </Box>
              </Link>
            </Box>
          </chakra.li>
        ))}
      </Flex>
      {data && data.length > HOLDINGS_SHOWN && (
        <Text color="fg.muted" fontSize="13px" pt="2">
          {t('landing.moreHoldings', { count: data.length - HOLDINGS_SHOWN })}
        </Text>
      )}
    </LandingPanel>
  );
}

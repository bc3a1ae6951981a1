import { Box, chakra, Flex, Heading, Text } from '@chakra-ui/react';
import { formatCurrency, formatFixed, formatPercent, formatQuantity, formatSigned } from '@pilotfish/core/money/format';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from '../app/use-query.ts';
import { LinkButton, Panel, Segments } from '../ui/controls.tsx';
import { EmptyState, ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { toneOf } from '../ui/tone.ts';

// The chart library comes with the first series worth drawing.
const LineChart = lazy(() => import('../ui/charts/line-chart.tsx').then(({ LineChart: component }) => ({ default: component })));

const RANGES = ['1d', '7d', '30d', '1y', 'all'] as const;
type Range = (typeof RANGES)[number];

/** What everything on the exchange account is worth, and how that went. */
export function BalancePanel() {
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
  if (balance.problem?.code === 'not-implemented') return null;
  const { data } = balance;
  const change = data?.change24h ?? null;
  return (
    <Panel display="flex" flexDirection="column" gap="4">
      <Box>
        <Text color="fg.muted" fontSize="13px">
          {t('landing.balance')}
        </Text>
        {balance.hasFailed ? (
          <ErrorPanel problem={balance.problem} onRetry={balance.retry} />
        ) : !data ? (
          <Skeleton rows={1} height={38} />
        ) : (
          <Flex align="baseline" gap="4" wrap="wrap" css={{ fontVariantNumeric: 'tabular-nums' }}>
            <Text textStyle="display">{formatCurrency(data.total, data.currency)}</Text>
            {change !== null && (
              <Text className={toneOf(change)} fontWeight="600">
                {formatSigned(change)} {t('landing.today')}
              </Text>
            )}
            {data.btc !== null && <Text color="fg.muted">≈ {formatQuantity(data.btc, 6)} BTC</Text>}
          </Flex>
        )}
        {data && data.unpriced.length > 0 && (
          <Text color="fg.muted" fontSize="13px" mt="1">
            {t('landing.unpriced', { assets: data.unpriced.join(', ') })}
          </Text>
        )}
      </Box>
      <WalletChart />
    </Panel>
  );
}

function WalletChart() {
  const { t } = useTranslation();
  const [range, setRange] = useState<Range>('30d');
  const { data, hasFailed, problem, retry } = useQuery(
    'wallet-chart',
    (client, params: { range: Range }, signal) => client.getWalletChartV2({ query: params }, { signal, quiet: true }),
    { range },
  );
  return (
    <Flex direction="column" gap="3">
      <Segments
        label={t('landing.range')}
        value={range}
        options={RANGES.map((value) => ({ value, label: t(`landing.ranges.${value}`) }))}
        onChange={setRange}
      />
      {hasFailed ? (
        <ErrorPanel problem={problem} onRetry={retry} />
      ) : !data ? (
        <Skeleton rows={1} height={220} />
      ) : data.length < 2 ? (
        <Text color="fg.muted" py="8" textAlign="center">
          {t('landing.chartLater')}
        </Text>
      ) : (
        <Suspense fallback={<Skeleton rows={1} height={250} />}>
          <LineChart
            label={t('landing.balance')}
            time={data.map(({ time }) => Date.parse(time) / 1000)}
            series={[
              { label: t('landing.total'), values: data.map(({ total }) => Number(total)), color: 'brand-fg' },
              { label: t('landing.invested'), values: data.map(({ invested }) => Number(invested)), color: 'fg-muted' },
            ]}
            format={(value) => formatFixed(value.toFixed(2), 2)}
          />
        </Suspense>
      )}
    </Flex>
  );
}

export function HoldingsPanel() {
  const { t } = useTranslation();
  const { data, hasFailed, problem, retry } = useQuery(
    'holdings',
    (client, _: null, signal) => client.getHoldings({ query: {} }, { signal, quiet: true }),
    null,
  );
  if (problem?.code === 'not-implemented') return null;
  return (
    <Panel>
      <Heading as="h2" fontSize="16px" fontWeight="600" mb="3">
        {t('landing.holdings')}
      </Heading>
      {hasFailed ? (
        <ErrorPanel problem={problem} onRetry={retry} />
      ) : !data ? (
        <Skeleton rows={5} height={26} />
      ) : data.length === 0 ? (
        <Text color="fg.muted">{t('landing.noHoldings')}</Text>
      ) : (
        <Flex as="ul" direction="column" listStyleType="none">
          {data.slice(0, 10).map((holding) => (
            <chakra.li key={holding.asset} py="2" borderTopWidth="1px" borderColor="border.subtle" _first={{ borderTopWidth: '0' }}>
              <Flex justify="space-between" gap="3">
                <Text fontWeight="600" lang="en" translate="no">
                  {holding.asset}
                </Text>
                <Text className="figure">{formatCurrency(holding.value)}</Text>
              </Flex>
              <Flex justify="space-between" gap="3" color="fg.muted" fontSize="13px">
                <Text className="figure">{formatQuantity(holding.quantity)}</Text>
                <Flex gap="3" className="figure">
                  <span>{formatFixed(holding.sharePct, 1)}%</span>
                  {holding.changePct !== null && <span className={toneOf(holding.changePct)}>{formatPercent(holding.changePct)}</span>}
                </Flex>
              </Flex>
            </chakra.li>
          ))}
        </Flex>
      )}
    </Panel>
  );
}

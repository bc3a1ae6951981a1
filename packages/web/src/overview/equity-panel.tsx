import { Box, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import type { TradeMode } from '@pilotfish/core/http/wire';
import { decimal, divide, HUNDRED, isPositive, multiply } from '@pilotfish/core/money/decimal';
import type { Money } from '@pilotfish/core/money/figure';
import { formatCurrency, formatMoney, formatQuantity, formatResult, formatShare } from '@pilotfish/core/money/format';
import type { EquityChange, EquityRange } from '@pilotfish/core/overview/overview-contract';
import { lazy, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { useHeld } from '../auto-trades/use-auto-trades.ts';
import { Panel, Segments } from '../ui/controls.tsx';
import { Result, ResultPercent, Unit } from '../ui/kit/result.tsx';
import { AsOf } from '../ui/kit/titled-panel.tsx';
import { Unknown } from '../ui/kit/unknown.tsx';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { useMedia } from '../ui/use-media.ts';
import { useMoment } from '../ui/use-moment.ts';
import type { useEquity } from './use-overview.ts';

const LineChart = lazy(() => import('../ui/charts/line-chart.tsx').then(({ LineChart: component }) => ({ default: component })));
/** What the chart's readout and the gap below it take. */
const READOUT = 40;

export const EQUITY_RANGES = ['1d', '7d', '30d', '90d', '1y', 'all'] as const satisfies readonly EquityRange[];

/** A part of the equity, in percent; nothing where there is none. */
const shareOf = (part: Money, whole: Money): string | undefined => {
  const all = decimal(whole);
  return isPositive(all) ? formatShare(divide(multiply(decimal(part), HUNDRED), all), 2) : undefined;
};

type EquityPanelProps = {
  mode: TradeMode;
  onMode: (mode: TradeMode) => void;
  range: EquityRange;
  onRange: (range: EquityRange) => void;
  equity: ReturnType<typeof useEquity>;
  held: ReturnType<typeof useHeld>;
};

/** What everything is worth, how the day and the month went, what is open and at risk, and the way there. */
export function EquityPanel(props: EquityPanelProps) {
  const { t } = useTranslation();
  const { equity } = props;
  return (
    <Panel aria-label={t('overview.equity')} px={{ base: '3.5', md: '4' }} pt="3.5" pb="2.5" display="flex" flexDirection="column" gap="3">
      <AsOf query={equity} />
      <Box minH={{ base: '204px', md: '78px' }} className={equity.isStale ? 'stale' : undefined}>
        {equity.hasFailed ? (
          <>
            <Title />
            <ErrorPanel problem={equity.problem} onRetry={equity.retry} />
          </>
        ) : equity.data === undefined ? (
          <>
            <Title />
            <Skeleton rows={2} height={30} />
          </>
        ) : (
          <Figures {...props} data={equity.data} />
        )}
      </Box>
      <EquityChart {...props} />
    </Panel>
  );
}

const Title = () => {
  const { t } = useTranslation();
  return (
    <Heading as="h2" fontSize="12px" lineHeight="16px" fontWeight="400" color="fg.muted">
      {t('overview.equity')}
    </Heading>
  );
};

function Figures({ held, data }: EquityPanelProps & { data: NonNullable<EquityPanelProps['equity']['data']> }) {
  const { t, i18n } = useTranslation();
  const moment = useMoment();
  const { currency, now, other } = data;
  const totals = held.data?.totals.find((each) => each.currency === currency);
  // Sums of other quote currencies are never added: they stand below, so that nothing open reads as 0.00.
  const others = (held.data?.totals ?? []).filter((each) => each.currency !== currency);
  const month = new Intl.DateTimeFormat(i18n.language, { month: 'long' }).format(Date.parse(data.asOf));
  const unknown = t('overview.unknownYet');
  const beside = [
    other.btc && `${formatQuantity(other.btc.quantity, 6)} BTC`,
    other.currency &&
      t('overview.at', {
        amount: formatCurrency(other.currency.value, other.currency.currency),
        time: moment(other.currency.asOf),
      }),
  ].filter(Boolean);
  // Empty only while they come: without positions that could be read nothing is known to be open.
  const loading = held.hasFailed ? <Unknown reason={unknown} /> : held.data === undefined ? '' : undefined;
  return (
    <Flex
      gap={{ base: '2.5', md: '7' }}
      direction={{ base: 'column', md: 'row' }}
      align="flex-start"
      css={{ fontVariantNumeric: 'tabular-nums' }}
    >
      <Box minW="0">
        <Title />
        <Text textStyle="hero" fontSize={{ base: '32px', md: '36px' }} whiteSpace="nowrap">
          {formatMoney(now.equity, currency)}
          <Unit>{currency}</Unit>
        </Text>
        {beside.length > 0 && (
          <Text fontSize="12px" lineHeight="16px" color="fg.muted">
            ≈ {beside.join(' · ')}
          </Text>
        )}
        {now.unpriced.length > 0 && (
          <Text fontSize="12px" lineHeight="16px" color="warning" maxW="60ch">
            {t('landing.unpriced', { assets: now.unpriced.slice(0, 6).join(', ') + (now.unpriced.length > 6 ? ' …' : '') })}
          </Text>
        )}
      </Box>
      <Grid
        as="dl"
        templateColumns={{ base: 'repeat(3, minmax(0, 1fr))', md: 'repeat(5, auto)' }}
        gapX={{ base: '3', md: '6' }}
        gapY="2"
        ms={{ md: 'auto' }}
        w={{ base: '100%', md: 'auto' }}
      >
        <ChangeFigure label={t('overview.today')} change={data.sinceMidnight} currency={currency} reason={unknown} />
        <Figure
          label={t('overview.openResult')}
          note={
            others.length > 0
              ? others.map((each) => formatResult(each.result, each.currency)).join(' · ')
              : held.data && t('overview.positions', { count: held.data.items.length })
          }
        >
          {loading ?? <Result value={totals?.result ?? '0'} currency={currency} reason={unknown} />}
        </Figure>
        <ChangeFigure label={month} change={data.month} currency={currency} reason={unknown} />
        <Figure
          label={t('overview.atRisk')}
          note={
            others.length > 0
              ? others.map((each) => formatCurrency(each.atRisk, each.currency)).join(' · ')
              : totals &&
                (totals.withoutStop > 0 ? (
                  <Box as="span" color="warning">
                    {t('overview.withoutStop', { count: totals.withoutStop })}
                  </Box>
                ) : (
                  t('overview.ofEquity', { share: shareOf(totals.atRisk, now.equity) ?? '–' })
                ))
          }
        >
          {loading ?? formatMoney(totals?.atRisk ?? '0', currency)}
        </Figure>
        <Figure label={t('overview.free')} note={shareOf(now.free, now.equity)}>
          {formatMoney(now.free, currency)}
        </Figure>
      </Grid>
    </Flex>
  );
}

const Figure = ({ label, note, children }: { label: string; note?: ReactNode; children: ReactNode }) => (
  <Box minW="0">
    <Text as="dt" fontSize="12px" lineHeight="16px" color="fg.muted" whiteSpace="nowrap">
      {label}
    </Text>
    <Text as="dd" textStyle="figure" fontSize={{ base: '15px', md: '16px' }} lineHeight="22px" whiteSpace="nowrap">
      {children}
    </Text>
    <Text as="dd" fontSize="12px" lineHeight="16px" minH="16px" color="fg.muted" whiteSpace="nowrap">
      {note}
    </Text>
  </Box>
);

const ChangeFigure = ({
  label,
  change,
  currency,
  reason,
}: {
  label: string;
  change: EquityChange | null;
  currency: string;
  reason: string;
}) => (
  <Figure label={label} note={change && <ResultPercent value={change.pct} reason={reason} />}>
    <Result value={change?.change ?? null} currency={currency} reason={reason} />
  </Figure>
);

function EquityChart({ mode, onMode, range, onRange, equity }: EquityPanelProps) {
  const { t } = useTranslation();
  const { data } = equity;
  // A phone shows what needs its reader below the chart, without scrolling.
  const height = useMedia('(min-width: 768px)') ? 196 : 132;
  const box = height + READOUT;
  const bar = <div className="skeleton" style={{ height: box }} />;
  return (
    <>
      <Flex justify={{ base: 'flex-start', md: 'flex-end' }} align="center" gap={{ base: '1.5', md: '3' }} wrap="wrap">
        <Segments
          label={t('overview.money')}
          value={mode}
          options={(['live', 'paper'] as const).map((value) => ({ value, label: t(`autoTrades.mode.${value}`) }))}
          onChange={onMode}
        />
        <Segments
          label={t('landing.range')}
          value={range}
          options={EQUITY_RANGES.map((value) => ({ value, label: t(`overview.ranges.${value}`) }))}
          onChange={onRange}
        />
      </Flex>
      <Box minH={`${box}px`}>
        {equity.hasFailed ? null : !data ? (
          bar
        ) : data.series.length < 2 ? (
          <Flex h={`${box}px`} align="center" justify="center" color="fg.muted" textAlign="center" px="4">
            {t('landing.chartLater')}
          </Flex>
        ) : (
          <Suspense fallback={bar}>
            <LineChart
              label={t('overview.equity')}
              time={data.series.map(({ time }) => Date.parse(time) / 1000)}
              series={[
                {
                  label: t('overview.equity'),
                  values: data.series.map(({ equity: value }) => Number(value)),
                  color: 'chart-line',
                  filled: true,
                },
                ...(data.benchmark
                  ? [
                      {
                        label: t('overview.holding', { asset: data.benchmark.asset }),
                        values: data.benchmark.series.map(({ value }) => Number(value)),
                        color: 'fg-subtle' as const,
                        dashed: true,
                      },
                    ]
                  : []),
              ]}
              format={(value) => formatMoney(value.toFixed(8), data.currency)}
              height={height}
            />
          </Suspense>
        )}
      </Box>
    </>
  );
}

import { Box, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import { add, decimal, toText } from '@pilotfish/core/money/decimal';
import type { Money } from '@pilotfish/core/money/figure';
import { formatRatio, formatShare, formatSigned } from '@pilotfish/core/money/format';
import { lazy, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { IconButton, Panel } from '../ui/controls.tsx';
import { ResultPercent } from '../ui/kit/result.tsx';
import { Button } from '../ui/primitives.tsx';
import { ErrorPanel } from '../ui/state-panels.tsx';
import { useMoment } from '../ui/use-moment.ts';
import { Amount } from './amounts.tsx';
import { Cell } from './totals-panel.tsx';
import { useMonthly } from './use-positions.ts';

const BarChart = lazy(() => import('../ui/charts/bar-chart.tsx').then((module) => ({ default: module.BarChart })));

type Month = NonNullable<ReturnType<typeof useMonthly>['data']>[number];

/** Results of each month in the primary currency; how many rows had no rate is told, not guessed. */
export function monthSums(rows: readonly Month[]): { month: string; realised: string; unknown: number }[] {
  const months = new Map<string, { realised: string; unknown: number }>();
  for (const { month, realisedUsdt } of rows) {
    const sum = months.get(month) ?? { realised: '0', unknown: 0 };
    months.set(
      month,
      realisedUsdt === null
        ? { ...sum, unknown: sum.unknown + 1 }
        : { ...sum, realised: toText(add(decimal(sum.realised), decimal(realisedUsdt))) },
    );
  }
  return [...months].map(([month, sum]) => ({ month, ...sum })).sort((a, b) => a.month.localeCompare(b.month));
}

const HEIGHT = 200;

/** A bar for each month; one that is chosen, in the chart or below it, tells its details. The address carries it. */
export function MonthPanel() {
  const { t } = useTranslation();
  const query = useMonthly();
  const [address, setAddress] = useSearchParams();
  const chosen = address.get('month') ?? undefined;
  const { data } = query;
  const months = useMemo(() => (data ? monthSums(data) : []), [data]);
  const moment = useMoment();
  const name = (month: string) => moment(`${month}-15T00:00:00Z`, 'month');
  const bars = months.map(({ month, realised }) => ({ label: name(month), value: Number(realised) }));
  const choose = (month: string | undefined) => {
    const next = new URLSearchParams(window.location.search);
    if (month === undefined) next.delete('month');
    else next.set('month', month);
    setAddress(next, { replace: true });
  };
  const unknown = months.reduce((sum, month) => sum + month.unknown, 0);
  const box = <div className="skeleton" style={{ height: HEIGHT + 40 }} />;
  return (
    <Panel>
      <Heading as="h2" textStyle="title" mb="3">
        {t('positions.months')}
      </Heading>
      {query.hasFailed ? (
        <ErrorPanel problem={query.problem} onRetry={query.retry} />
      ) : !data ? (
        box
      ) : months.every(({ realised, unknown: lost }) => Number(realised) === 0 && lost === 0) ? (
        <Flex minH={`${HEIGHT}px`} align="center" justify="center" color="fg.muted" textAlign="center">
          {t('positions.noMonths')}
        </Flex>
      ) : (
        <>
          <Suspense fallback={box}>
            <BarChart
              label={t('positions.monthsLabel')}
              bars={bars}
              format={(value) => formatSigned(value.toFixed(8), 'USDT')}
              height={HEIGHT}
              onPick={(index) => choose(months[index]?.month)}
            />
          </Suspense>
          {unknown > 0 && (
            <Text fontSize="13px" color="warning">
              {t('positions.monthsUnknown', { count: unknown })}
            </Text>
          )}
          <Flex gap="1" wrap="wrap" mt="3" role="group" aria-label={t('positions.chooseMonth')}>
            {months.slice(-12).map(({ month }) => (
              <Button
                key={month}
                size="xs"
                variant={month === chosen ? 'solid' : 'outline'}
                bg={month === chosen ? 'brand.muted' : undefined}
                color={month === chosen ? 'brand.fg' : 'fg.muted'}
                aria-pressed={month === chosen}
                onClick={() => choose(month === chosen ? undefined : month)}
              >
                {name(month)}
              </Button>
            ))}
          </Flex>
          {chosen && (
            <Box as="section" mt="4" pt="4" borderTopWidth="1px" borderColor="border.subtle" aria-live="polite">
              <Flex justify="space-between" align="center" mb="2">
                <Heading as="h3" fontSize="16px" fontWeight="600">
                  {name(chosen)}
                </Heading>
                <IconButton icon="close" label={t('ui.close')} onClick={() => choose(undefined)} />
              </Flex>
              {data
                .filter(({ month }) => month === chosen)
                .map((row) => (
                  <MonthDetails key={row.currency} row={row} />
                ))}
            </Box>
          )}
        </>
      )}
    </Panel>
  );
}

function MonthDetails({ row }: { row: Month }) {
  const { t } = useTranslation();
  const none = t('positions.unknown.noTrades');
  const amount = (value: Money | null, signed = false) => (
    <Amount value={value} currency={row.currency} signed={signed} bare reason={none} />
  );
  return (
    <Grid as="dl" templateColumns="repeat(auto-fill, minmax(120px, 1fr))" gap="3" mb="4">
      <Cell term={`${t('positions.realised')} (${row.currency})`}>{amount(row.realised, true)}</Cell>
      <Cell term={t('positions.inUsdt')}>
        <Amount value={row.realisedUsdt} currency="USDT" signed bare reason={t('positions.unknown.noRate')} />
      </Cell>
      <Cell term={t('positions.fees')}>{amount(row.fees)}</Cell>
      <Cell term={t('positions.volume')}>{amount(row.volume)}</Cell>
      <Cell term={t('positions.closedCount')}>{row.closed}</Cell>
      <Cell term={t('positions.winsLosses')}>
        {row.wins} / {row.losses}
      </Cell>
      <Cell term={t('positions.winRate')}>
        {row.winRatePct === null ? <ResultPercent value={null} reason={none} /> : formatShare(row.winRatePct, 1)}
      </Cell>
      <Cell term={t('positions.profitFactor')}>
        {row.profitFactor === null ? <ResultPercent value={null} reason={t('positions.unknown.noLoss')} /> : formatRatio(row.profitFactor)}
      </Cell>
      <Cell term={t('positions.best')}>{amount(row.best, true)}</Cell>
      <Cell term={t('positions.worst')}>{amount(row.worst, true)}</Cell>
      {row.unmatched > 0 && <Cell term={t('positions.unmatched')}>{row.unmatched}</Cell>}
      {row.broken > 0 && <Cell term={t('positions.brokenWord')}>{row.broken}</Cell>}
    </Grid>
  );
}

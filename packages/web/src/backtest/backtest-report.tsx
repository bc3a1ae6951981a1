import { Flex, Text } from '@chakra-ui/react';
import type { BacktestDocument } from '@pilotfish/core/backtest/backtest-contract';
import { backtestTrades, performanceOfBacktest } from '@pilotfish/core/backtest/backtest-performance';
import { reportPage, warningsOf } from '@pilotfish/core/backtest/report-page';
import type { TextValues } from '@pilotfish/core/fields/text-values';
import { formatFixed } from '@pilotfish/core/money/format';
import type { CandleSeries } from '@pilotfish/core/prices/candle-series';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { dayNames } from '@pilotfish/core/time/calendar-day';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { HoursPanel, MonthsPanel } from '../performance/bars-panels.tsx';
import { CoinsPanel, ReasonsPanel } from '../performance/breakdown-panels.tsx';
import { FilterChips, NoneFiltered } from '../performance/filter-chips.tsx';
import { MorePanel } from '../performance/more-panel.tsx';
import { EquityGrid, PanelGrid } from '../performance/panel-grids.tsx';
import { isNarrowed, NO_FILTERS, type PerformanceFilters, pickedDays } from '../performance/performance-address.ts';
import { Figures, PHONE_FIGURES } from '../performance/performance-figures.tsx';
import { useWords } from '../performance/use-words.ts';
import { useApp } from '../platform/app-context.tsx';
import { Notice, Panel } from '../ui/controls.tsx';
import { shownTimeZone } from '../ui/fields/field-time.ts';
import { DayCalendar, useMonth } from '../ui/kit/day-calendar.tsx';
import { TitledPanel } from '../ui/kit/titled-panel.tsx';
import { Button } from '../ui/primitives.tsx';
import { EmptyState } from '../ui/state-panels.tsx';
import { useMedia } from '../ui/use-media.ts';
import { BacktestEquity } from './backtest-equity.tsx';
import { useBacktestFigures } from './backtest-figures.tsx';
import { BacktestPrice } from './backtest-price.tsx';
import { BacktestTrades } from './backtest-trades.tsx';

type Props = { document: BacktestDocument; candles: readonly CandleSeries[]; pairs: readonly Pair[] };

/** The figures of a run under filters, and those of all its days where one is picked. */
function useFound(report: BacktestDocument, timeZone: string, { day, coins, reasons, hour }: PerformanceFilters) {
  // There may be tens of thousands of trades: they are read once, and counted once for each filter.
  const run = useMemo(() => backtestTrades(report, timeZone), [report, timeZone]);
  const own = useMemo(() => ({ currency: report.quoteAsset, timeZone }), [report, timeZone]);
  const whole = useMemo(() => ({ ...own, ...performanceOfBacktest(run, { coins, reasons, hour }) }), [own, run, coins, reasons, hour]);
  const found = useMemo(
    () => (day === undefined ? whole : { ...own, ...performanceOfBacktest(run, { coins, reasons, hour, days: pickedDays(day) }) }),
    [own, run, whole, day, coins, reasons, hour],
  );
  return { run, whole, found };
}

/**
 * What came out: warnings first, then what Performance shows of real trades, the trades on the price, and each trade with
 * what it did. A click on a day, a bar or a row leaves only its trades.
 */
export function BacktestReport({ document: report, candles, pairs }: Props) {
  const { t } = useTranslation();
  const text = (key: string | readonly string[], values?: TextValues) => t(key as string, values);
  const { now } = useApp().browser;
  const timeZone = shownTimeZone();
  const [filters, setFilters] = useState<PerformanceFilters>(NO_FILTERS);
  const change = (changes: Partial<PerformanceFilters>) => setFilters((before) => ({ ...before, ...changes }));
  const { run, whole, found } = useFound(report, timeZone, filters);
  const today = useMemo(() => dayNames(timeZone)(now()), [timeZone, now]);
  const words = useWords(useMemo(() => ({ ...found, asOf: new Date(now()).toISOString() }), [found, now]));
  const isPhone = !useMedia('(min-width: 768px)');
  const calendar = useMonth(whole.days);
  const isFiltered = filters.day !== undefined || isNarrowed(filters);
  const { figures, more } = useBacktestFigures(report, run, found, isFiltered);
  const shared = { data: found, address: filters, words, onChange: change };
  // What ended at its cost after a price jump is in the lists and no exit.
  const hasNone = found.reasons.length === 0;
  const years = [...new Set([run.from.slice(0, 4), run.to.slice(0, 4)])].join('–');
  return (
    <Flex direction="column" gap={{ base: '2.5', md: '3' }}>
      {warningsOf(report, text).map((warning) => (
        <Notice key={warning} tone="warning" live={false}>
          {warning}
        </Notice>
      ))}
      <ReportHead report={report} />
      <FilterChips address={filters} words={words} onChange={change} />
      <Figures figures={isPhone ? figures.slice(0, PHONE_FIGURES) : figures} isStale={false} />
      <EquityGrid>
        <BacktestEquity report={report} found={whole} words={words} filters={filters} isPhone={isPhone} />
        {calendar.month !== undefined && (
          <DayCalendar
            days={whole.days}
            month={calendar.month}
            today={today}
            chosen={filters.day}
            currency={report.quoteAsset}
            view={calendar}
            onDay={(day) => change({ day: day === filters.day ? undefined : day })}
          />
        )}
      </EquityGrid>
      {run.exits.length === 0 && (
        <Panel>
          <EmptyState icon="trend" title={t('backtest.noneClosed')}>
            {run.open.positions > 0 && t('backtest.noneClosedLead')}
          </EmptyState>
        </Panel>
      )}
      {hasNone && isFiltered && <NoneFiltered onChange={change} />}
      <PanelGrid>
        {!hasNone && (
          <>
            <MonthsPanel {...shared} of={years} months={whole.months} net={whole.net} currency={report.quoteAsset} />
            <ReasonsPanel {...shared} />
            <CoinsPanel {...shared} />
            <HoursPanel {...shared} />
          </>
        )}
        <MorePanel data={found} words={words} others={isPhone ? [...figures.slice(PHONE_FIGURES), ...more] : more} />
        <HowFilled report={report} />
      </PanelGrid>
      <BacktestPrice
        report={report}
        trades={found.trades}
        coins={isFiltered ? found.coins.map(({ asset }) => asset) : []}
        candles={candles}
        pairs={pairs}
      />
      <BacktestTrades
        key={JSON.stringify(filters)}
        trades={found.trades}
        all={run.trades.length}
        currency={report.quoteAsset}
        onClear={() => setFilters(NO_FILTERS)}
      />
    </Flex>
  );
}

/** What it is of, and the way to keep it. */
function ReportHead({ report }: { report: BacktestDocument }) {
  const { t, i18n } = useTranslation();
  const text = (key: string | readonly string[], values?: TextValues) => t(key as string, values);
  const save = () => {
    const page = URL.createObjectURL(new Blob([reportPage(report, text, i18n.language)], { type: 'text/html' }));
    const link = window.document.createElement('a');
    link.href = page;
    link.download = `backtest-${report.symbols.join('-')}-${report.from.slice(0, 10)}.html`;
    link.click();
    URL.revokeObjectURL(page);
  };
  return (
    <Flex justify="space-between" gap="3" wrap="wrap" align="center">
      <Text color="fg.muted" fontSize="13px">
        {t('backtest.period', {
          from: report.from.slice(0, 10),
          to: report.to.slice(0, 10),
          bars: formatFixed(String(report.bars), 0),
        })}
      </Text>
      <Button size="chip" variant="outline" color="fg" onClick={save}>
        {t('backtest.save')}
      </Button>
    </Flex>
  );
}

function HowFilled({ report: { model, dca } }: { report: BacktestDocument }) {
  const { t } = useTranslation();
  return (
    <TitledPanel title={t('backtest.howFilled')}>
      <Text color="fg.muted" fontSize="13px">
        {t('backtest.model', {
          spread: model.halfSpreadPct,
          slippage: model.slippagePct,
          volume: model.volumeSharePct,
          fee: Number(model.takerFee) * 100,
        })}{' '}
        {t('backtest.ratiosRule')} {t('backtest.dcaRule', { count: dca.buys })}
      </Text>
    </TitledPanel>
  );
}

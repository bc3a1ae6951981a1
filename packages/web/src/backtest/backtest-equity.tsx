import type { BacktestDocument } from '@pilotfish/core/backtest/backtest-contract';
import type { BacktestPerformance } from '@pilotfish/core/backtest/backtest-performance';
import { drawdownOf } from '@pilotfish/core/backtest/report-page';
import type { Performance } from '@pilotfish/core/performance/performance-contract';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { DailyEquityPanel, EQUITY_HEIGHT, EquityPanel, type ShownLines } from '../performance/equity-panel.tsx';
import { isNarrowed, type PerformanceFilters } from '../performance/performance-address.ts';
import type { Words } from '../performance/use-words.ts';
import { useMoment } from '../ui/use-moment.ts';

/** The value of the account at the points of the report, beside what is held and what is bought bit by bit. */
export function BacktestEquity({
  report,
  found,
  words,
  filters,
  isPhone,
}: {
  report: BacktestDocument;
  /** All days of the run. */
  found: BacktestPerformance & Pick<Performance, 'currency' | 'timeZone'>;
  words: Words;
  filters: PerformanceFilters;
  isPhone: boolean;
}) {
  const { t } = useTranslation();
  const moment = useMoment();
  const linesIn = useCallback(
    (inPercent: boolean): ShownLines => {
      const { equity, dca } = report;
      const start = Number(report.startBalance);
      const column = (of: 'value' | 'hold' | 'dca') =>
        equity.map((point) => (inPercent ? (start > 0 ? (point[of] / start - 1) * 100 : Number.NaN) : point[of]));
      return {
        kind: 'equity',
        time: equity.map(({ at }) => Date.parse(at) / 1000),
        moment: (seconds) => moment(seconds * 1000),
        isShort: equity.length < 2,
        label: t('backtest.lines.value'),
        values: column('value'),
        drawdown: drawdownOf(equity.map(({ value }) => value)),
        beside: [
          { label: t('backtest.lines.hold'), values: column('hold'), color: 'secondary-fg' },
          { label: t('backtest.lines.dca', { count: dca.buys }), values: column('dca'), color: 'fg-muted', dashed: true },
        ],
      };
    },
    [report, moment, t],
  );
  const look = { isWhole: filters.day !== undefined, height: isPhone ? EQUITY_HEIGHT.phone : EQUITY_HEIGHT.desktop };
  return isNarrowed(filters) ? (
    <DailyEquityPanel {...look} data={found} words={words} isNarrowed />
  ) : (
    <EquityPanel {...look} linesIn={linesIn} currency={report.quoteAsset} isNarrowed={false} />
  );
}

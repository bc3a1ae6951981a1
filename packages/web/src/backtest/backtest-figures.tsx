import type { BacktestDocument } from '@pilotfish/core/backtest/backtest-contract';
import type { BacktestPerformance, BacktestTrades } from '@pilotfish/core/backtest/backtest-performance';
import { shownFigures } from '@pilotfish/core/backtest/report-page';
import { decimal, negate, subtract, toText } from '@pilotfish/core/money/decimal';
import { isNothing } from '@pilotfish/core/money/figure';
import { formatMoney, formatPercent, formatSigned } from '@pilotfish/core/money/format';
import { useTranslation } from 'react-i18next';
import { exitFigures, ratiosFigure } from '../performance/performance-figures.tsx';
import type { KeyFigure } from '../ui/kit/key-figures.tsx';
import { Points, Result } from '../ui/kit/result.tsx';
import { Unknown } from '../ui/kit/unknown.tsx';

/** Figures of the report that Performance has no place for. */
const MORE = ['trades', 'returnPct', 'hold', 'dca', 'endValue', 'underWaterTime', 'exposurePct', 'slippage', 'ambiguousExitsPct'] as const;

/**
 * The key figures of a run, and the further ones. Net result, drawdown and ratios are those of the report, which calculates
 * them candle by candle. With a filter they do not describe the trades that are shown: only figures of trades remain.
 */
export function useBacktestFigures(
  report: BacktestDocument,
  run: BacktestTrades,
  found: BacktestPerformance,
  isFiltered: boolean,
): { figures: KeyFigure[]; more: KeyFigure[] } {
  const { t, i18n } = useTranslation();
  const { quoteAsset: currency, hold } = report;
  const said = new Map(shownFigures(report, i18n.language).map(([key, shown]) => [key, shown]));
  const { winRate, profitFactor, averageExit } = exitFigures({ ...found, currency }, t);
  const filtered = <Unknown reason={t('backtest.filtered')} />;
  const text = (ratio: number | null) => (ratio === null ? null : String(ratio));
  const hasOpen = run.open.positions > 0 || !isNothing(run.open.result);
  const open = formatSigned(run.open.result, currency);
  const figures: KeyFigure[] = [
    isFiltered
      ? {
          label: t('backtest.shownResult', { currency }),
          figure: <Result value={found.net} currency={currency} reason="" />,
          note: t('performance.afterFees'),
        }
      : {
          label: t('performance.net', { currency }),
          figure: <Result value={report.netPnl} currency={currency} reason="" />,
          // Other than on Performance: the net result of a report has what is open in it.
          note: hasOpen ? t('backtest.withOpen', { amount: open }) : t('performance.afterFees'),
        },
    {
      label: t('backtest.against'),
      figure: isFiltered ? filtered : <Points value={toText(subtract(decimal(report.returnPct), decimal(hold.returnPct)))} reason="" />,
      note: !isFiltered && t('backtest.held', { own: formatPercent(report.returnPct), held: formatPercent(hold.returnPct) }),
    },
    {
      label: t('backtest.figures.maxDrawdownPct'),
      // Below zero, as on Performance and on the curve beside it.
      figure: isFiltered ? filtered : formatPercent(negate(decimal(report.maxDrawdownPct.toFixed(4)))),
      note: !isFiltered && report.maxDrawdownPct > 0 && said.get('maxDrawdownTime'),
    },
    winRate,
    profitFactor,
    isFiltered
      ? { label: t('performance.sharpeSortino'), figure: filtered }
      : ratiosFigure({ sharpe: text(report.sharpe), sortino: text(report.sortino) }, t('backtest.tooFewDays'), t),
    averageExit,
    { label: t('backtest.figures.fees'), figure: formatMoney(isFiltered ? found.fees : report.fees, currency) },
  ];
  const closed: KeyFigure[] = [
    { label: t('backtest.closedResult'), figure: <Result value={found.net} currency={currency} reason="" /> },
    ...(hasOpen
      ? [
          {
            label: t('backtest.openResult'),
            figure: <Result value={run.open.result} currency={currency} reason="" />,
            note: t('backtest.openCount', { count: run.open.positions }),
          },
        ]
      : []),
  ];
  const rest = MORE.map((key): KeyFigure => ({ label: t(`backtest.figures.${key}`), figure: said.get(key) }));
  return { figures, more: isFiltered ? [] : [...closed, ...rest] };
}

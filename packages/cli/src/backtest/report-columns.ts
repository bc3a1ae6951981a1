import type { BacktestDocument } from '@pilotfish/core/backtest/backtest-contract';
import type { Percent } from '@pilotfish/core/money/figure';
import { formatMoney, formatPercent, formatQuantity, formatRatio, formatShare, formatSigned, UNKNOWN } from '@pilotfish/core/money/format';
import { formatSpan } from '@pilotfish/core/time/duration';
import type { Language, Translate } from '../app/texts.ts';
import { tint } from '../ui/colour.ts';
import { type Column, counts } from '../ui/output.ts';
import { localTime } from '../ui/times.ts';

const share = (value: Percent | null) => (value === null ? '' : formatShare(value, 1));
const money = (key: 'startBalance' | 'endValue' | 'realised' | 'fees' | 'slippage'): Column<BacktestDocument> => ({
  key,
  value: (row) => row[key],
  shown: (row) => formatMoney(row[key], row.quoteAsset),
});
const ratio = (key: 'sharpe' | 'sortino'): Column<BacktestDocument> => ({
  key,
  value: (row) => String(row[key] ?? ''),
  shown: (row) => (row[key] === null ? '' : formatRatio(row[key].toFixed(2))),
});

/** The report as a person reads it in a terminal: names are those of the report. */
export const reportColumns = (t: Translate, language: Language): readonly Column<BacktestDocument>[] => [
  { key: 'symbols', value: ({ symbols }) => symbols.join(','), shown: ({ symbols }, paint) => paint.bold(symbols.join(', ')) },
  { key: 'from', value: ({ from }) => from, shown: ({ from }) => localTime(from) },
  { key: 'to', head: t('screener.builder.to'), value: ({ to }) => to, shown: ({ to }) => localTime(to) },
  { key: 'bars', value: ({ bars }) => String(bars), shown: ({ bars }) => formatQuantity(String(bars), 0) },
  money('startBalance'),
  money('endValue'),
  { key: 'netPnl', value: ({ netPnl }) => netPnl, shown: ({ netPnl, quoteAsset }, paint) => tint(paint, formatSigned(netPnl, quoteAsset)) },
  { key: 'returnPct', value: ({ returnPct }) => returnPct, shown: ({ returnPct }, paint) => tint(paint, formatPercent(returnPct)) },
  { key: 'hold', value: ({ hold }) => hold.returnPct, shown: ({ hold }) => formatPercent(hold.returnPct) },
  { key: 'dca', value: ({ dca }) => dca.returnPct, shown: ({ dca }) => `${formatPercent(dca.returnPct)} (${dca.buys})` },
  money('fees'),
  money('slippage'),
  {
    key: 'trades',
    value: ({ trades }) => String(trades),
    shown: ({ trades, wins, losses }) =>
      `${formatQuantity(String(trades), 0)} (${formatQuantity(String(wins), 0)}/${formatQuantity(String(losses), 0)})`,
  },
  { key: 'winRatePct', value: ({ winRatePct }) => winRatePct, shown: ({ winRatePct }) => share(winRatePct) },
  {
    key: 'profitFactor',
    value: ({ profitFactor }) => profitFactor,
    shown: ({ profitFactor }) => (profitFactor === null ? UNKNOWN : formatRatio(profitFactor)),
  },
  {
    key: 'expectancy',
    value: ({ expectancy }) => expectancy,
    shown: ({ expectancy, quoteAsset }, paint) => (expectancy === null ? UNKNOWN : tint(paint, formatSigned(expectancy, quoteAsset))),
  },
  ratio('sharpe'),
  ratio('sortino'),
  {
    key: 'maxDrawdownPct',
    value: ({ maxDrawdownPct }) => String(maxDrawdownPct),
    shown: ({ maxDrawdownPct, maxDrawdownMs }) => `${share(String(maxDrawdownPct))}  ${formatSpan(maxDrawdownMs, language)}`,
  },
  { key: 'exposurePct', value: ({ exposurePct }) => String(exposurePct), shown: ({ exposurePct }) => share(String(exposurePct)) },
  {
    key: 'ambiguousExitsPct',
    value: ({ ambiguousExitsPct }) => String(ambiguousExitsPct),
    shown: ({ ambiguousExitsPct }) => share(String(ambiguousExitsPct)),
  },
  {
    key: 'exits',
    value: ({ exits }) => counts(exits),
    shown: ({ exits }) => counts(exits, (reason) => t(`exitReasons.${reason}`, { defaultValue: reason })) || UNKNOWN,
  },
  { key: 'refusals', value: ({ refusals }) => counts(refusals), shown: ({ refusals }) => counts(refusals) || UNKNOWN },
];

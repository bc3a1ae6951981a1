import { decimal, subtract, toText } from '@pilotfish/core/money/decimal';
import type { Money } from '@pilotfish/core/money/figure';
import { formatMoney, formatPercent, formatRatio, formatRoughly, formatShare, formatSigned } from '@pilotfish/core/money/format';
import type { Performance } from '@pilotfish/core/performance/performance-contract';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type KeyFigure, KeyFigures } from '../ui/kit/key-figures.tsx';
import { Points, Result, ResultPercent } from '../ui/kit/result.tsx';
import { Unknown } from '../ui/kit/unknown.tsx';
import type { Words } from './use-words.ts';

const plain = (value: Money): string => formatRoughly(value).replace(/^\+/, '');

const known = (value: ReactNode | undefined, reason: string) => value ?? <Unknown reason={reason} />;

type Tally = Pick<
  Performance,
  'currency' | 'exits' | 'wins' | 'winRatePct' | 'profitFactor' | 'won' | 'lost' | 'averageExit' | 'averageWin' | 'averageLoss'
>;
/** What exits alone answer. */
export function exitFigures(data: Tally, t: TFunction): Record<'winRate' | 'profitFactor' | 'averageExit', KeyFigure> {
  const { currency, exits } = data;
  const noExits = t('performance.unknown.noExits');
  const noLoss = t('performance.unknown.noLoss');
  const signed = (value: Money | null, reason: string) => known(value === null ? undefined : formatSigned(value, currency), reason);
  return {
    winRate: {
      label: t('performance.winRate'),
      figure: known(data.winRatePct === null ? undefined : formatShare(data.winRatePct, 0), noExits),
      note: exits > 0 && t('performance.winsOf', { wins: data.wins, exits }),
    },
    profitFactor: {
      label: t('performance.profitFactor'),
      figure: known(data.profitFactor === null ? undefined : formatRatio(data.profitFactor), exits === 0 ? noExits : noLoss),
      note: exits > 0 && t('performance.wonLost', { won: plain(data.won), lost: plain(data.lost) }),
    },
    averageExit: {
      label: t('performance.averageExit'),
      figure: <Result value={data.averageExit} currency={currency} reason={noExits} />,
      note: exits > 0 && (
        <>
          {signed(data.averageWin, t('performance.unknown.noWin'))} / {signed(data.averageLoss, noLoss)}
        </>
      ),
    },
  };
}

/** @param reason why either may be unknown */
export const ratiosFigure = ({ sharpe, sortino }: Pick<Performance, 'sharpe' | 'sortino'>, reason: string, t: TFunction): KeyFigure => ({
  label: t('performance.sharpeSortino'),
  figure:
    sharpe === null && sortino === null ? (
      <Unknown reason={reason} />
    ) : (
      <>
        {known(sharpe === null ? undefined : formatRatio(sharpe), reason)}
        {' · '}
        {known(sortino === null ? undefined : formatRatio(sortino), reason)}
      </>
    ),
  note: t('performance.daily'),
});

/** The eight figures, in the order in which they answer. What is not known says why. */
export function useKeyFigures(data: Performance, words: Words, isNarrowed: boolean): KeyFigure[] {
  const { t } = useTranslation();
  const { currency, benchmark, drawdown } = data;
  const ofEquity = t(isNarrowed ? 'performance.unknown.filtered' : 'performance.unknown.equity');
  const noRatio = isNarrowed ? ofEquity : t('performance.unknown.days');
  const { winRate, profitFactor, averageExit } = exitFigures(data, t);
  return [
    {
      label: t('performance.net', { currency }),
      figure: <Result value={data.net} currency={currency} reason="" />,
      note: (
        <>
          <ResultPercent value={data.returnPct} reason={ofEquity} />
          {' · '}
          {data.open.positions === 0 ? (
            t('performance.afterFees')
          ) : data.open.result === null ? (
            <>
              {t('performance.openNow', { amount: '' })}
              <Unknown reason={t('performance.unknown.price')} />
            </>
          ) : (
            t('performance.openNow', { amount: formatSigned(data.open.result, currency) })
          )}
        </>
      ),
    },
    {
      label: benchmark ? t('performance.against', { asset: benchmark.asset }) : t('performance.againstAny'),
      figure: benchmark ? (
        <Points value={toText(subtract(decimal(benchmark.equityPct), decimal(benchmark.pct)))} reason="" />
      ) : (
        <Unknown reason={isNarrowed ? ofEquity : t('performance.unknown.benchmark')} />
      ),
      note: benchmark && `${benchmark.asset} ${formatPercent(benchmark.pct)}`,
    },
    {
      label: t('performance.worstDrawdown'),
      figure: drawdown ? formatPercent(drawdown.pct) : <Unknown reason={ofEquity} />,
      note:
        drawdown &&
        (drawdown.days === 0
          ? t('performance.noDrawdown')
          : t('performance.drawdownDays', { count: drawdown.days, span: words.span(drawdown.from, drawdown.to) })),
    },
    winRate,
    profitFactor,
    ratiosFigure(data, noRatio, t),
    averageExit,
    {
      label: t('performance.fees'),
      figure: formatMoney(data.fees, currency),
      note: data.feesPct !== null && t('performance.ofGains', { share: formatShare(data.feesPct, 0) }),
    },
  ];
}

/** How many a phone has room for; the others stand with the further figures. */
export const PHONE_FIGURES = 4;

export const Figures = ({ figures, isStale }: { figures: readonly KeyFigure[]; isStale: boolean }) => {
  const { t } = useTranslation();
  return <KeyFigures label={t('performance.figures')} figures={figures} isStale={isStale} />;
};

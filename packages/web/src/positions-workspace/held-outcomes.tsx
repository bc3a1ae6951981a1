import { chakra } from '@chakra-ui/react';
import { distancePct } from '@pilotfish/core/auto-trades/position-risk';
import type { HeldPositionRow } from '@pilotfish/core/positions/held-positions-contract';
import { useTranslation } from 'react-i18next';
import type { Reasons } from '../positions/detail/position-facts.tsx';
import { Away, NotSet, type Outcome, Outcomes } from '../positions/detail/position-outcomes.tsx';
import { resultAt } from '../positions/open/live-held.ts';
import { Result, ResultPercent } from '../ui/kit/result.tsx';

/** Why each figure of a row may be missing: a price may be known where the cost is not. */
export function useReasons({ broken, costGap }: Pick<HeldPositionRow, 'broken' | 'costGap'>): Reasons {
  const { t } = useTranslation();
  const price = t('overview.noPrice');
  const cost = t(broken.length > 0 ? 'overview.broken' : 'overview.costUnknown');
  return { price, cost, result: broken.length > 0 || costGap ? cost : price };
}

/** What an open position has gained, and what its stop and its target would make of it. */
export function HeldOutcomes({ row }: { row: HeldPositionRow }) {
  const { t } = useTranslation();
  const { price: noPrice, result: reason } = useReasons(row);
  const at = (price: NonNullable<HeldPositionRow['stop']>): Pick<Outcome, 'figure' | 'note'> => ({
    figure: <Result value={resultAt(row, price)} currency={row.quoteAsset} reason={reason} />,
    note: <Away distance={distancePct(row.price, price)} reason={noPrice} />,
  });
  const noStop = {
    figure: <chakra.span color="warning">{t('positions.panel.noStop')}</chakra.span>,
    note: t('overview.notLimited'),
  };
  return (
    <Outcomes
      label={t('positions.panel.outcomes')}
      outcomes={[
        {
          label: t('positions.result'),
          figure: <Result value={row.result} currency={row.quoteAsset} reason={reason} unit />,
          note: <ResultPercent value={row.resultPct} reason={reason} />,
        },
        { label: t('positions.panel.atStop'), ...(row.stop === null ? noStop : at(row.stop)) },
        {
          label: t('positions.panel.atTarget'),
          ...(row.target === null ? { figure: <NotSet>{t('positions.panel.noTarget')}</NotSet> } : at(row.target)),
        },
      ]}
    />
  );
}

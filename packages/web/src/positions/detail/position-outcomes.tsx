import { Box, chakra, Grid, Text } from '@chakra-ui/react';
import type { Percent } from '@pilotfish/core/money/figure';
import type { ClosedPosition, OpenPosition } from '@pilotfish/core/positions/positions-contract';
import { formatSpan } from '@pilotfish/core/time/duration';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Distance } from '../../ui/kit/price.tsx';
import { Result, ResultPercent } from '../../ui/kit/result.tsx';
import type { LiveFigures } from '../open/live-figures.ts';
import { useUnknownReason } from '../position-state.tsx';

export type Outcome = { readonly label: string; readonly figure: ReactNode; readonly note?: ReactNode };

/** What a position came to or would come to: three figures side by side, each with its name above and a note below. */
export const Outcomes = ({ label, outcomes }: { label: string; outcomes: readonly Outcome[] }) => (
  <Grid as="dl" aria-label={label} templateColumns="1.25fr 1fr 1fr" gap="3">
    {outcomes.map((each) => (
      <Box key={each.label} minW="0">
        <Text as="dt" fontSize="12px" lineHeight="16px" color="fg.muted">
          {each.label}
        </Text>
        <Text as="dd" fontSize="17px" lineHeight="24px" fontWeight="640" css={{ fontVariantNumeric: 'tabular-nums' }}>
          {each.figure}
        </Text>
        <Text as="dd" fontSize="12px" lineHeight="16px" color="fg.muted" minH="16px">
          {each.note}
        </Text>
      </Box>
    ))}
  </Grid>
);

/** `↓ 0.97% away`; for the ear the direction says as much. */
export function Away({ distance, reason }: { distance: Percent | null; reason: string }) {
  const { t } = useTranslation();
  return (
    <>
      <Distance value={distance} reason={reason} />
      {distance !== null && <span aria-hidden="true"> {t('positions.panel.away')}</span>}
    </>
  );
}

/** What is not set is no figure. */
export const NotSet = ({ children }: { children: ReactNode }) => (
  <chakra.span color="fg.subtle" fontWeight="450">
    {children}
  </chakra.span>
);

/** Of an open position of the ledger: all it has earned, what of it is open, and what selling at its target would make of it. */
export function LedgerOutcomes({ position, live }: { position: OpenPosition; live: LiveFigures }) {
  const { t } = useTranslation();
  const reason = useUnknownReason()(position.broken);
  const { quoteAsset: currency, targetPrice } = position;
  return (
    <Outcomes
      label={t('positions.panel.outcomes')}
      outcomes={[
        {
          label: t('positions.result'),
          figure: <Result value={live.total} currency={currency} reason={reason} unit />,
          note: <ResultPercent value={live.returnPct} reason={reason} />,
        },
        {
          label: t('positions.unrealised'),
          figure: <Result value={live.unrealised} currency={currency} reason={reason} />,
        },
        targetPrice === null
          ? { label: t('positions.panel.atTarget'), figure: <NotSet>{t('positions.panel.noTarget')}</NotSet> }
          : {
              label: t('positions.panel.atTarget'),
              figure: <Result value={position.resultAtTarget} currency={currency} reason={reason} />,
              note: <Away distance={live.targetDistancePct} reason={reason} />,
            },
      ]}
    />
  );
}

/** Of a closed position: what it brought, in the currency and in percent, and for how long it was held. */
export function ClosedOutcomes({
  position,
}: {
  position: Pick<ClosedPosition, 'broken' | 'quoteAsset' | 'realised' | 'returnPct' | 'openedAt' | 'closedAt'>;
}) {
  const { t, i18n } = useTranslation();
  const reason = useUnknownReason()(position.broken, 'nothingHeld');
  const { realised, returnPct, quoteAsset, openedAt, closedAt } = position;
  return (
    <Outcomes
      label={t('positions.panel.outcomes')}
      outcomes={[
        { label: t('positions.result'), figure: <Result value={realised} currency={quoteAsset} reason={reason} unit /> },
        { label: t('positions.return'), figure: <ResultPercent value={returnPct} reason={reason} /> },
        {
          label: t('positions.held'),
          figure: formatSpan(Date.parse(closedAt) - Date.parse(openedAt), i18n.language),
        },
      ]}
    />
  );
}

import { Box, Grid, Text } from '@chakra-ui/react';
import { isNothing, type Money, type Price } from '@pilotfish/core/money/figure';
import { formatPrice, formatQuantity } from '@pilotfish/core/money/format';
import type { HeldPositionRow } from '@pilotfish/core/positions/held-positions-contract';
import type { ClosedPosition, OpenPosition } from '@pilotfish/core/positions/positions-contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePairs } from '../../prices/use-prices.ts';
import { Unknown } from '../../ui/kit/unknown.tsx';
import { useMoment } from '../../ui/use-moment.ts';
import { Amount } from '../amounts.tsx';
import { Capitalised } from '../capitalised.tsx';
import { useUnknownReason } from '../position-state.tsx';

export type Fact = {
  readonly term: string;
  readonly value: ReactNode;
  /** It is edited in its place, and takes two. */
  readonly wide?: boolean;
};

/** Figures behind the outcomes, three in a row in a panel, more on a page. */
export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <Grid as="dl" templateColumns="repeat(auto-fill, minmax(min(108px, 45%), 1fr))" gap="8px 12px">
    {facts.map(({ term, value, wide }) => (
      <Box key={term} minW="0" gridColumn={wide ? 'span 2' : undefined}>
        <Text as="dt" fontSize="12px" lineHeight="16px" color="fg.muted">
          {term}
        </Text>
        <Text
          as="dd"
          fontSize="13px"
          lineHeight="18px"
          fontWeight="580"
          css={{ fontVariantNumeric: 'tabular-nums' }}
          overflowWrap="anywhere"
        >
          {value}
        </Text>
      </Box>
    ))}
  </Grid>
);

/** A figure that is on its way, as high as it will be. */
const Coming = () => <div className="skeleton" style={{ height: 18, width: '70%' }} />;

/** Why a figure may be unknown: a price may be known where the cost is not. */
export type Reasons = { readonly price: string; readonly cost: string; readonly result: string };

/** What is held, what it cost and what it is worth. */
export function useHeldFacts(
  position: Pick<HeldPositionRow, 'symbol' | 'baseAsset' | 'quoteAsset' | 'quantity' | 'averageCost' | 'breakEven' | 'cost' | 'value'> & {
    readonly exitFee: Money | null;
  },
  reasons: Reasons,
): Fact[] {
  const { t } = useTranslation();
  const places = usePairs()?.get(position.symbol)?.pricePrecision;
  const { quantity, baseAsset, quoteAsset, averageCost, breakEven, cost, value, exitFee } = position;
  const amount = (of: Money | null, reason: string) => <Amount value={of} currency={quoteAsset} bare reason={reason} />;
  return [
    {
      term: t('positions.quantity'),
      value: (
        <span lang="en" translate="no">
          {formatQuantity(quantity)} {baseAsset}
        </span>
      ),
    },
    {
      term: t('positions.averageCost'),
      value: averageCost === null ? <Unknown reason={reasons.cost} /> : formatPrice(averageCost, places),
    },
    { term: t('positions.breakEven'), value: breakEvenText(breakEven) },
    { term: t('positions.cost'), value: amount(cost, reasons.cost) },
    { term: t('positions.value'), value: amount(value, reasons.price) },
    { term: t('positions.exitFee'), value: amount(exitFee, reasons.result) },
  ];

  function breakEvenText(price: Price | null): ReactNode {
    if (price === null) return <Unknown reason={reasons.cost} />;
    return isNothing(price) ? <span title={t('positions.recoveredHint')}>{t('positions.recovered')}</span> : formatPrice(price, places);
  }
}

/** What only the ledger knows of an open position. @param position undefined while it is awaited, null where it cannot be had */
export function useLedgerFacts(
  position: Pick<OpenPosition, 'realised' | 'fees' | 'averageAsOnExchange' | 'broken' | 'symbol' | 'quoteAsset'> | null | undefined,
): Fact[] {
  const { t } = useTranslation();
  const places = usePairs()?.get(position?.symbol ?? '')?.pricePrecision;
  const reason = useUnknownReason()(position?.broken ?? []);
  if (position === null) return [];
  const amount = (of: Money | null, signed: boolean) => (
    <Amount value={of} currency={position?.quoteAsset ?? ''} signed={signed} bare reason={reason} />
  );
  const average = position?.averageAsOnExchange ?? null;
  return [
    { term: t('positions.panel.realisedSoFar'), value: position ? amount(position.realised, true) : <Coming /> },
    { term: t('positions.fees'), value: position ? amount(position.fees, false) : <Coming /> },
    {
      term: t('positions.panel.asOnExchange'),
      value: !position ? <Coming /> : average === null ? <Unknown reason={reason} /> : formatPrice(average, places),
    },
  ];
}

/** What a closed position cost, and when it was held. @param exit what ended it, in words */
export function useClosedFacts(
  position: Pick<ClosedPosition, 'matchedCost' | 'fees' | 'dust' | 'openedAt' | 'closedAt' | 'broken' | 'baseAsset' | 'quoteAsset'>,
  exit: string,
): Fact[] {
  const { t } = useTranslation();
  const moment = useMoment();
  const reason = useUnknownReason()(position.broken, 'nothingHeld');
  const { matchedCost, fees, dust, openedAt, closedAt, baseAsset, quoteAsset } = position;
  const amount = (of: Money | null) => <Amount value={of} currency={quoteAsset} bare reason={reason} />;
  return [
    { term: t('positions.exit'), value: <Capitalised>{exit}</Capitalised> },
    { term: t('positions.cost'), value: amount(matchedCost) },
    { term: t('positions.fees'), value: amount(fees) },
    { term: t('positions.panel.opened'), value: moment(openedAt) },
    { term: t('positions.closed'), value: moment(closedAt) },
    ...(isNothing(dust)
      ? []
      : [
          {
            term: t('positions.dust'),
            value: (
              <span lang="en" translate="no">
                {formatQuantity(dust)} {baseAsset}
              </span>
            ),
          },
        ]),
  ];
}

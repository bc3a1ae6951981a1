import { Box, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import type { Money } from '@pilotfish/core/money/figure';
import type { PositionTotals } from '@pilotfish/core/positions/positions-contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Panel } from '../ui/controls.tsx';
import { Amount } from './amounts.tsx';

export const Cell = ({ term, children, large = false }: { term: string; children: React.ReactNode; large?: boolean }) => (
  <Box minW="0">
    <Text as="dt" color="fg.muted" fontSize="12px">
      {term}
    </Text>
    <Text
      as="dd"
      fontWeight="600"
      fontSize={large ? '20px' : '14px'}
      lineHeight="1.4"
      css={{ fontVariantNumeric: 'tabular-nums' }}
      overflowWrap="anywhere"
    >
      {children}
    </Text>
  </Box>
);

/** Sums of one currency, and how many positions are left out of them. */
export function CurrencyTotals({
  totals,
  of,
  large = false,
}: {
  totals: PositionTotals;
  /** What is summed up: where nothing is held any more only the results are told. */
  of: 'open' | 'closed' | 'all';
  large?: boolean;
}) {
  const { t } = useTranslation();
  const { currency } = totals;
  const amount = (value: Money, signed = false) => <Amount value={value} currency={currency} signed={signed} bare reason="" />;
  return (
    <Panel p={large ? { base: '4', md: '5' } : '4'}>
      <Flex justify="space-between" align="baseline" gap="3" mb="3">
        <Heading as={of === 'closed' ? 'h3' : 'h2'} fontSize="16px" fontWeight="650" lang="en" translate="no">
          {currency}
        </Heading>
        <Text color="fg.muted" fontSize="13px">
          {t('positions.count', { count: totals.count })}
        </Text>
      </Flex>
      <Grid as="dl" templateColumns={{ base: 'repeat(2, minmax(0, 1fr))', sm: 'repeat(4, minmax(0, 1fr))' }} gap="4">
        {of !== 'closed' && (
          <>
            <Cell term={t('positions.invested')} large={large}>
              {amount(totals.invested)}
            </Cell>
            <Cell term={t('positions.value')} large={large}>
              {amount(totals.value)}
            </Cell>
            <Cell term={t('positions.unrealised')} large={large}>
              {amount(totals.unrealised, true)}
            </Cell>
          </>
        )}
        <Cell term={t('positions.realised')} large={large}>
          {amount(totals.realised, true)}
        </Cell>
      </Grid>
      <LeftOut totals={totals} of={of} />
    </Panel>
  );
}

/** Positions that are in no sum, and the way to them. */
export function LeftOut({ totals: { broken, excluded, currency }, of }: { totals: PositionTotals; of: 'open' | 'closed' | 'all' }) {
  const { t } = useTranslation();
  if (broken + excluded === 0) return null;
  const link = (to: string, key: 'open' | 'closed') => (
    <Box asChild textDecoration="underline" textUnderlineOffset="3px">
      <Link to={to}>{t(`positions.show.${key}`)}</Link>
    </Box>
  );
  const open = (state: 'broken' | 'excluded') => of !== 'closed' && link(`/positions/open-positions?state=${state}`, 'open');
  return (
    <Flex gapX="5" gapY="1" mt="3" fontSize="13px" color="warning" wrap="wrap">
      {broken > 0 && (
        <Flex gap="2">
          {t('positions.brokenCount', { count: broken })} {open('broken')}
          {of !== 'open' && link(`/positions/closed-positions?currency=${currency}&onlyBrokenPositions=true`, 'closed')}
        </Flex>
      )}
      {excluded > 0 && (
        <Flex gap="2">
          {t('positions.excludedCount', { count: excluded })} {open('excluded')}
        </Flex>
      )}
    </Flex>
  );
}

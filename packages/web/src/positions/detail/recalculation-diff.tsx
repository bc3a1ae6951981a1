import { Flex, Table, Text } from '@chakra-ui/react';
import type { Price } from '@pilotfish/core/money/figure';
import { formatPrice } from '@pilotfish/core/money/format';
import type { calculatePosition } from '@pilotfish/core/positions/positions-contract';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import { usePairs } from '../../prices/use-prices.ts';
import { Notice } from '../../ui/controls.tsx';
import { Unknown } from '../../ui/kit/unknown.tsx';
import { Cell, HeadCell, RowHead } from '../../ui/tables/table-cells.tsx';
import { Amount } from '../amounts.tsx';
import { BrokenReasons } from '../position-state.tsx';

export type Recalculation = z.infer<typeof calculatePosition.answer>;

/** What a calculation changed: before, after, and what is still wrong. */
export function RecalculationDiff({ diff, currency, symbol }: { diff: Recalculation; currency: string; symbol?: string }) {
  const { t } = useTranslation();
  const precision = usePairs()?.get(symbol ?? '')?.pricePrecision ?? 8;
  const none = t('positions.unknown.noResult');
  const price = (text: Price | null) => (text === null ? <Unknown reason={none} /> : formatPrice(text, precision));
  const isSame =
    diff.averageCostBefore === diff.averageCostAfter &&
    diff.realisedBefore === diff.realisedAfter &&
    diff.tradesAdded + diff.tradesRemoved === 0;
  return (
    <Flex direction="column" gap="4">
      {isSame ? (
        <Notice tone="success">{t('positions.diff.same')}</Notice>
      ) : (
        <Notice tone="info">{t('positions.diff.trades', { added: diff.tradesAdded, removed: diff.tradesRemoved })}</Notice>
      )}
      <Table.Root fontSize="14px">
        <thead>
          <tr>
            <td />
            <HeadCell scope="col" textAlign="end">
              {t('positions.diff.before')}
            </HeadCell>
            <HeadCell scope="col" textAlign="end">
              {t('positions.diff.after')}
            </HeadCell>
          </tr>
        </thead>
        <tbody>
          <tr>
            <RowHead>{t('positions.averageCost')}</RowHead>
            <Cell textAlign="end">{price(diff.averageCostBefore)}</Cell>
            <Cell textAlign="end">{price(diff.averageCostAfter)}</Cell>
          </tr>
          <tr>
            <RowHead>{t('positions.realised')}</RowHead>
            <Cell textAlign="end">
              <Amount value={diff.realisedBefore} currency={currency} signed reason={none} />
            </Cell>
            <Cell textAlign="end">
              <Amount value={diff.realisedAfter} currency={currency} signed reason={none} />
            </Cell>
          </tr>
        </tbody>
      </Table.Root>
      {diff.broken.length > 0 ? <BrokenReasons broken={diff.broken} /> : <Text color="fg.muted">{t('positions.diff.whole')}</Text>}
    </Flex>
  );
}

import { Grid } from '@chakra-ui/react';
import type { AutoTradeDetail, AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Price } from '@pilotfish/core/money/figure';
import { formatCurrency, formatPrice, formatQuantity, UNKNOWN } from '@pilotfish/core/money/format';
import { useTranslation } from 'react-i18next';
import { usePairs } from '../../../prices/use-prices.ts';
import { Result } from '../../../ui/kit/result.tsx';
import { useMoment } from '../../../ui/use-moment.ts';
import { Figure } from '../../figure.tsx';

/** Every figure of one position. */
export function PositionFacts({ bot: { currency }, position }: { bot: AutoTradeDetail; position: AutoTradePosition }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const places = usePairs()?.get(position.symbol)?.pricePrecision;
  const price = (value: Price | null) => (value === null ? UNKNOWN : formatPrice(value, places));
  const time = (iso: string | null) => (iso ? moment(iso) : UNKNOWN);
  const term = (key: string) => t(`autoTrades.position.${key}`);
  return (
    <Grid
      as="dl"
      templateColumns={{ base: '1fr 1fr', md: 'repeat(4, 1fr)', xl: 'repeat(8, auto)' }}
      gap="3"
      px="4"
      py="3"
      borderTopWidth="1px"
      borderColor="border.subtle"
      fontSize="13px"
    >
      <Figure term={term('quantity')} value={formatQuantity(position.quantity)} />
      <Figure term={term('invested')} value={formatCurrency(position.invested, currency)} />
      <Figure term={term('average')} value={price(position.averageCost)} />
      <Figure term={term('breakEven')} value={price(position.breakEven)} />
      <Figure term={term('realised')} value={<Result value={position.realised} currency={currency} closeness="fine" reason="" unit />} />
      <Figure term={term('fees')} value={formatCurrency(position.fees, currency, 'fine')} />
      <Figure term={term('opened')} value={time(position.openedAt)} />
      <Figure term={term('closed')} value={time(position.closedAt)} />
      {position.lines.timeStopAt && <Figure term={term('timeStop')} value={time(position.lines.timeStopAt)} />}
    </Grid>
  );
}

import { Box, chakra } from '@chakra-ui/react';
import { isNothing, type Quantity } from '@pilotfish/core/money/figure';
import { formatCompact, formatCurrency, formatPrice, formatQuantity, formatRatio, UNKNOWN } from '@pilotfish/core/money/format';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { useTranslation } from 'react-i18next';
import { Panel } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Rows, SIDES } from './parts.tsx';

/** What the exchange asks of orders in the pair; closed until it is wanted. */
export function OrderRules({ pair }: { pair: Pair }) {
  const { t } = useTranslation();
  const { filters, quoteAsset, pricePrecision } = pair;
  const quantity = (value: Quantity) => (isNothing(value) ? UNKNOWN : formatQuantity(value));
  const most = isNothing(filters.maxQty) ? UNKNOWN : formatCompact(filters.maxQty);
  const facts = [
    ['tickSize', isNothing(filters.tickSize) ? UNKNOWN : formatPrice(filters.tickSize, pricePrecision)],
    ['stepSize', quantity(filters.stepSize)],
    ['minNotional', formatCurrency(filters.minNotional, quoteAsset)],
    ['maxNotional', isNothing(filters.maxNotional) ? UNKNOWN : `${formatCompact(filters.maxNotional)} ${quoteAsset}`],
    ['quantityRange', `${quantity(filters.minQty)} – ${most}`],
    ['priceBand', `×${formatRatio(filters.askMultiplierDown)} – ×${formatRatio(filters.bidMultiplierUp)}`],
    ['openOrdersLimit', String(filters.maxNumOrders)],
    ['status', t(`screener.value.${pair.status}`, { defaultValue: pair.status })],
  ] as const;
  return (
    <Panel p="0" overflow="hidden" className="rings-inside">
      <chakra.details css={{ '&[open] svg': { transform: 'rotate(180deg)' } }}>
        <chakra.summary
          {...SIDES}
          display="flex"
          alignItems="center"
          justifyContent="space-between"
          minH="11"
          cursor="pointer"
          fontSize="13px"
          fontWeight="620"
          css={{ '&::-webkit-details-marker': { display: 'none' } }}
        >
          {t('prices.orderRules')}
          <Box color="fg.muted">
            <Icon name="chevron" size={16} />
          </Box>
        </chakra.summary>
        <Rows rows={facts.map(([key, value]) => ({ key, label: t(`prices.${key}`), value }))} />
      </chakra.details>
    </Panel>
  );
}

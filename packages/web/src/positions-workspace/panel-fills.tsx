import { chakra, Flex, Text } from '@chakra-ui/react';
import type { ShownProblem } from '@pilotfish/core/http/problem';
import { absolute, decimal, subtract, ZERO } from '@pilotfish/core/money/decimal';
import type { Money, Price, Quantity } from '@pilotfish/core/money/figure';
import { formatPrice, formatQuantity, formatSigned } from '@pilotfish/core/money/format';
import { useTranslation } from 'react-i18next';
import { usePairs } from '../prices/use-prices.ts';
import { TextLink } from '../ui/controls.tsx';
import { ErrorPanel } from '../ui/state-panels.tsx';
import { useMoment } from '../ui/use-moment.ts';
import { Part } from './panel-parts.tsx';

const SHOWN = 8;

export type ListedFill = {
  readonly tradeId: string;
  readonly at: string;
  readonly side: 'Buy' | 'Sell';
  readonly price: Price;
  readonly quantity: Quantity;
  readonly quoteQuantity: Money;
};
/** Newest first. */
export type FillsQuery = {
  readonly fills: readonly ListedFill[] | undefined;
  /** How many there are where not all were asked for. */
  readonly total?: number | undefined;
  readonly hasFailed: boolean;
  readonly problem: ShownProblem | undefined;
  readonly retry: () => void;
};

/** What was bought and sold, the newest first; the rest is on the full page. */
export function PanelFills({
  query: { fills, total = fills?.length ?? 0, hasFailed, problem, retry },
  row: { symbol, baseAsset, quoteAsset },
  page,
}: {
  query: FillsQuery;
  row: { readonly symbol: string; readonly baseAsset: string; readonly quoteAsset: string };
  page: string;
}) {
  const { t } = useTranslation();
  const moment = useMoment();
  const places = usePairs()?.get(symbol)?.pricePrecision;
  if (hasFailed && !fills)
    return (
      <Part>
        <ErrorPanel problem={problem} onRetry={retry} />
      </Part>
    );
  return (
    <Part py="1" pb="2">
      {!fills ? (
        <div className="skeleton" style={{ height: 22, marginTop: 4 }} />
      ) : fills.length === 0 ? (
        <Text color="fg.muted" py="1.5">
          {t('positions.noTrades')}
        </Text>
      ) : (
        <chakra.ul listStyleType="none" aria-label={t('positions.panel.fills')} css={{ fontVariantNumeric: 'tabular-nums' }}>
          {fills.slice(0, SHOWN).map(({ tradeId, at, side, price, quantity, quoteQuantity }) => (
            <chakra.li
              key={tradeId}
              display="grid"
              gridTemplateColumns="minmax(52px, auto) minmax(0, 1fr) auto"
              gap="2.5"
              alignItems="center"
              minH="30px"
            >
              <chakra.span color="fg.subtle">{moment(at, 'brief')}</chakra.span>
              <span>
                <chakra.span color={side === 'Buy' ? 'brand.fg' : 'secondary.fg'} fontWeight="600">
                  {t(`prices.side.${side}`)}
                </chakra.span>{' '}
                {t('positions.panel.fill', { quantity: formatQuantity(quantity), asset: baseAsset, price: formatPrice(price, places) })}
              </span>
              <chakra.span color="fg.muted">{formatSigned(moneyMoved(side, quoteQuantity), quoteAsset)}</chakra.span>
            </chakra.li>
          ))}
        </chakra.ul>
      )}
      {total > SHOWN && (
        <Flex pt="1" fontSize="12px">
          <TextLink to={page}>{t('positions.panel.allFills', { count: total })}</TextLink>
        </Flex>
      )}
    </Part>
  );
}

/** What a purchase takes from the quote currency, and a sale brings. */
const moneyMoved = (side: ListedFill['side'], amount: Money) => {
  const size = absolute(decimal(amount));
  return side === 'Buy' ? subtract(ZERO, size) : size;
};

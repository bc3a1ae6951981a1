import { Box, Flex, Heading, Text } from '@chakra-ui/react';
import type { Price } from '@pilotfish/core/money/figure';
import { formatCompact, formatPrice, UNKNOWN } from '@pilotfish/core/money/format';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { useTranslation } from 'react-i18next';
import { useSignedIn } from '../platform/use-session.ts';
import { useCalmTicker, useCurrencyNames } from '../prices/use-prices.ts';
import { CoinIcon } from '../ui/coin-icon.tsx';
import { Badge, IconButton, LinkButton } from '../ui/controls.tsx';
import { Icon } from '../ui/icons.tsx';
import { ResultPercent } from '../ui/kit/result.tsx';
import { Button } from '../ui/primitives.tsx';
import { ThumbBar } from '../ui/thumb-bar.tsx';

type Props = { pair: Pair; isFavourite: boolean; onFavourite: () => void; onAlert: () => void };

/** Which pair, what it costs now, and what can be done about it. */
export function PairHeader(props: Props) {
  const { pair } = props;
  const { t } = useTranslation();
  const ticker = useCalmTicker(pair.symbol);
  const name = useCurrencyNames()?.get(pair.baseAsset);
  const price = (value: Price | undefined) => (value === undefined ? UNKNOWN : formatPrice(value, pair.pricePrecision));
  return (
    <Flex
      align="center"
      columnGap="4"
      rowGap="2"
      wrap="wrap"
      ps={{ base: '3', md: '4' }}
      pe="2"
      py="2"
      borderBottomWidth={{ base: '0', md: '1px' }}
      borderColor="border.subtle"
      css={{ fontVariantNumeric: 'tabular-nums' }}
    >
      <Flex align="center" gap="3" minW="0">
        <Box fontSize="20px" aria-hidden="true" css={{ '& .coin-icon': { marginInlineEnd: 0 } }}>
          <CoinIcon code={pair.baseAsset} />
        </Box>
        <Box minW="0">
          <Heading as="h2" fontSize="12px" lineHeight="16px" fontWeight="450" lang="en" translate="no" truncate>
            {pair.baseAsset} / {pair.quoteAsset}
            {name !== undefined && name !== pair.baseAsset && (
              <Text as="span" color="fg.muted">
                {' '}
                {name}
              </Text>
            )}
          </Heading>
          <Flex gap="2" align="baseline">
            <Text as="span" fontSize="20px" lineHeight="26px" fontWeight="680" letterSpacing="-0.01em">
              {price(ticker?.price)}
            </Text>
            <Text as="span" fontWeight="600">
              {ticker && <ResultPercent value={ticker.changePct} reason="" />}
            </Text>
          </Flex>
        </Box>
      </Flex>
      <Flex as="dl" gap="4" hideBelow="md">
        <DayFigure term={t('markets.high')}>{price(ticker?.high)}</DayFigure>
        <DayFigure term={t('markets.low')}>{price(ticker?.low)}</DayFigure>
        <DayFigure term={t('markets.volume')}>{ticker ? formatCompact(ticker.quoteVolume) : UNKNOWN}</DayFigure>
      </Flex>
      {pair.status !== 'TRADING' && <Badge tone="secondary">{t(`screener.value.${pair.status}`, { defaultValue: pair.status })}</Badge>}
      <Flex gap="1.5" ms="auto" hideBelow="md">
        <Favourite {...props} />
        <AlertButton {...props} />
        <BotButton pair={pair} label={t('markets.botOn', { coin: pair.baseAsset })} />
      </Flex>
      <ThumbBar label={t('markets.actions')}>
        <AlertButton {...props} />
        <BotButton pair={pair} label={t('autoTrades.create')} />
        <Box>
          <Favourite {...props} />
        </Box>
      </ThumbBar>
    </Flex>
  );
}

const DayFigure = ({ term, children }: { term: string; children: string }) => (
  <div>
    <Text as="dt" fontSize="12px" lineHeight="16px" color="fg.muted" whiteSpace="nowrap">
      {term}
    </Text>
    <Text as="dd" fontSize="13px" lineHeight="16px" fontWeight="560">
      {children}
    </Text>
  </div>
);

function Favourite({ pair, isFavourite, onFavourite }: Props) {
  const { t } = useTranslation();
  return (
    <IconButton
      icon="star"
      variant="outline"
      h={{ base: '11', md: '9' }}
      w={{ base: '11', md: '9' }}
      filled={isFavourite}
      color={isFavourite ? 'fg' : 'fg.muted'}
      aria-pressed={isFavourite}
      aria-keyshortcuts="f"
      label={t('prices.toggleFavourite', { pair: pair.symbol })}
      onClick={onFavourite}
    />
  );
}

/** Where alerts are written; a guest is led there by way of signing in. */
function AlertButton({ pair, onAlert }: Props) {
  const { t } = useTranslation();
  const signedIn = useSignedIn();
  const content = (
    <>
      <Icon name="alerts" size={16} />
      {t('markets.alert')}
    </>
  );
  return signedIn ? (
    <Button size="sm" variant="outline" color="fg" aria-keyshortcuts="a" onClick={onAlert}>
      {content}
    </Button>
  ) : (
    <LinkButton to={`/price-alerts?symbol=${pair.symbol}`} size="sm" variant="outline" color="fg">
      {content}
    </LinkButton>
  );
}

const BotButton = ({ pair, label }: { pair: Pair; label: string }) => (
  <LinkButton to={`/auto-trade/create?symbol=${pair.symbol}`} size="sm" colorPalette="brand">
    <Icon name="bots" size={16} />
    {label}
  </LinkButton>
);

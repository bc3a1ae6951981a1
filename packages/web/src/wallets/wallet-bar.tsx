import { Box, Flex, Text } from '@chakra-ui/react';
import { formatCurrency } from '@pilotfish/core/money/format';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { useTranslation } from 'react-i18next';

const PARTS = [
  { key: 'invested', color: 'brand.solid' },
  { key: 'reserved', color: 'secondary.solid' },
  { key: 'free', color: 'border.control' },
] as const;

/** How much of a wallet is invested, set aside and free, as one bar; the legend says the same in figures. */
export function WalletBar({ wallet, legend = false }: { wallet: Wallet; legend?: boolean }) {
  const { t } = useTranslation();
  // Floats, for the width of the bar only.
  const values = PARTS.map(({ key }) => Math.max(0, Number(wallet[key])));
  const total = values.reduce((sum, value) => sum + value, 0) || 1;
  return (
    <Box>
      <Flex
        h="6px"
        bg="bg.raised"
        borderRadius="full"
        overflow="hidden"
        role="img"
        aria-label={t('autoTrades.walletUse', {
          invested: formatCurrency(wallet.invested, wallet.currency),
          reserved: formatCurrency(wallet.reserved, wallet.currency),
        })}
      >
        {PARTS.map(({ key, color }, index) => (
          <Box key={key} bg={color} style={{ width: `${(values[index]! / total) * 100}%` }} />
        ))}
      </Flex>
      {legend && (
        <Flex as="dl" columnGap="4" rowGap="1" mt="2" wrap="wrap" fontSize="13px">
          {PARTS.map(({ key, color }) => (
            <Flex key={key} align="center" gap="1.5">
              <Box w="8px" h="8px" borderRadius="full" bg={color} aria-hidden="true" />
              <Text as="dt" color="fg.muted">
                {t(`wallets.part.${key}`)}
              </Text>
              <Text as="dd" fontWeight="600" css={{ fontVariantNumeric: 'tabular-nums' }}>
                {formatCurrency(wallet[key], wallet.currency)}
              </Text>
            </Flex>
          ))}
        </Flex>
      )}
    </Box>
  );
}

import { Text } from '@chakra-ui/react';
import { CoinIcon } from '../ui/coin-icon.tsx';

/** `ETH / USDT` behind the icon of its coin. */
export const PairName = ({ baseAsset, quoteAsset }: { baseAsset: string; quoteAsset: string }) => (
  <span lang="en" translate="no">
    <CoinIcon code={baseAsset} />
    {baseAsset}
    <Text as="span" color="fg.muted" fontWeight="450">
      {' '}
      / {quoteAsset}
    </Text>
  </span>
);

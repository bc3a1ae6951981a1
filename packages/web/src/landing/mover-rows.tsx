import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import type { Mover } from '@pilotfish/core/landing/landing-contract';
import { formatPercent, formatPrice } from '@pilotfish/core/money/format';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Sparkline } from '../ui/charts/sparkline.tsx';
import { CoinIcon } from '../ui/coin-icon.tsx';
import { Icon } from '../ui/icons.tsx';
import { toneOf } from '../ui/theme/tone.ts';

export type MoverRow = Mover & { firstSeenAt?: string };

export default function MoverRows({ rows, height }: { rows: readonly MoverRow[]; height: number }) {
  return (
    <Flex as="ul" direction="column" listStyleType="none">
      {rows.map((mover) => (
        <MoverItem key={mover.symbol} mover={mover} height={height} />
      ))}
    </Flex>
  );
}

const MoverItem = ({ mover, height }: { mover: MoverRow; height: number }) => {
  const { i18n } = useTranslation();
  const tone = toneOf(mover.changePct);
  return (
    <chakra.li borderTopWidth="1px" borderColor="border.subtle" _first={{ borderTopWidth: '0' }}>
      <Flex asChild align="center" gap="3" h={`${height - 1}px`} mx="-2" px="2" borderRadius="control" _hover={{ bg: 'bg.raised' }}>
        <Link to={`/prices?pair=${mover.symbol}`}>
          <Box flex="1" minW="0" lineHeight="1.3">
            <Text fontWeight="600" lang="en" translate="no" truncate>
              <CoinIcon code={mover.baseAsset} />
              {mover.baseAsset}
            </Text>
            <Text className="figure" textAlign="start" color="fg.muted" fontSize="12px" truncate>
              {formatPrice(mover.price, mover.pricePrecision)}
              {mover.firstSeenAt && ` · ${new Date(mover.firstSeenAt).toLocaleDateString(i18n.language, { dateStyle: 'medium' })}`}
            </Text>
          </Box>
          <Sparkline values={mover.sparkline} tone={tone === '' ? 'muted' : tone} />
          <Flex className={`figure ${tone}`} minW="80px" justify="flex-end" align="center" gap="1" fontWeight="600" fontSize="13px">
            {tone !== '' && <Icon name={tone === 'loss' ? 'down' : 'up'} size={14} />}
            {formatPercent(mover.changePct)}
          </Flex>
        </Link>
      </Flex>
    </chakra.li>
  );
};

import { Box, Flex, Text } from '@chakra-ui/react';
import type { OpenPosition } from '@pilotfish/core/positions/positions-contract';
import { useTranslation } from 'react-i18next';
import { Badge, Notice, TextLink } from '../ui/controls.tsx';
import { Icon } from '../ui/icons.tsx';

export type Broken = OpenPosition['broken'];

/** Where a reason can be mended by hand. */
const FIX_AT: Partial<Record<Broken[number]['code'], '/positions/import' | '/positions/migration'>> = {
  OVERSOLD: '/positions/import',
  GAP: '/positions/import',
  UNKNOWN_OPERATION: '/positions/import',
  MISSING_COST: '/positions/migration',
  BALANCE_MISMATCH: '/positions/migration',
};

/** The state of a position in words. */
export function PositionBadges({ broken, excludedFromTotals }: Pick<OpenPosition, 'broken' | 'excludedFromTotals'>) {
  const { t } = useTranslation();
  if (broken.length === 0 && !excludedFromTotals) return null;
  return (
    <Flex gap="1" wrap="wrap">
      {broken.length > 0 && (
        <Badge tone="danger" title={broken.map(({ code }) => t(`positions.reason.${code}`)).join(', ')}>
          <Icon name="warning" size={12} />
          {t('positions.brokenWord')}
        </Badge>
      )}
      {excludedFromTotals && <Badge>{t('positions.excluded')}</Badge>}
    </Flex>
  );
}

/** Every reason with what would fix it and the way there. */
export function BrokenReasons({ broken, asset, compact = false }: { broken: Broken; asset?: string; compact?: boolean }) {
  const { t } = useTranslation();
  if (broken.length === 0) return null;
  const list = (
    <Flex as="ul" direction="column" gap="2" listStyleType="none">
      {broken.map(({ code, detail, fix }) => (
        <Box as="li" key={`${code}${detail}`} fontSize={compact ? '12px' : '14px'}>
          <Text fontWeight="600">{t(`positions.reason.${code}`)}</Text>
          {detail && <Text color="fg.muted">{detail}</Text>}
          {fix && <Text>{fix}</Text>}
          {FIX_AT[code] && (
            <TextLink to={FIX_AT[code] === '/positions/migration' && asset !== undefined ? `${FIX_AT[code]}?asset=${asset}` : FIX_AT[code]}>
              {t(
                code === 'BALANCE_MISMATCH'
                  ? 'positions.fixMissing'
                  : code === 'MISSING_COST'
                    ? 'positions.fixCost'
                    : code === 'UNKNOWN_OPERATION'
                      ? 'positions.fixCarry'
                      : 'positions.fixImport',
              )}
            </TextLink>
          )}
          {code === 'MISSING_COST' && (
            <Box>
              <TextLink to="/positions/import">{t('positions.fixSwapped')}</TextLink>
            </Box>
          )}
        </Box>
      ))}
    </Flex>
  );
  if (compact) return list;
  return (
    <Notice tone="error" title={t('positions.brokenTitle')} live={false}>
      <Text color="fg.muted" mb="2">
        {t('positions.brokenLead')}
      </Text>
      {list}
    </Notice>
  );
}

/** Why a figure of this position is a dash. */
export function useUnknownReason(): (broken: Broken, otherwise?: 'noPrice' | 'nothingHeld') => string {
  const { t } = useTranslation();
  return (broken, otherwise = 'noPrice') =>
    broken.length > 0
      ? t('positions.unknownBecause', { reasons: broken.map(({ code }) => t(`positions.reason.${code}`)).join(', ') })
      : t(`positions.unknown.${otherwise}`);
}

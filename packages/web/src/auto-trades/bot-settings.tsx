import { chakra, Flex, Grid, Text } from '@chakra-ui/react';
import type { AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { useTranslation } from 'react-i18next';
import { LinkButton, Panel } from '../ui/controls.tsx';

/** Every setting of the present version as path and value, named as the API and the terminal name them. */
export function BotSettings({ bot }: { bot: AutoTradeDetail }) {
  const { t } = useTranslation();
  return (
    <Panel>
      <Flex justify="space-between" gap="3" mb="3" align="center" wrap="wrap">
        <Text color="fg.muted">{t('autoTrades.settings.lead', { version: bot.configVersion })}</Text>
        <LinkButton to={`/auto-trade/detail/${bot.id}/edit`} size="sm" variant="outline" color="fg">
          {t('autoTrades.edit')}
        </LinkButton>
      </Flex>
      <Grid as="dl" templateColumns={{ base: '1fr', md: '1fr 1fr' }} columnGap="8">
        {flatten(bot.config).map(([path, value]) => (
          <chakra.div
            key={path}
            display="flex"
            justifyContent="space-between"
            gap="4"
            py="1.5"
            borderTopWidth="1px"
            borderColor="border.subtle"
            fontSize="13px"
          >
            <chakra.dt fontFamily="mono" color="fg.muted" lang="en" translate="no">
              {path}
            </chakra.dt>
            <chakra.dd textAlign="end" overflowWrap="anywhere" minW="0" css={{ fontVariantNumeric: 'tabular-nums' }}>
              {value}
            </chakra.dd>
          </chakra.div>
        ))}
      </Grid>
    </Panel>
  );
}

const flatten = (value: unknown, path = ''): [string, string][] =>
  Array.isArray(value) && value.every((item) => typeof item !== 'object')
    ? [[path, value.join(', ')]]
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => flatten(inner, path === '' ? key : `${path}.${key}`))
      : [[path, String(value)]];

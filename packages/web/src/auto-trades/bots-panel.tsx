import { chakra, Flex, Heading, Text } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useAccount } from '../app/use-session.ts';
import { LinkButton, Panel } from '../ui/controls.tsx';
import { Result } from '../ui/kit/result.tsx';
import { EmptyState, ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { BotMode, BotStatus } from './bot-marks.tsx';
import { useAutoTrades } from './use-auto-trades.ts';

const SHOWN = 5;

/** The user's bots at a glance, or the first step towards one. */
export function BotsPanel() {
  const { t } = useTranslation();
  const account = useAccount();
  const { data, hasFailed, problem, retry } = useAutoTrades();
  const needsExchange = account !== undefined && account.exchanges.length === 0;
  return (
    <Panel>
      <Flex justify="space-between" align="center" gap="3" mb="2">
        <Heading as="h2" fontSize="16px" fontWeight="600">
          {t('landing.bots')}
        </Heading>
        {data && data.length > 0 && (
          <LinkButton to="/auto-trade" size="xs" variant="ghost" color="brand.fg">
            {t('landing.allBots')}
          </LinkButton>
        )}
      </Flex>
      {hasFailed ? (
        <ErrorPanel problem={problem} onRetry={retry} />
      ) : !data ? (
        <Skeleton rows={3} height={26} />
      ) : data.length === 0 ? (
        <EmptyState
          icon="bots"
          title={t('autoTrades.emptyTitle')}
          action={
            // The first step on this page is the exchange's, which stands above.
            <LinkButton
              to="/auto-trade/create"
              colorPalette="brand"
              variant={needsExchange ? 'outline' : 'solid'}
              color={needsExchange ? 'fg' : undefined}
            >
              {t('autoTrades.createFirst')}
            </LinkButton>
          }
        >
          {t('autoTrades.emptyLead')}
        </EmptyState>
      ) : (
        <Flex as="ul" direction="column" listStyleType="none">
          {data.slice(0, SHOWN).map((bot) => (
            <chakra.li key={bot.id} borderTopWidth="1px" borderColor="border.subtle" _first={{ borderTopWidth: '0' }}>
              <Flex
                asChild
                justify="space-between"
                align="center"
                gap="3"
                py="2.5"
                px="2"
                mx="-2"
                borderRadius="control"
                _hover={{ bg: 'bg.raised' }}
              >
                <Link to={`/auto-trade/detail/${bot.id}`}>
                  <Flex gap="2" rowGap="1" align="center" minW="0" wrap={{ base: 'wrap', md: 'nowrap' }}>
                    <Text fontWeight="600" truncate maxW="100%">
                      {bot.name}
                    </Text>
                    <BotMode mode={bot.mode} />
                    <BotStatus bot={bot} />
                  </Flex>
                  <Text className="figure" fontWeight="600" fontSize="13px">
                    <Result value={bot.realised} currency={bot.currency} reason="" unit />
                  </Text>
                </Link>
              </Flex>
            </chakra.li>
          ))}
        </Flex>
      )}
    </Panel>
  );
}

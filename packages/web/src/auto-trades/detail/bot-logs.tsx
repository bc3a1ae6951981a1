import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import type { AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { spokenFacts } from '@pilotfish/core/auto-trades/trace-text';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePairs } from '../../prices/use-prices.ts';
import { Panel } from '../../ui/controls.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Button } from '../../ui/primitives.tsx';
import { EmptyState, ErrorPanel, Skeleton } from '../../ui/state-panels.tsx';
import { Pager } from '../../ui/tables/pager.tsx';
import { useMoment } from '../../ui/use-moment.ts';
import { PAGE_SIZE, useBotAction, useLogs } from '../use-auto-trades.ts';

/** What the bot said beside its traces. Deleting it leaves traces and trades alone. */
export function BotLogs({ bot }: { bot: AutoTradeDetail }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const [page, setPage] = useState(1);
  const [asking, setAsking] = useState(false);
  const { run, running } = useBotAction();
  const pairs = usePairs();
  const { data, hasFailed, problem, retry } = useLogs(bot.id, page);
  return (
    <Panel>
      {hasFailed ? (
        <ErrorPanel problem={problem} onRetry={retry} />
      ) : !data ? (
        <Skeleton rows={8} height={22} />
      ) : data.items.length === 0 ? (
        <EmptyState icon="info" title={t('autoTrades.logs.none')}>
          {t('autoTrades.logs.noneLead')}
        </EmptyState>
      ) : (
        <>
          <Flex justify="flex-end" mb="2">
            <Button size="sm" variant="outline" colorPalette="danger" color="danger.fg" disabled={running} onClick={() => setAsking(true)}>
              {t('autoTrades.action.deleteLogs')}
            </Button>
          </Flex>
          <Flex as="ol" direction="column" listStyleType="none" fontSize="13px">
            {data.items.map((line) => (
              <chakra.li
                key={line.id}
                display="flex"
                gap="3"
                py="2"
                borderTopWidth="1px"
                borderColor="border.subtle"
                flexWrap={{ base: 'wrap', md: 'nowrap' }}
              >
                <Text className="figure" color="fg.muted" w="150px" flexShrink="0" textAlign="start">
                  {moment(line.at, 'second')}
                </Text>
                <Flex gap="2" color={line.level === 'error' ? 'danger.fg' : line.level === 'warning' ? 'secondary.fg' : 'fg'} minW="0">
                  {line.level !== 'info' && (
                    <Box flexShrink="0" pt="1px">
                      <Icon name="warning" size={16} />
                    </Box>
                  )}
                  <span>
                    {line.symbol && (
                      <Text as="span" fontWeight="600" lang="en" translate="no">
                        {line.symbol}{' '}
                      </Text>
                    )}
                    {t(`botLogs.${line.code}`, {
                      ...spokenFacts(line.facts, bot.currency, {
                        pricePrecision: line.symbol ? pairs?.get(line.symbol)?.pricePrecision : undefined,
                        moment,
                      }),
                      defaultValue: line.code,
                    })}
                  </span>
                </Flex>
              </chakra.li>
            ))}
          </Flex>
          <Pager page={page} pages={Math.max(1, Math.ceil(data.total / PAGE_SIZE))} onPage={setPage} />
        </>
      )}
      <ConfirmDialog
        open={asking}
        danger
        title={t('autoTrades.ask.deleteLogs.title', { name: bot.name })}
        confirm={t('autoTrades.action.deleteLogs')}
        onConfirm={() => run(bot, 'deleteLogs')}
        onClose={() => setAsking(false)}
      >
        <Text>{t('autoTrades.ask.deleteLogs.what')}</Text>
      </ConfirmDialog>
    </Panel>
  );
}

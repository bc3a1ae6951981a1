import { Box, Flex, Text } from '@chakra-ui/react';
import { formatPrice } from '@pilotfish/core/money/format';
import type { AlertFiring } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { useTranslation } from 'react-i18next';
import { usePairs } from '../prices/use-prices.ts';
import { Badge, Panel } from '../ui/controls.tsx';
import { EmptyState, ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { Pager } from '../ui/tables/pager.tsx';
import { useMoment } from '../ui/use-moment.ts';
import { HISTORY_PAGE, useAlertHistory, useFiringWords } from './use-price-alerts.ts';

/** What fired, newest first: when, at which price, whether late, and what became of telling it. */
export function AlertHistory({ page, symbol, onPage }: { page: number; symbol: string | undefined; onPage: (page: number) => void }) {
  const { t } = useTranslation();
  const { data, hasFailed, problem, retry } = useAlertHistory(page, symbol);
  if (!data) return <Panel>{hasFailed ? <ErrorPanel problem={problem} onRetry={retry} /> : <Skeleton rows={6} height={40} />}</Panel>;
  if (data.total === 0)
    return (
      <Panel>
        <EmptyState icon="alerts" title={t('alerts.page.noHistory')}>
          <Text>{t('alerts.page.noHistoryLead')}</Text>
        </EmptyState>
      </Panel>
    );
  return (
    <Panel>
      <Flex as="ul" direction="column" listStyleType="none">
        {data.items.map((firing) => (
          <Firing key={firing.id} firing={firing} />
        ))}
      </Flex>
      <Pager page={page} pages={Math.max(1, Math.ceil(data.total / HISTORY_PAGE))} onPage={onPage} />
    </Panel>
  );
}

function Firing({ firing }: { firing: AlertFiring }) {
  const { t } = useTranslation();
  const say = useFiringWords();
  const moment = useMoment();
  const pair = usePairs()?.get(firing.symbol ?? '');
  const delivery =
    firing.delivery === 'held' && firing.heldUntil
      ? t('alerts.delivery.held', { until: moment(firing.heldUntil) })
      : t(`alerts.delivery.${firing.delivery === 'held' ? 'sent' : firing.delivery}`);
  return (
    <Flex
      as="li"
      direction={{ base: 'column', sm: 'row' }}
      justify="space-between"
      gap={{ base: 1, sm: 5 }}
      py="3"
      borderTopWidth="1px"
      borderColor="border.subtle"
      css={{ '&:first-of-type': { borderTopWidth: 0 } }}
    >
      <Box minW="0">
        <Flex gap="2" align="center" wrap="wrap">
          <Text fontWeight="600" overflowWrap="anywhere">
            {say(firing)}
          </Text>
          {firing.late && (
            <Badge tone="secondary" title={t('alerts.page.lateHint')}>
              {t('alerts.page.late')}
            </Badge>
          )}
        </Flex>
        <Text fontSize="13px" color="fg.muted" overflowWrap="anywhere">
          {[
            delivery,
            ...firing.deliveries
              .filter(({ channel }) => channel !== 'app')
              .map(
                ({ channel, state, attempts }) =>
                  `${t(`notifications.channels.${channel}`)}: ${t(`alerts.channelState.${state}`, { defaultValue: state, count: attempts })}`,
              ),
            firing.reminders > 0 && t('alerts.page.reminders', { count: firing.reminders }),
            firing.acknowledgedAt && t('alerts.page.acknowledgedAt', { at: moment(firing.acknowledgedAt) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
        {firing.note !== '' && <Text fontSize="13px">“{firing.note}”</Text>}
      </Box>
      <Box textAlign={{ base: 'start', sm: 'end' }} flexShrink="0" css={{ fontVariantNumeric: 'tabular-nums' }}>
        {firing.price !== null && (
          <Text fontWeight="600">
            {formatPrice(firing.price, pair?.pricePrecision)} {pair?.quoteAsset}
          </Text>
        )}
        <Text fontSize="13px" color="fg.muted">
          <time dateTime={firing.at}>{moment(firing.at)}</time>
          {!firing.late && firing.latencyMs < 60_000 && ` · ${t('alerts.page.latency', { ms: Math.max(0, firing.latencyMs) })}`}
        </Text>
      </Box>
    </Flex>
  );
}

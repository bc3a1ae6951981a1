import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import type { AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { type StoredTrace, TRACE_KINDS, type TraceKind } from '@pilotfish/core/auto-trades/trace';
import { traceText } from '@pilotfish/core/auto-trades/trace-text';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePairs } from '../../prices/use-prices.ts';
import { Badge, Panel, Segments } from '../../ui/controls.tsx';
import { EmptyState, ErrorPanel, Skeleton } from '../../ui/state-panels.tsx';
import { Pager } from '../../ui/tables/pager.tsx';
import { useMoment } from '../../ui/use-moment.ts';
import { PAGE_SIZE, useTraces } from '../use-auto-trades.ts';

const TONES: Record<TraceKind, 'brand' | 'neutral' | 'secondary'> = {
  Entry: 'neutral',
  Buy: 'brand',
  CostMovedUp: 'neutral',
  TrailingCostExpired: 'secondary',
  Sell: 'brand',
  Exit: 'neutral',
};

/** Everything the bot did, newest first, as sentences; the exact figures open below each. */
export function TraceStory({ bot }: { bot: AutoTradeDetail }) {
  const { t } = useTranslation();
  const [kind, setKind] = useState<TraceKind | 'all'>('all');
  const [page, setPage] = useState(1);
  const { data, hasFailed, problem, retry } = useTraces(bot.id, page, kind === 'all' ? undefined : kind);
  return (
    <Panel display="flex" flexDirection="column" gap="4">
      <Segments
        label={t('autoTrades.story.filter')}
        value={kind}
        options={[
          { value: 'all' as const, label: t('prices.all') },
          ...TRACE_KINDS.map((value) => ({ value, label: t(`traceKinds.${value}`) })),
        ]}
        onChange={(next) => {
          setKind(next);
          setPage(1);
        }}
      />
      {hasFailed ? (
        <ErrorPanel problem={problem} onRetry={retry} />
      ) : !data ? (
        <Skeleton rows={8} height={26} />
      ) : data.items.length === 0 ? (
        <EmptyState icon="info" title={t('autoTrades.story.none')}>
          {t('autoTrades.story.noneLead')}
        </EmptyState>
      ) : (
        <>
          <Flex as="ol" direction="column" listStyleType="none">
            {data.items.map((trace) => (
              <TraceRow key={trace.id} trace={trace} currency={bot.currency} />
            ))}
          </Flex>
          <Pager page={page} pages={Math.max(1, Math.ceil(data.total / PAGE_SIZE))} onPage={setPage} />
        </>
      )}
    </Panel>
  );
}

function TraceRow({ trace, currency }: { trace: StoredTrace; currency: string }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const pricePrecision = usePairs()?.get(trace.symbol)?.pricePrecision;
  const text = traceText(trace, currency, (keys, values) => t(keys, values), pricePrecision);
  return (
    <chakra.li py="3" borderTopWidth="1px" borderColor="border.subtle" _first={{ borderTopWidth: '0' }}>
      <Flex gap="3" align="baseline" wrap={{ base: 'wrap', md: 'nowrap' }}>
        <Text className="figure" color="fg.muted" fontSize="13px" w="150px" flexShrink="0" textAlign="start">
          {moment(trace.at, 'second')}
        </Text>
        <Box w={{ base: 'auto', md: '170px' }} flexShrink="0">
          <Badge tone={TONES[trace.kind]}>{t(`traceKinds.${trace.kind}`)}</Badge>
        </Box>
        <Box flex={{ base: '1 0 100%', md: '1' }} minW="0">
          <Text>
            {!text.includes(trace.symbol) && (
              <Text as="span" fontWeight="600" lang="en" translate="no">
                {trace.symbol}{' '}
              </Text>
            )}
            {text}
          </Text>
          <chakra.details fontSize="13px" color="fg.muted">
            <chakra.summary cursor="pointer" w="fit-content">
              {t('autoTrades.story.figures')}
            </chakra.summary>
            <chakra.pre
              mt="2"
              p="3"
              bg="bg.raised"
              borderRadius="control"
              overflowX="auto"
              fontFamily="mono"
              fontSize="12px"
              lang="en"
              translate="no"
              tabIndex={0}
            >
              {JSON.stringify(
                {
                  seq: trace.seq,
                  price: trace.price,
                  bid: trace.bid,
                  ask: trace.ask,
                  reason: trace.reason,
                  before: trace.before,
                  after: trace.after,
                  orderId: trace.orderId,
                  clientOrderId: trace.clientOrderId,
                  tradeId: trace.tradeId,
                  configVersion: trace.configVersion,
                },
                null,
                1,
              )}
            </chakra.pre>
          </chakra.details>
        </Box>
      </Flex>
    </chakra.li>
  );
}

import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { formatResult } from '@pilotfish/core/money/format';
import { activityText } from '@pilotfish/core/overview/overview-words';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { usePairs } from '../prices/use-prices.ts';
import { Result } from '../ui/kit/result.tsx';
import { TitledPanel } from '../ui/kit/titled-panel.tsx';
import { useMoment } from '../ui/use-moment.ts';
import { type useActivity, useShownFacts } from './use-overview.ts';

/** What bots and alerts did since midnight, newest first. */
export function TodayPanel({ activity }: { activity: ReturnType<typeof useActivity> }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const shown = useShownFacts();
  const pairs = usePairs();
  const { data } = activity;
  const totals = data?.totals.map(({ mode, sells, realised, currency }) =>
    t(mode === 'paper' ? 'overview.sellsOnPaper' : 'overview.sells', { count: sells, realised: formatResult(realised, currency) }),
  );
  return (
    <TitledPanel
      title={t('overview.today')}
      count={totals?.join(' · ')}
      query={activity}
      rows={6}
      flush
      empty={data?.items.length === 0 ? <Text color="fg.muted">{t('overview.nothingToday')}</Text> : undefined}
    >
      <Box as="ul" listStyleType="none">
        {data?.items.map((row) => {
          const facts = shown(row.facts);
          const asset = row.symbol !== null && pairs?.get(row.symbol)?.baseAsset;
          const text = t(activityText(row), asset ? { ...facts, symbol: asset } : facts);
          const words = (
            <Text as="span" flex="1" minW="0" truncate title={text}>
              {text} {row.botName !== null && !text.includes(row.botName) && <chakra.span color="fg.subtle">{row.botName}</chakra.span>}
            </Text>
          );
          return (
            <Flex key={row.id} as="li" gap="2" px="4" py="7px" borderTopWidth="1px" borderColor="border.subtle" align="baseline">
              <chakra.time dateTime={row.at} color="fg.subtle" minW="40px" flexShrink="0" css={{ fontVariantNumeric: 'tabular-nums' }}>
                {moment(row.at, 'clock')}
              </chakra.time>
              {row.link === null ? (
                words
              ) : (
                <Flex asChild flex="1" minW="0" _hover={{ textDecoration: 'underline' }}>
                  <Link to={row.link}>{words}</Link>
                </Flex>
              )}
              {row.result !== null && <Result value={row.result} currency={row.currency ?? 'USDT'} reason="" />}
            </Flex>
          );
        })}
      </Box>
    </TitledPanel>
  );
}

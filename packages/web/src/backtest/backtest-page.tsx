import { Box, Flex, Text } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { useQuery } from '../platform/use-query.ts';
import { usePairs } from '../prices/use-prices.ts';
import { Notice, Panel, TextLink } from '../ui/controls.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { BacktestForm } from './backtest-form.tsx';
import { BacktestProblems } from './backtest-problems.tsx';
import { BacktestProgress } from './backtest-progress.tsx';
import { BacktestReport } from './backtest-report.tsx';
import { useBacktest } from './use-backtest.ts';

/** A bot tried on recorded candles: the period, the run, the report. */
export default function BacktestPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const {
    data: bot,
    hasFailed,
    problem,
    retry,
  } = useQuery(`auto-trade-settings:${id}`, (client, _: null, signal) => client.getAutoTrade({ params: { id } }, { signal }), null);
  const pairs = usePairs();
  const { run, state } = useBacktest(id);
  const isBusy = state.at === 'loading' || state.at === 'running';
  const own = bot && pairs ? bot.config.coins.symbols.flatMap((symbol) => pairs.get(symbol) ?? []) : undefined;
  return (
    <>
      <PageHeader
        title={bot ? t('backtest.title', { name: bot.name }) : t('routes.backtest')}
        lead={
          <>
            {t('backtest.lead')}{' '}
            <Text as="span" whiteSpace="nowrap">
              <TextLink to={`/auto-trade/detail/${id}`}>{t('backtest.back')}</TextLink>
            </Text>
          </>
        }
      />
      {!bot || !own ? (
        <Panel>{hasFailed ? <ErrorPanel problem={problem} onRetry={retry} /> : <Skeleton rows={5} height={36} />}</Panel>
      ) : (
        <Flex direction="column" gap="5">
          {own.length === 0 ? (
            <Notice tone="info">{t('backtest.noCoins')}</Notice>
          ) : (
            <BacktestForm config={bot.config} pairs={own} isBusy={isBusy} onStart={run.start} />
          )}
          {isBusy && <BacktestProgress state={state} onCancel={run.cancel} />}
          {state.at === 'refused' && <BacktestProblems problems={state.problems} />}
          {state.at === 'failed' && (
            <Notice tone="error" title={t(`backtest.failed.${state.code}`)}>
              {state.detail}
            </Notice>
          )}
          {state.at === 'done' && (
            <Box as="section" aria-label={t('backtest.report')}>
              <Text role="status" className="visually-hidden">
                {t('backtest.ready')}
              </Text>
              <BacktestReport document={state.document} candles={state.candles} pairs={own} />
            </Box>
          )}
        </Flex>
      )}
    </>
  );
}

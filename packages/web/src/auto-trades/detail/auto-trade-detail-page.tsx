import { Box, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import type { AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { autoTradeMachine } from '@pilotfish/core/auto-trades/engine/auto-trade-machine';
import { UNKNOWN } from '@pilotfish/core/money/format';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { NotPermitted } from '../../app/use-trading.tsx';
import { ComparisonPanel } from '../../comparison/comparison-panel.tsx';
import { LinkButton, Notice, Panel, Segments } from '../../ui/controls.tsx';
import { Result } from '../../ui/kit/result.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorPanel, Skeleton } from '../../ui/state-panels.tsx';
import { useMoment } from '../../ui/use-moment.ts';
import { BotActions, FrozenNotice } from '../bot-actions.tsx';
import { BotMode, BotStatus } from '../bot-marks.tsx';
import { CoinPauses } from '../coin-halts.tsx';
import { Figure } from '../figure.tsx';
import { useAutoTradeDetail } from '../use-auto-trades.ts';
import { BotLogs } from './bot-logs.tsx';
import { BotSettings } from './bot-settings.tsx';
import { shownName } from './chart-layout.ts';
import { Lifecycle } from './lifecycle.tsx';
import { PositionsView } from './positions-view.tsx';
import { TraceStory } from './trace-story.tsx';
import { WhyPanel } from './why-panel.tsx';

const TABS = ['positions', 'why', 'story', 'compare', 'logs', 'settings'] as const;
type Tab = (typeof TABS)[number];

/** One bot: what it is doing, why, and everything it did. */
export default function AutoTradeDetailPage() {
  const { t } = useTranslation();
  const moment = useMoment();
  const { id = '' } = useParams();
  const { data: bot, hasFailed, problem, retry, isStale, loadedAt } = useAutoTradeDetail(id);
  if (!bot)
    return (
      <>
        <PageHeader title={t('routes.autoTradeDetail')} />
        <Panel>{hasFailed ? <ErrorPanel problem={problem} onRetry={retry} /> : <Skeleton rows={8} height={30} />}</Panel>
      </>
    );
  return (
    <>
      {isStale && loadedAt !== undefined && (
        <Box mb="4">
          <Notice tone="warning">{t('autoTrades.stale', { time: moment(loadedAt, 'second') })}</Notice>
        </Box>
      )}
      <NotPermitted permission="bots" />
      <Detail bot={bot} />
    </>
  );
}

function Detail({ bot }: { bot: AutoTradeDetail }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const navigate = useNavigate();
  const [query, setQuery] = useSearchParams();
  const asked = query.get('tab');
  const tab: Tab = TABS.find((each) => each === asked) ?? 'positions';
  return (
    <Flex direction="column" gap="5">
      <Flex justify="space-between" gap="4" wrap="wrap" align="flex-start">
        <Box minW="0">
          <Heading as="h1" textStyle="display" overflowWrap="anywhere">
            {bot.name}
          </Heading>
          <Flex gap="1.5" mt="2" wrap="wrap" align="center">
            <BotStatus bot={bot} />
            <BotMode mode={bot.mode} />
            <Text color="fg.muted" fontSize="13px">
              {t('autoTrades.run', { run: bot.runNo, version: bot.configVersion })} · {bot.walletName}
            </Text>
          </Flex>
        </Box>
        <Flex gap="2" wrap="wrap">
          <LinkButton to={`/auto-trade/detail/${bot.id}/backtest`} size="sm" variant="outline" color="fg">
            {t('backtest.open')}
          </LinkButton>
          <LinkButton to={`/auto-trade/detail/${bot.id}/edit`} size="sm" variant="outline" color="fg">
            {t('autoTrades.edit')}
          </LinkButton>
          <BotActions bot={bot} onDeleted={() => void navigate('/auto-trade')} />
        </Flex>
      </Flex>
      <FrozenNotice bot={bot} />
      {bot.unreadPair && <Notice tone="error">{t('autoTrades.unreadPair', { pair: bot.unreadPair })}</Notice>}
      {(bot.stateReason || bot.pausedUntil) && (
        <Notice tone="warning" title={t(`botStates.${bot.state}`)}>
          {bot.stateReason && t(`botReasons.${bot.stateReason}`, { defaultValue: bot.stateReason })}
          {bot.pausedUntil && ` ${t('autoTrades.until', { time: moment(bot.pausedUntil, 'second') })}`}
        </Notice>
      )}
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) 260px' }} gap="5" alignItems="stretch">
        <Panel>
          <Heading as="h2" fontSize="16px" fontWeight="600" mb="3">
            {t('autoTrades.lifecycle')}
          </Heading>
          <Lifecycle
            machine={autoTradeMachine}
            current={bot.state.toLowerCase()}
            title={bot.name}
            stateName={(state) => t(`botStates.${shownName(state)}`)}
            // The keys hold dots themselves, so they are looked up with another separator.
            eventName={(event) => t(`botEvents/${event}`, { keySeparator: '/' })}
          />
        </Panel>
        <Panel>
          <Grid as="dl" templateColumns={{ base: '1fr 1fr', lg: '1fr' }} gap="3">
            <Figure term={t('autoTrades.today')} value={<Result value={bot.realisedToday} currency={bot.currency} reason="" unit />} />
            <Figure term={t('autoTrades.total')} value={<Result value={bot.realised} currency={bot.currency} reason="" unit />} />
            <Figure term={t('autoTrades.open')} value={`${bot.openPositions} / ${bot.config.maxOpenPositions}`} />
            <Figure term={t('autoTrades.coins')} value={coinNames(bot)} />
          </Grid>
        </Panel>
      </Grid>
      <CoinPauses bot={bot} />
      <Segments
        label={t('autoTrades.views')}
        size="sm"
        value={tab}
        options={TABS.map((value) => ({ value, label: t(`autoTrades.tab.${value}`) }))}
        onChange={(next) => setQuery(next === 'positions' ? {} : { tab: next }, { replace: true })}
      />
      {tab === 'positions' && <PositionsView bot={bot} />}
      {tab === 'why' && <WhyPanel bot={bot} />}
      {tab === 'story' && <TraceStory bot={bot} />}
      {tab === 'compare' && <ComparisonPanel id={bot.id} />}
      {tab === 'logs' && <BotLogs bot={bot} />}
      {tab === 'settings' && <BotSettings bot={bot} />}
    </Flex>
  );
}

const COINS_SHOWN = 8;
/** The coins it may enter now, in its order. */
const coinNames = ({ coins }: AutoTradeDetail): string =>
  coins.length === 0
    ? UNKNOWN
    : [...coins.slice(0, COINS_SHOWN), ...(coins.length > COINS_SHOWN ? [`+${coins.length - COINS_SHOWN}`] : [])].join(', ');

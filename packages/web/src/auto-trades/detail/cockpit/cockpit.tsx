import { Box, Flex, Grid } from '@chakra-ui/react';
import type { AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { isNothing } from '@pilotfish/core/money/figure';
import { formatResult } from '@pilotfish/core/money/format';
import { isUnstarted } from '@pilotfish/core/overview/first-days';
import { memo, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { NextStep } from '../../../app/next-step/next-step.tsx';
import { ComparisonPanel } from '../../../comparison/comparison-panel.tsx';
import { useLiveTickers } from '../../../prices/use-prices.ts';
import { Panel } from '../../../ui/controls.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { ThumbBar } from '../../../ui/thumb-bar.tsx';
import { useMedia } from '../../../ui/use-media.ts';
import { useStayingChoice } from '../../../ui/use-staying-choice.ts';
import { useTabTitle } from '../../../ui/use-tab-title.ts';
import { BotButton, type OfferedActions, useBotActions } from '../../bot-actions.tsx';
import { CoinPauses } from '../../coin-halts.tsx';
import { BotLogs } from '../bot-logs.tsx';
import { BotSettings } from '../bot-settings.tsx';
import { useNotStarted } from '../not-started.tsx';
import { PositionButtons } from '../position-actions.tsx';
import { TraceStory } from '../trace-story.tsx';
import { WhyPanel } from '../why-panel.tsx';
import { bannerOf, sendsExits } from './banner-kind.ts';
import { BotBanners } from './bot-banner.tsx';
import { BotHeader, MoreOfBot, placesOf } from './bot-header.tsx';
import { BotTabs, TABS, type Tab } from './bot-tabs.tsx';
import { ChartPanel } from './chart-panel.tsx';
import { type BotCoin, choiceOf, coinsOf, firstCoin, focusOf, isOver, tabsOf } from './chosen-coin.ts';
import { LevelsPanel } from './levels-panel.tsx';
import { PhasePanel } from './phase-panel.tsx';
import { PositionsTable } from './positions-table.tsx';
import { ResultPanel } from './result-panel.tsx';
import { type Cockpit, useCockpit, useCockpitKeys, useCoinName } from './use-cockpit.ts';
import { useFocusBack } from './use-focus-back.ts';
import { useLevelsDraft } from './use-levels-draft.ts';

/** A phone: the frame shows its own bars below this width. */
const PHONE = '(max-width: 767px)';

/** One bot: is it right, and what will it do. @param isOld the newest answer could not be had */
export function BotCockpit({ bot, isOld }: { bot: AutoTradeDetail; isOld: boolean }) {
  useLiveTickers();
  const navigate = useNavigate();
  const isPhone = useMedia(PHONE);
  const cockpit = useCockpit(bot, isOld);
  // Where only the tab is seen, what is open is; a bot that holds nothing is named alone.
  const open = cockpit.isStale ? undefined : cockpit.figures?.open;
  useTabTitle(bot.name, open == null || isNothing(open) ? undefined : formatResult(open, bot.currency));
  const actions = useBotActions(bot, { onDeleted: () => void navigate('/auto-trade') });
  const [address] = useSearchParams();
  const asked = address.get('coin') ?? undefined;
  const [choice, choose] = useStayingChoice(focusOf(bot, asked) ? asked : firstCoin(bot));
  const coins = useMemo(() => coinsOf(bot), [bot]);
  const coin = useMemo(() => focusOf(bot, choice), [bot, choice]);
  const levels = useRef<HTMLUListElement>(null);
  useCockpitKeys({
    onCoin: (index) => {
      const at = tabsOf(coins, coin?.symbol).tabs[index];
      if (at) choose(choiceOf(at.symbol));
    },
    onLevels: () => levels.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus(),
  });
  const isInForce = sendsExits(bot);
  const draft = useLevelsDraft(cockpit, coin, isInForce);
  useFocusBack(draft, levels);
  const hasNotice = useNotStarted(bot) !== undefined;
  const banner = bannerOf(bot);
  const isNew = banner === undefined && isUnstarted(bot) && actions.offered.includes('enable');
  const inBanner = banner?.action;
  const shared = { cockpit, coin };
  return (
    <Flex direction="column" gap={{ base: 2.5, md: 3 }}>
      <Box>
        <BotHeader cockpit={cockpit} actions={actions} banner={banner} inBanner={inBanner} isPhone={isPhone} />
        {/* The notice above says the same, and why. */}
        {!hasNotice && (
          <NextStep
            after={isNew ? 'bot' : 'start'}
            id={bot.id}
            name={bot.name}
            known={{ bots: [bot] }}
            side="above"
            // Its button stays in the header, or under the thumb: gone with the line, it would take the focus of the keyboard along.
            doneHere={({ id }) => (id === 'start' ? null : undefined)}
          />
        )}
      </Box>
      <BotBanners {...shared} banner={banner} actions={actions} onChoose={(symbol) => choose(choiceOf(symbol))} />
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) 316px' }} gap={{ base: 2.5, md: 3 }} alignItems="start">
        <ChartPanel
          {...shared}
          coins={coins}
          isPhone={isPhone}
          isInForce={isInForce}
          draft={draft}
          onChoose={(symbol) => choose(choiceOf(symbol))}
        />
        <Flex direction="column" gap={{ base: 2.5, md: 3 }} minW="0" gridRow={{ lg: 'span 2' }}>
          {/* A phone has the figures above its chart: the levels come right below it. */}
          {!isPhone && <ResultPanel cockpit={cockpit} />}
          {coin && <LevelsPanel cockpit={cockpit} coin={coin} isInForce={isInForce} draft={draft} list={levels} />}
          {coin && <PhasePanel cockpit={cockpit} coin={coin} />}
          {isPhone && <ResultPanel cockpit={cockpit} />}
        </Flex>
        <Views {...shared} onChoose={choose} />
      </Grid>
      {isPhone && <PhoneBar {...shared} actions={actions} inBanner={inBanner} />}
      {actions.dialogs}
    </Flex>
  );
}

/** The tabs below the chart, kept in the address. A level that is dragged draws none of them again. */
const Views = memo(function Views({
  cockpit,
  coin,
  onChoose,
}: {
  cockpit: Cockpit;
  coin: BotCoin | undefined;
  onChoose: (choice: string) => void;
}) {
  const { bot } = cockpit;
  const [query, setQuery] = useSearchParams();
  const asked = query.get('tab');
  const tab: Tab = TABS.find((each) => each === asked) ?? 'positions';
  return (
    <Box minW="0">
      <Panel p="0" overflow="hidden">
        <BotTabs
          botId={bot.id}
          value={tab}
          count={bot.positions.filter((position) => !isOver(position)).length}
          onChange={(next) => setQuery(next === 'positions' ? {} : { tab: next }, { replace: true })}
        />
        {tab === 'positions' && (
          <PositionsTable
            cockpit={cockpit}
            coin={coin}
            onChoose={(position) => onChoose(choiceOf(position.symbol, isOver(position) ? position.id : undefined))}
          />
        )}
      </Panel>
      {tab !== 'positions' && (
        <Flex direction="column" gap="3" mt="3">
          {tab === 'why' && (
            <>
              <CoinPauses bot={bot} />
              <WhyPanel bot={bot} />
            </>
          )}
          {tab === 'story' && <TraceStory bot={bot} />}
          {tab === 'compare' && <ComparisonPanel id={bot.id} />}
          {tab === 'logs' && <BotLogs bot={bot} />}
          {tab === 'settings' && <BotSettings bot={bot} />}
        </Flex>
      )}
    </Box>
  );
});

/** Under the thumb: selling what is looked at, the bot's first action, and the rest behind dots. */
function PhoneBar({
  cockpit: { bot },
  coin,
  actions,
  inBanner,
}: {
  cockpit: Cockpit;
  coin: BotCoin | undefined;
  actions: OfferedActions;
  inBanner: Parameters<typeof placesOf>[1];
}) {
  const { t } = useTranslation();
  const nameOf = useCoinName();
  const { main, stop, menu } = placesOf(actions.offered, inBanner);
  const position = coin?.position;
  return (
    <ThumbBar label={t('autoTrades.cockpit.actions')}>
      {position && (
        <PositionButtons
          key={position.id}
          bot={bot}
          position={position}
          only={{ action: 'sell', label: t('autoTrades.cockpit.sell', { coin: nameOf(position.symbol) }) }}
        />
      )}
      {main && (
        <BotButton action={main} px="2" css={{ '& svg': { flexShrink: 0 } }} {...actions.propsOf(main)}>
          {main === 'disable' && <Icon name="pause" size={15} />}
        </BotButton>
      )}
      <MoreOfBot bot={bot} actions={actions} menu={stop ? [...menu, 'halt'] : menu} large withEdit />
    </ThumbBar>
  );
}

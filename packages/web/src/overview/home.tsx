import { Flex, Grid } from '@chakra-ui/react';
import type { TradeMode } from '@pilotfish/core/http/wire';
import { formatResult } from '@pilotfish/core/money/format';
import { FIRST_DAYS_MEMORY, firstDays } from '@pilotfish/core/overview/first-days';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFirstDayFacts, useRemembered } from '../app/next-step/use-first-days.ts';
import { useAutoTrades, useHeld } from '../auto-trades/use-auto-trades.ts';
import { useAccount, useConfig } from '../platform/use-session.ts';
import { useMedia } from '../ui/use-media.ts';
import { useTabTitle } from '../ui/use-tab-title.ts';
import { BotsPanel } from './bots-panel.tsx';
import { DayOne } from './day-one.tsx';
import { EQUITY_RANGES, EquityPanel } from './equity-panel.tsx';
import { HeldPanel } from './held-panel.tsx';
import { HomeSentence } from './home-sentence.tsx';
import { NeedsPanel } from './needs-panel.tsx';
import { NextPanel } from './next-panel.tsx';
import { TodayPanel } from './today-panel.tsx';
import { useActivity, useEquity, useNeeds, useNextEvents, useOverviewNews } from './use-overview.ts';

/** A source that does not answer holds the others back no longer than this. */
const PATIENCE_MS = 3000;
function useLate(): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
}

/** Of the address: which panel shows what. */
type Views = { query: URLSearchParams; put: (key: string, value: string) => void };

/**
 * How am I doing, what needs me, what happens next. On a phone one column in the order of these questions; from 1680 px with
 * the market beside.
 * @param market panels of the market: below, or where there is room in a column of their own
 */
export function Home({ query, put, holdings, market }: Views & { holdings: ReactNode; market: ReactNode }) {
  const account = useAccount();
  const config = useConfig();
  const isConnected = account !== undefined && account.exchanges.length > 0;
  const asked = query.get('money');
  const mode: TradeMode = asked === 'paper' || asked === 'live' ? asked : isConnected || account === undefined ? 'live' : 'paper';
  const range = EQUITY_RANGES.find((each) => each === query.get('range')) ?? '30d';
  useOverviewNews();
  const equity = useEquity(mode, range);
  const held = useHeld(mode);
  const bots = useAutoTrades();
  const isPhone = !useMedia('(min-width: 768px)');
  const isWidest = useMedia('(min-width: 1680px)');
  const needs = useNeeds();
  const next = useNextEvents();
  const activity = useActivity();
  const isLate = useLate();
  const facts = useFirstDayFacts('home');
  const isReady =
    isLate || (facts.wallets !== undefined && [equity, held, bots, needs, next, activity].every(({ isLoading }) => !isLoading));
  const remember = useRemembered();
  const days = firstDays(facts);
  // While there is nothing to draw a curve of, the steps stand in its place; then beside it, until they are closed.
  const isDayOne = days !== undefined && held.data?.items.length === 0 && (equity.data === undefined || !isConnected);
  const isBeside = days !== undefined && !isDayOne && !facts.dismissed?.includes(FIRST_DAYS_MEMORY);
  const isPractice = config !== undefined && config.exchange !== 'binance';
  const { t } = useTranslation();
  const today = isDayOne || equity.isStale ? undefined : equity.data?.sinceMidnight?.change;
  useTabTitle(t('routes.landing'), today && equity.data && formatResult(today, equity.data.currency));
  const first = isDayOne ? (
    <DayOne days={days} isPractice={isPractice} />
  ) : (
    <>
      {isBeside && <DayOne days={days} isPractice={isPractice} onClose={() => remember(FIRST_DAYS_MEMORY)} />}
      <EquityPanel
        mode={mode}
        onMode={(value) => put('money', value)}
        range={range}
        onRange={(value) => put('range', value)}
        equity={equity}
        held={held}
      />
    </>
  );
  const botsPanel = <BotsPanel bots={bots} isOffered={isDayOne || isBeside} />;
  // Panels are as high as what they hold: shown one by one they would push each other about.
  if (!isReady) return <div className="skeleton" style={{ height: '80dvh' }} />;
  const positions = <HeldPanel held={held} whole={equity.data && { amount: equity.data.now.equity, currency: equity.data.currency }} />;
  if (isPhone)
    return (
      <>
        {first}
        <NeedsPanel needs={needs} />
        <NextPanel next={next} />
        {positions}
        {botsPanel}
        <TodayPanel activity={activity} />
        {isConnected && holdings}
        {market}
      </>
    );
  return (
    <>
      {equity.data && held.data && !isDayOne && <HomeSentence equity={equity.data} held={held.data} />}
      <Grid
        templateColumns={isWidest ? 'minmax(0, 1fr) 400px 360px' : { base: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) 372px' }}
        gap="3"
        alignItems="stretch"
      >
        <Flex direction="column" gap="3" minW="0">
          {first}
          {positions}
          {botsPanel}
        </Flex>
        <Flex direction="column" gap="3" minW="0">
          <NeedsPanel needs={needs} />
          <NextPanel next={next} />
          <TodayPanel activity={activity} />
          {!isWidest && isConnected && holdings}
        </Flex>
        {isWidest && (
          <Flex direction="column" gap="3" minW="0">
            {isConnected && holdings}
            {market}
          </Flex>
        )}
      </Grid>
      {!isWidest && market}
    </>
  );
}

import { Box, Flex } from '@chakra-ui/react';
import { isNothing } from '@pilotfish/core/money/figure';
import { formatResult } from '@pilotfish/core/money/format';
import type { Performance } from '@pilotfish/core/performance/performance-contract';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useAddress } from '../platform/use-address.ts';
import { Notice, Panel } from '../ui/controls.tsx';
import { DayCalendar, useMonth } from '../ui/kit/day-calendar.tsx';
import { Result } from '../ui/kit/result.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { Button } from '../ui/primitives.tsx';
import { EmptyState, ErrorPanel } from '../ui/state-panels.tsx';
import { useMedia } from '../ui/use-media.ts';
import { useMoment } from '../ui/use-moment.ts';
import { useTabTitle } from '../ui/use-tab-title.ts';
import { HoursPanel, MonthsPanel } from './bars-panels.tsx';
import { BotsPanel, CoinsPanel, ReasonsPanel } from './breakdown-panels.tsx';
import { DailyEquityPanel, EQUITY_HEIGHT } from './equity-panel.tsx';
import { FilterChips, NoneFiltered } from './filter-chips.tsx';
import { MorePanel } from './more-panel.tsx';
import { EquityGrid, PanelGrid } from './panel-grids.tsx';
import { isNarrowed, PERFORMANCE, type PerformanceAddress } from './performance-address.ts';
import { Figures, PHONE_FIGURES, useKeyFigures } from './performance-figures.tsx';
import { PerformanceToolbar } from './performance-toolbar.tsx';
import { usePageKeys } from './use-page-keys.ts';
import { type PerformanceView, usePerformance, useToday } from './use-performance.ts';
import { useWords, type Words } from './use-words.ts';

/** Does it work, and why. */
export default function PerformancePage() {
  const { t } = useTranslation();
  // Not in place of the one before: the browser's back takes a filter away again.
  const [address, change] = useAddress(PERFORMANCE, 'push');
  const today = useToday();
  const view = usePerformance(address, today);
  const { data } = view;
  const words = useWords(data);
  const isPhone = !useMedia('(min-width: 768px)');
  const own = useRef<HTMLDivElement>(null);
  const days = view.range?.days ?? data?.days;
  const calendar = useMonth(days ?? NO_DAYS);
  // Where only the tab is seen, the net result is.
  useTabTitle(t('routes.performance'), view.isOld || !data ? undefined : formatResult(data.net, data.currency));
  usePageKeys({
    onMonth: calendar.step,
    onRange: (range) => change({ range, day: undefined }),
    onOwn: () => own.current?.querySelector('button')?.click(),
  });
  return (
    <Flex direction="column" gap={{ base: '2.5', md: '3' }}>
      <PageTitle>{t('routes.performance')}</PageTitle>
      <PerformanceToolbar address={address} data={data} words={words} today={today} onChange={change} own={own} isPhone={isPhone} />
      <FilterChips address={address} words={words} onChange={change} />
      <Age view={view} />
      {view.hasFailed ? (
        <Panel>
          <ErrorPanel problem={view.problem} onRetry={view.retry} />
        </Panel>
      ) : data === undefined ? (
        <Waiting />
      ) : data.choices.first === null ? (
        <Empty data={data} />
      ) : (
        <Flex
          direction="column"
          gap={{ base: '2.5', md: '3' }}
          className={view.isOld || view.isStale ? 'stale' : undefined}
          aria-busy={view.isOld}
        >
          <Shown
            view={view}
            data={data}
            address={address}
            words={words}
            today={today}
            calendar={calendar}
            change={change}
            isPhone={isPhone}
          />
        </Flex>
      )}
    </Flex>
  );
}
const NO_DAYS: Performance['days'] = [];

/** How old the figures are, once newer ones cannot be had. */
function Age({ view }: { view: PerformanceView }) {
  const { t } = useTranslation();
  const moment = useMoment();
  if (!view.isStale || view.loadedAt === undefined) return null;
  return <Notice tone="warning">{t('positions.stale', { time: moment(view.loadedAt, 'second') })}</Notice>;
}

type ShownProps = {
  view: PerformanceView;
  data: Performance;
  address: PerformanceAddress;
  words: Words;
  today: string;
  calendar: ReturnType<typeof useMonth>;
  change: (changes: Partial<PerformanceAddress>) => void;
  isPhone: boolean;
};

function Shown({ view, data, address, words, today, calendar, change, isPhone }: ShownProps) {
  const figures = useKeyFigures(data, words, view.isNarrowed);
  const days = view.range?.days ?? data.days;
  const isWhole = data.days.length < 2 && view.range !== undefined && view.range !== data && view.range.days.length > 1;
  const shared = { data, address, words, onChange: change };
  // A fee that was paid with a coin has a result without an exit.
  const isNone = data.exits === 0 && isNothing(data.net);
  if (isNone && view.isNarrowed) return <NoneLeft data={data} address={address} words={words} change={change} />;
  return (
    <>
      <Figures figures={isPhone ? figures.slice(0, PHONE_FIGURES) : figures} isStale={view.isOld || view.isStale} />
      <EquityGrid>
        <DailyEquityPanel
          data={isWhole && view.range ? view.range : data}
          words={words}
          isNarrowed={view.isNarrowed}
          isWhole={isWhole}
          height={isPhone ? EQUITY_HEIGHT.phone : EQUITY_HEIGHT.desktop}
        />
        {calendar.month !== undefined && (
          <DayCalendar
            days={days}
            month={calendar.month}
            today={today}
            chosen={address.day}
            currency={data.currency}
            view={calendar}
            onDay={(day) => change({ day: day === address.day ? undefined : day })}
          />
        )}
      </EquityGrid>
      {isNone ? (
        <NoneLeft data={data} address={address} words={words} change={change} />
      ) : (
        <PanelGrid>
          <MonthsPanel {...shared} of={data.year.year} months={data.year.months} net={data.year.net} currency={data.currency} />
          <BotsPanel {...shared} />
          <ReasonsPanel {...shared} />
          <CoinsPanel {...shared} />
          <HoursPanel {...shared} />
          <MorePanel data={data} words={words} others={isPhone ? figures.slice(PHONE_FIGURES) : []} />
        </PanelGrid>
      )}
    </>
  );
}

/** No exit is left: by filters, or because the range has none. */
function NoneLeft({ data, address, words, change }: Pick<ShownProps, 'data' | 'address' | 'words' | 'change'>) {
  const { t } = useTranslation();
  if (address.day !== undefined || isNarrowed(address)) return <NoneFiltered onChange={change} />;
  return (
    <Panel>
      <EmptyState
        icon="calendar"
        title={t('performance.noneInRange')}
        action={
          <Button h={{ base: '11', md: '10' }} colorPalette="brand" onClick={() => change({ range: 'all' })}>
            {t('performance.showAll')}
          </Button>
        }
      >
        {data.choices.first !== null && t('performance.noneInRangeLead', { day: words.day(data.choices.first, true) })}
      </EmptyState>
    </Panel>
  );
}

/** Nothing was ever sold: what is open is all there is to say. */
function Empty({ data }: { data: Performance }) {
  const { t } = useTranslation();
  const { open, currency } = data;
  const said = t('performance.openPositions', { count: open.positions, amount: '\u0000' }).split('\u0000');
  return (
    <Panel>
      <EmptyState icon="trend" title={t('performance.emptyTitle')}>
        {t('performance.emptyLead')}
        <Box mt="3" color="fg" fontWeight="600">
          {open.positions === 0 ? (
            t('performance.nothingOpen')
          ) : (
            <>
              {said[0]}
              <Result value={open.result} currency={currency} unit reason={t('performance.unknown.price')} />
              {said[1]}
            </>
          )}
        </Box>
      </EmptyState>
    </Panel>
  );
}

/** As high as what will come, so that nothing moves when it does. */
const HEIGHTS = {
  figures: { base: '154px', md: '78px' },
  equity: { base: '372px', md: '404px' },
  calendar: { base: '352px', md: '404px' },
} as const;

const Waiting = () => {
  const { t } = useTranslation();
  const block = (name: keyof typeof HEIGHTS) => (
    <Panel p="0" minH={HEIGHTS[name]} display="flex">
      <Box className="skeleton" flex="1" m="3" />
    </Panel>
  );
  return (
    <>
      <span role="status" className="visually-hidden">
        {t('ui.loading')}
      </span>
      {block('figures')}
      <EquityGrid>
        {block('equity')}
        {block('calendar')}
      </EquityGrid>
    </>
  );
};

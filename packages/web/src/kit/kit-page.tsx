import { Box, chakra, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import { digits } from '@pilotfish/core/money/figure';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Sparkline } from '../ui/charts/sparkline.tsx';
import { Segments } from '../ui/controls.tsx';
import { ModeBadge, Tag } from '../ui/kit/badges.tsx';
import { BarList } from '../ui/kit/bar-list.tsx';
import { BotState, type StateShape } from '../ui/kit/bot-state.tsx';
import { FilterChip } from '../ui/kit/filter-chip.tsx';
import { KeyFigures } from '../ui/kit/key-figures.tsx';
import { type LevelItem, LevelList } from '../ui/kit/level-list.tsx';
import { LevelTrack } from '../ui/kit/level-track.tsx';
import { Menu, MenuButton } from '../ui/kit/menu.tsx';
import { Distance, Price } from '../ui/kit/price.tsx';
import { Points, Result, ResultPercent, Unit } from '../ui/kit/result.tsx';
import { StatusSentence } from '../ui/kit/status-sentence.tsx';
import { TitledPanel } from '../ui/kit/titled-panel.tsx';
import { Button } from '../ui/primitives.tsx';
import { Changes } from './kit-changes.tsx';
import { Charts } from './kit-chart.tsx';
import { Heat } from './kit-heat.tsx';
import { KIT_BARS, KIT_CURVE, KIT_LEVELS, KIT_TRACKS } from './kit-samples.ts';

const NO_PRICE = 'No price yet';

/** Every component of the kit in every state it has, for looking at; served in development only. */
export const KitPage = () => (
  <chakra.main p={{ base: '3', md: '7' }} maxW="1440px" fontSize="13px" lineHeight="18px">
    <Heading as="h1" textStyle="display" mb="4">
      Kit
    </Heading>
    <Flex direction="column" gap="3">
      <Figures />
      <Charts />
      <Heat />
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', lg: 'repeat(3, minmax(0, 1fr))' }} gap="3" alignItems="start">
        <Hierarchy />
        <Formats />
        <States />
        <Sentences />
        <Tracks />
        <Levels />
        <Changes />
        <Bars />
        <Choices />
        <Colours />
      </Grid>
      <Panels />
    </Flex>
  </chakra.main>
);

const Row = ({ name, children }: { name: string; children: ReactNode }) => (
  <Flex
    justify="space-between"
    align="center"
    gap="4"
    minH="33px"
    py="1"
    borderTopWidth="1px"
    borderColor="border.subtle"
    _first={{ borderTopWidth: '0' }}
  >
    <Box minW="0">{children}</Box>
    <Text color="fg.muted" fontSize="12px" textAlign="end">
      {name}
    </Text>
  </Flex>
);

const usdt = { currency: 'USDT', reason: NO_PRICE } as const;

const Figures = () => (
  <>
    <KeyFigures
      label="Live bots"
      figures={[
        { label: 'Open, live bots', figure: <Result value="-0.74" {...usdt} />, note: '4,382.40 in use' },
        { label: 'Today', figure: <Result value="66.96" {...usdt} />, note: '4 closed, 3 won' },
        {
          label: 'Total',
          figure: <Result value="1284.87" {...usdt} />,
          note: (
            <>
              <ResultPercent value="12.24" reason={NO_PRICE} /> on budget
            </>
          ),
        },
        { label: 'At risk', figure: '189.20', note: 'if every stop fills' },
        { label: 'Budget in use', figure: '42%', note: '4,382 of 10,500' },
        { label: 'Nothing yet', figure: <Result value="0" {...usdt} />, note: <ResultPercent value="0.001" reason={NO_PRICE} /> },
        { label: 'Unknown', figure: <Result value={null} {...usdt} />, note: 'dash with its reason' },
      ]}
    />
    <KeyFigures
      label="Live bots, old"
      isStale
      figures={[
        { label: 'Stale', figure: <Result value="66.96" {...usdt} />, note: '4 closed, 3 won' },
        { label: 'Stale', figure: <Result value="-12.1" {...usdt} />, note: 'since 14:40' },
      ].map((each, index) => ({ ...each, label: `${each.label} ${index + 1}` }))}
    />
  </>
);

const Hierarchy = () => (
  <TitledPanel title="Number hierarchy">
    <Row name="hero 36/42, one per page">
      <Text as="span" textStyle="hero">
        12,480.22
        <Unit>USDT</Unit>
      </Text>
    </Row>
    <Row name="display 28/34">
      <Text as="span" textStyle="display">
        <Result value="745.78" {...usdt} />
      </Text>
    </Row>
    <Row name="title 20/28">
      <Text as="span" textStyle="title">
        97,884.23
      </Text>
    </Row>
    <Row name="figure 17/24">
      <Text as="span" textStyle="figure">
        189.19
      </Text>
    </Row>
    <Row name="table 13/18, results 600">
      <Text as="span" fontWeight="600">
        <Result value="20.88" {...usdt} />
      </Text>
    </Row>
    <Row name="two lines, as in tables">
      <Text as="span" fontWeight="600">
        <Result value="20.88" percent="1.42" below {...usdt} />
      </Text>
    </Row>
    <Row name="beside, with its unit">
      <Result value="-17.29" percent="-1.14" unit {...usdt} />
    </Row>
  </TitledPanel>
);

const Formats = () => (
  <TitledPanel title="Figures">
    <Row name="Results: sign and tone, zero has neither">
      <Result value="20.88" {...usdt} /> &nbsp;
      <Result value="-17.29" {...usdt} /> &nbsp;
      <Result value="0" {...usdt} />
    </Row>
    <Row name="Prices by their tick size">
      <Price value="97884.23" places={2} reason={NO_PRICE} /> &nbsp;
      <Price value="0.6836" places={4} reason={NO_PRICE} /> &nbsp;
      <Price value="0.00000631" places={8} reason={NO_PRICE} />
    </Row>
    <Row name="Older than 5 s: grey, with its age">
      <Price value="97884.23" places={2} age={24_000} reason={NO_PRICE} />
    </Row>
    <Row name="Percent">
      <ResultPercent value="1.42" reason={NO_PRICE} /> &nbsp;
      <ResultPercent value="-3.4" reason={NO_PRICE} /> &nbsp;
      <ResultPercent value="0.001" reason={NO_PRICE} />
    </Row>
    <Row name="Distance: arrow, no tone">
      <Distance value="0.47" reason={NO_PRICE} /> &nbsp;
      <Distance value="-0.97" reason={NO_PRICE} /> &nbsp;
      <Distance value="0" reason={NO_PRICE} />
    </Row>
    <Row name="Points">
      <Points value="5.12" reason={NO_PRICE} /> &nbsp;
      <Points value="-0.4" reason={NO_PRICE} />
    </Row>
    <Row name="Unknown, with its reason">
      <Result value={null} {...usdt} /> &nbsp;
      <Price value={null} places={2} reason={NO_PRICE} />
    </Row>
    <Row name="Sparklines">
      <Flex gap="3">
        <Sparkline values={KIT_CURVE} tone="gain" />
        <Sparkline values={KIT_CURVE.map((each) => -each)} tone="loss" />
        <Sparkline values={[1, 1]} tone="muted" />
      </Flex>
    </Row>
  </TitledPanel>
);

const SHAPES: readonly (readonly [StateShape, string, string])[] = [
  ['running', 'Running', 'circle'],
  ['paused', 'Paused', 'two bars'],
  ['needs', 'Needs you', 'triangle; also Blocked'],
  ['stopped', 'Stopped', 'square'],
  ['off', 'Off', 'ring'],
];

function States() {
  const { t } = useTranslation();
  return (
    <TitledPanel title="Badges and states">
      <Row name="The account, once a page">
        <ModeBadge money="live" filled />
      </Row>
      <Row name="In rows">
        <Flex gap="2">
          <ModeBadge money="live" /> <ModeBadge money="paper" /> <ModeBadge money="test" />
        </Flex>
      </Row>
      {SHAPES.map(([shape, word, what]) => (
        <Row key={shape} name={what}>
          <BotState shape={shape}>{word}</BotState>
        </Row>
      ))}
      <Row name="Reasons of exits">
        <Flex gap="1.5">
          {['TakeProfit', 'StopLoss', 'Manual'].map((reason) => (
            <Tag key={reason}>{t(`exitReasons.${reason}`)}</Tag>
          ))}
        </Flex>
      </Row>
    </TitledPanel>
  );
}

const Sentences = () => (
  <TitledPanel title="Status sentence">
    {(
      [
        ['running', 'Running', 'Holds BTC and ETH.', 'BTC trailing stop arms at 98,340.75', '0.47'],
        ['running', 'Running', 'Flat.', 'Waits for RSI 1h above 60 with volume ×2', undefined],
        ['paused', 'Paused', '3 losses in a row.', 'Looks again at 18:40. Open positions still exit.', undefined],
        ['needs', 'Needs you', 'XRP sell rejected.', 'Below the minimum order value of 5.00 USDT', undefined],
        ['stopped', 'Stopped', 'Stopped by you at 14:40.', undefined, undefined],
      ] as const
    ).map(([shape, word, lead, next, distance]) => (
      <Flex key={lead} gap="3" py="1.5" align="baseline">
        <Box w="86px" flexShrink="0">
          <BotState shape={shape}>{word}</BotState>
        </Box>
        <StatusSentence lead={lead} {...(next ? { next } : {})} {...(distance ? { distance } : {})} />
      </Flex>
    ))}
  </TitledPanel>
);

const Tracks = () => (
  <TitledPanel title="Level track" count="stop · rebuys · break-even · price · target">
    <Flex direction="column" gap="4">
      {KIT_TRACKS.map(({ name, places, levels }) => (
        <Flex key={name} gap="4" lineHeight="1" pt="1.5">
          <Text w={{ base: '88px', md: '120px' }} flexShrink="0" color="fg.muted" lineHeight="8px">
            {name}
          </Text>
          <LevelTrack symbol={name} levels={levels} places={places} />
        </Flex>
      ))}
    </Flex>
  </TitledPanel>
);

const Levels = () => (
  <>
    <TitledPanel title="Levels" count="arrows go through them" flush>
      <LevelList label="Levels" items={KIT_LEVELS.map(levelItem)} />
    </TitledPanel>
    <TitledPanel title="Levels that can be moved" count="Enter takes hold" flush>
      <LevelList
        label="Levels that can be moved"
        items={KIT_LEVELS.map((level) => ({ ...levelItem(level), ...gripOf(level) }))}
        moves={{ onTake: () => undefined, onKeyDown: () => false, hint: 'Enter takes hold.' }}
      />
    </TitledPanel>
    <TitledPanel title="Levels out of force" flush>
      <LevelList label="Levels out of force" items={KIT_LEVELS.slice(2).map(levelItem)} isStale />
    </TitledPanel>
  </>
);

const levelItem = ({ result, price, ...level }: (typeof KIT_LEVELS)[number]): LevelItem => ({
  ...level,
  price: <Price value={price} places={2} reason={NO_PRICE} />,
  ...(result !== undefined && { outcome: <Result value={result} {...usdt} /> }),
});

const MOVABLE: Readonly<Record<string, string>> = { tp: 'Take profit 1', arm: 'Trailing start', stop: 'Stop' };
function gripOf({ id, price }: (typeof KIT_LEVELS)[number]): Partial<LevelItem> {
  const label = MOVABLE[id];
  if (label === undefined) return {};
  const grip = { label, value: `${label} ${digits(price)}`, now: Number(price) };
  return id === 'stop' ? { grip, isTaken: true, draft: '95,900.00' } : { grip };
}

const Bars = () => (
  <TitledPanel title="By coin" count="net result, USDT">
    <BarList
      label="By coin"
      rows={KIT_BARS.map(({ coin, pnl, exits }) => ({
        key: coin,
        label: coin,
        size: Number(pnl),
        figure: <Result value={pnl} {...usdt} />,
        note: `${exits} exits`,
      }))}
    />
  </TitledPanel>
);

function Choices() {
  const [interval, setInterval] = useState('15m');
  const [state, setState] = useState('all');
  const [open, setOpen] = useState(true);
  return (
    <TitledPanel title="Actions and filters">
      <Flex direction="column" gap="3" align="flex-start">
        <Flex gap="2" wrap="wrap">
          <Button size="sm">Move stop</Button>
          <Button size="sm" variant="outline" color="fg">
            Edit
          </Button>
          <Button size="sm" variant="outline" colorPalette="danger">
            Stop bot
          </Button>
          <Menu
            label="More"
            items={(close) => (
              <>
                <MenuButton onClick={close}>Freeze</MenuButton>
                <MenuButton disabled>Reset</MenuButton>
                <MenuButton color="danger.fg" onClick={close}>
                  Delete
                </MenuButton>
              </>
            )}
          />
        </Flex>
        <Segments
          label="Interval"
          options={['5m', '15m', '1h'].map((value) => ({ value, label: value }))}
          value={interval}
          onChange={setInterval}
        />
        <Segments
          label="State"
          options={[
            { value: 'all', label: 'All', count: 7 },
            { value: 'needs', label: 'Needs you', count: 1 },
            { value: 'running', label: 'Running', count: 4 },
          ]}
          value={state}
          onChange={setState}
        />
        <Flex gap="2" wrap="wrap">
          <FilterChip active menu onClick={() => undefined}>
            November
          </FilterChip>
          <FilterChip active={open} onClick={() => setOpen(!open)}>
            Open only
          </FilterChip>
          <FilterChip active clears onClick={() => undefined}>
            BTC
          </FilterChip>
          <FilterChip active={false} onClick={() => undefined}>
            Losses
          </FilterChip>
        </Flex>
      </Flex>
    </TitledPanel>
  );
}

const COLOURS = [
  ['fg', 'Text, and figures that are no result'],
  ['fg.muted', 'Labels, notes'],
  ['fg.subtle', 'Units, old figures'],
  ['brand.solid', 'The one main action, focus, where one is'],
  ['gain', 'Text of a gain'],
  ['loss', 'Text of a loss'],
  ['chart.up', 'Candles, bars and tracks that gain'],
  ['chart.down', 'Those that lose'],
  ['chart.line', 'Curves'],
  ['secondary.solid', 'Needs you, a change not confirmed, practice'],
  ['warning', 'A missing guard, a pause'],
  ['danger.solid', 'Stop and sell, in their dialog'],
] as const;

const Colours = () => (
  <Box gridColumn={{ lg: 'span 2' }} h="100%">
    <TitledPanel title="Colour" count="#light, #blue-orange and #tr in the address">
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' }} columnGap="6">
        {COLOURS.map(([token, what]) => (
          <Flex key={token} align="center" gap="3" minH="9" fontSize="12px">
            <Box w="28px" h="20px" flexShrink="0" borderRadius="4px" bg={token} />
            <chakra.b w="108px" flexShrink="0" fontWeight="500">
              {token}
            </chakra.b>
            <Text color="fg.muted" truncate>
              {what}
            </Text>
          </Flex>
        ))}
      </Grid>
    </TitledPanel>
  </Box>
);

function Panels() {
  const query = { data: undefined, hasFailed: false, problem: undefined, retry: () => undefined };
  const rows = <Text color="fg.muted">BTC, ETH, SOL</Text>;
  return (
    <Grid templateColumns={{ base: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))', lg: 'repeat(5, minmax(0, 1fr))' }} gap="3">
      <TitledPanel
        title="With rows"
        count="5 · 5,023.62 USDT"
        actions={
          <Button size="xs" variant="ghost" color="fg.muted">
            All
          </Button>
        }
      >
        {rows}
      </TitledPanel>
      <TitledPanel title="Empty" empty={<Text color="fg.muted">Positions appear here after the first buy.</Text>} />
      <TitledPanel title="Loading" query={query} />
      <TitledPanel title="Failed" query={{ ...query, hasFailed: true, problem: { code: 'internal' } as never }} />
      <TitledPanel title="Old" count="as of 14:40" query={{ ...query, data: [], isStale: true }}>
        <Result value="20.88" {...usdt} />
      </TitledPanel>
    </Grid>
  );
}

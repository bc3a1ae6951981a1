import type { AutoTradePosition, Evaluation } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { StoredTrace } from '@pilotfish/core/auto-trades/trace';
import { decimal, divide, HUNDRED, isZero, multiply, placesOf, subtract, toText } from '@pilotfish/core/money/decimal';
import { formatFixed, formatPercent, formatQuantity, formatSigned } from '@pilotfish/core/money/format';
import { Box, Text, useInput, useStdout } from 'ink';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { EXIT, SIGNAL_EXIT } from '../app/exit-codes.ts';
import type { Translate } from '../app/texts.ts';
import { localTime } from '../ui/output.ts';
import { attentionText, sentence } from './bot-columns.ts';
import type { BotScreenStore } from './bot-screen-store.ts';
import { livePositions } from './find-bot-position.ts';
import { positionMarks, rowsOfMarks, standstills } from './position-marks.ts';
import { waiting } from './why.ts';

const TONES: Readonly<Record<string, string>> = {
  Running: 'green',
  Paused: 'yellow',
  Blocked: 'yellow',
  Halted: 'red',
  live: 'green',
  connecting: 'yellow',
  offline: 'red',
};
const toneOf = (signed: string): string => (/^-.*[1-9]/.test(signed) ? 'red' : /[1-9]/.test(signed) ? 'green' : 'white');

/** Where the lines of a position begin: below what follows the name of its pair. */
const INDENT = 11;

/**
 * How many coins find room in so many rows: positions with all their lines first, then the watched. Of the first
 * position as much is shown as fits.
 */
export function coinsThatFit(
  held: readonly { readonly marks: readonly string[] }[],
  watched: number,
  rows: number,
): { held: number; watched: number; rows: number; marksOfFirst: number } {
  let used = 0;
  let count = 0;
  let marksOfFirst = 0;
  for (const { marks } of held) {
    const needed = count === 0 ? Math.min(1 + marks.length, rows) : 1 + marks.length;
    if (used + needed > rows) break;
    if (count === 0) marksOfFirst = needed - 1;
    used += needed;
    count += 1;
  }
  const others = count < held.length ? 0 : Math.min(watched, rows - used);
  return { held: count, watched: others, rows: used + others, marksOfFirst };
}

function useSize(): { columns: number; rows: number } {
  const { stdout } = useStdout();
  const read = () => ({ columns: stdout.columns ?? 80, rows: stdout.rows ?? 24 });
  const [size, setSize] = useState(read);
  useEffect(() => {
    const onResize = () => setSize(read());
    stdout.on('resize', onResize);
    return () => void stdout.off('resize', onResize);
  });
  return size;
}

/** One bot, live: its state, what each coin holds and waits for, and the last traces as a story. */
export function BotView({
  store,
  t,
  unicode,
  leave,
}: {
  store: BotScreenStore;
  t: Translate;
  unicode: boolean;
  leave: (exit: number) => void;
}) {
  const { detail, traces, prices, status } = useSyncExternalStore(store.subscribe, store.get);
  const { columns, rows } = useSize();
  const [help, setHelp] = useState(false);
  useInput((input, key) => {
    if (key.ctrl && input === 'c') leave(SIGNAL_EXIT.SIGINT);
    else if (input === 'q' || key.escape) leave(EXIT.done);
    else if (input === '?') setHelp((shown) => !shown);
  });
  const held = livePositions(detail).map((position) => ({ position, marks: rowsOfMarks(positionMarks(t, position), columns - INDENT) }));
  const heldSymbols = new Set(held.map(({ position }) => position.symbol));
  const watched = detail.evaluations.filter(({ symbol }) => !heldSymbols.has(symbol));
  // A frame as high as the terminal would make Ink clear it at every change.
  const room = Math.max(10, rows - 1);
  const still = standstills(t, detail);
  const notes = still.slice(0, room >= 20 ? 3 : 1);
  const left = room - 7 - notes.length;
  const shown = coinsThatFit(held, watched.length, Math.max(2, Math.floor((left * 3) / 5)));
  const shownHeld = held.slice(0, shown.held);
  const shownWatched = watched.slice(0, shown.watched);
  const hidden = held.length + watched.length - shownHeld.length - shownWatched.length;
  const forStory = Math.max(2, left - shown.rows - (hidden > 0 ? 1 : 0));
  const story = storyThatFits(
    traces.map((trace) => ({ trace, text: sentence(t, trace, detail.currency) })),
    forStory,
    columns,
    t,
  );
  return (
    <Box flexDirection="column" width={columns} height={room}>
      <Box>
        <Text bold>{detail.name}</Text>
        <Text> </Text>
        <Text color={TONES[detail.state] ?? 'gray'}>{t(`botStates.${detail.state}`)}</Text>
        <Text> </Text>
        {detail.exchange === 'simulated' ? (
          <Text backgroundColor="#ffaf00" color="black">
            {` ${t('exchange.simulated.short').toLocaleUpperCase()} `}
          </Text>
        ) : (
          <Text>{detail.exchange}</Text>
        )}
        <Box flexGrow={1} />
        <Text color={TONES[status] ?? 'gray'}>
          {unicode ? '●' : '*'} {t(`stream.${status}`)}
        </Text>
      </Box>
      <Text wrap="truncate">
        {t('cli.watch.summary', {
          wallet: detail.walletName,
          mode: t(`cli.modes.${detail.mode}`),
          run: detail.runNo,
          open: detail.openPositions,
          max: detail.config.maxOpenPositions,
        })}
        {'  '}
        <Text color={toneOf(detail.realised)}>{formatSigned(detail.realised)}</Text> {detail.currency}
        {'  '}
        {t('cli.watch.today')} <Text color={toneOf(detail.realisedToday)}>{formatSigned(detail.realisedToday)}</Text>
      </Text>
      {notes.map((note) => (
        <Text key={note} color="yellow" wrap="truncate">
          {note}
        </Text>
      ))}
      <Rule columns={columns} title={t('cli.watch.coins')} unicode={unicode} />
      {shownHeld.map(({ position, marks }, index) => (
        <PositionLines
          key={position.id}
          position={position}
          marks={index === 0 ? marks.slice(0, shown.marksOfFirst) : marks}
          price={prices.get(position.symbol)}
          t={t}
        />
      ))}
      {shownWatched.map((evaluation) => (
        <WatchLine key={evaluation.symbol} evaluation={evaluation} price={prices.get(evaluation.symbol)} t={t} />
      ))}
      {hidden > 0 ? <Text dimColor>{t('cli.watch.more', { count: hidden })}</Text> : null}
      <Rule columns={columns} title={t('cli.watch.story')} unicode={unicode} />
      {story.length === 0 ? <Text dimColor>{t('cli.empty.traces')}</Text> : null}
      {story.map(({ trace, text }) => (
        <Text key={trace.seq}>
          <Text dimColor>{timeOf(trace)}</Text> {trace.symbol} <Text color={KIND_TONES[trace.kind]}>{t(`traceKinds.${trace.kind}`)}</Text>{' '}
          {text}
        </Text>
      ))}
      <Box flexGrow={1} />
      <Text dimColor wrap="truncate">
        {help ? t('cli.watch.help') : t('cli.watch.keys')}
      </Text>
    </Box>
  );
}

function Rule({ columns, title, unicode }: { columns: number; title: string; unicode: boolean }) {
  const line = (unicode ? '─' : '-').repeat(Math.max(0, columns - title.length - 4));
  return (
    <Text dimColor wrap="truncate">
      {unicode ? '─' : '-'} {title} {line}
    </Text>
  );
}

/** How far a price lies from a cost, in percent; for reading only. */
export const changePct = (cost: string, price: string): string =>
  isZero(decimal(cost)) ? '0' : toText(divide(multiply(subtract(decimal(price), decimal(cost)), HUNDRED), decimal(cost), 4));

function Gain({ change }: { change: string }) {
  return <Text color={toneOf(change)}>{`  ${formatPercent(change)}`}</Text>;
}

/** What is held and what it cost; and below, every line that is drawn for it. */
function PositionLines({
  position,
  marks,
  price,
  t,
}: {
  position: AutoTradePosition;
  marks: readonly string[];
  price: string | undefined;
  t: Translate;
}) {
  const { symbol, state, quantity, averageCost, realised, attention } = position;
  return (
    <Box flexDirection="column">
      <Text wrap="truncate">
        <Text bold>{symbol.padEnd(10)}</Text>{' '}
        <Text color={state === 'Protected' ? 'green' : state === 'NeedsAttention' ? 'red' : 'cyan'}>{t(`positionStates.${state}`)}</Text>
        {attention ? <Text color="red"> {attentionText(t, attention)}</Text> : null}
        {price ? `  ${formatQuantity(price)}` : ''}
        {averageCost
          ? `  ${formatQuantity(quantity)} ${t('cli.watch.at')} ${formatQuantity(averageCost, Math.max(2, placesOf(decimal(price ?? averageCost))))}`
          : ''}
        {averageCost && price ? <Gain change={changePct(averageCost, price)} /> : null}
        {/[1-9]/.test(realised) ? <Text color={toneOf(realised)}>{`  ${formatSigned(realised)}`}</Text> : null}
      </Text>
      {marks.map((row) => (
        <Text key={row} dimColor wrap="truncate">
          {' '.repeat(INDENT)}
          {row}
        </Text>
      ))}
    </Box>
  );
}

function WatchLine({ evaluation, price, t }: { evaluation: Evaluation; price: string | undefined; t: Translate }) {
  const { symbol, state, stoppedBy } = evaluation;
  const shown = price ?? evaluation.price;
  const next = waiting(t, evaluation);
  return (
    <Text wrap="truncate">
      <Text bold>{symbol.padEnd(10)}</Text> {t(`positionStates.${state}`)}
      {shown ? `  ${formatQuantity(formatFixed(shown, 8).replaceAll(',', ''))}` : ''}
      <Text dimColor>{next ? `  ${next}` : stoppedBy ? `  ${t(`why.${stoppedBy}`)}` : ''}</Text>
    </Text>
  );
}

const KIND_TONES = {
  Entry: 'cyan',
  Buy: 'blue',
  CostMovedUp: 'green',
  TrailingCostExpired: 'yellow',
  Sell: 'magenta',
  Exit: 'white',
} as const;
const timeOf = ({ at }: StoredTrace): string => localTime(at).slice(11);

type Told = { trace: StoredTrace; text: string };

/** The newest traces whose sentences fit into so many lines, oldest first. Sentences wrap: half of one says little. */
export function storyThatFits(told: readonly Told[], lines: number, columns: number, t: Translate): Told[] {
  const fitting: Told[] = [];
  let left = lines;
  for (const each of [...told].reverse()) {
    const letters = timeOf(each.trace).length + each.trace.symbol.length + t(`traceKinds.${each.trace.kind}`).length + each.text.length + 3;
    // Words are not split, so a wrapped line may stay a little shorter than the screen.
    left -= letters <= columns ? 1 : Math.ceil(letters / Math.max(20, columns - 10));
    if (left < 0) break;
    fitting.unshift(each);
  }
  return fitting;
}

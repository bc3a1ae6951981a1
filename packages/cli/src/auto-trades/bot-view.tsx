import type { AutoTradePosition, Evaluation } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { isTraded, livePositions } from '@pilotfish/core/auto-trades/held-positions';
import type { StoredTrace } from '@pilotfish/core/auto-trades/trace';
import { isolated } from '@pilotfish/core/fields/isolated';
import { decimal, divide, HUNDRED, isZero, multiply, subtract, toText } from '@pilotfish/core/money/decimal';
import { isNothing, type Percent, type Price } from '@pilotfish/core/money/figure';
import { formatPercent, formatPrice, formatQuantity, formatSigned } from '@pilotfish/core/money/format';
import { Box, Text, useInput, useStdout } from 'ink';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { EXIT, SIGNAL_EXIT } from '../app/exit-codes.ts';
import type { Places } from '../app/price-places.ts';
import type { Translate } from '../app/texts.ts';
import { type Colours, tint } from '../ui/colour.ts';
import { columnsOf, padded } from '../ui/text-columns.ts';
import { localTime } from '../ui/times.ts';
import { wrapped } from '../ui/wrap.ts';
import { attentionText, sentence } from './bot-columns.ts';
import type { BotScreenStore } from './bot-screen-store.ts';
import { positionMarks, rowsOfMarks, standstills } from './position-marks.ts';
import { waiting } from './why.ts';

type Tone = keyof Colours | undefined;

const TONES: Readonly<Record<string, keyof Colours>> = {
  Running: 'green',
  Paused: 'yellow',
  Blocked: 'yellow',
  Halted: 'red',
  live: 'green',
  connecting: 'yellow',
  offline: 'red',
};
/** Colours are those of the run: Ink's own ones are settled once for the whole process. */
const toned = (paint: Colours, tone: Tone, text: string): string => (tone ? paint[tone](text) : text);

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
  paint,
  places,
  leave,
}: {
  store: BotScreenStore;
  t: Translate;
  unicode: boolean;
  paint: Colours;
  places: Places;
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
  const held = livePositions(detail).map((position) => ({
    position,
    marks: rowsOfMarks(positionMarks(t, position, places(position.symbol)), columns - INDENT),
  }));
  const heldSymbols = new Set(held.map(({ position }) => position.symbol));
  const watched = detail.evaluations.filter(({ symbol }) => !heldSymbols.has(symbol));
  // A frame as high as the terminal would make Ink clear it at every change.
  const room = Math.max(10, rows - 1);
  const still = standstills(t, detail);
  // What an exchange says is longer than a line.
  const notes = still.flatMap((line) => wrapped(line, columns, columnsOf)).slice(0, room >= 20 ? 3 : 1);
  const left = room - 7 - notes.length;
  const shown = coinsThatFit(held, watched.length, Math.max(2, Math.floor((left * 3) / 5)));
  const shownHeld = held.slice(0, shown.held);
  const shownWatched = watched.slice(0, shown.watched);
  const hidden = held.length + watched.length - shownHeld.length - shownWatched.length;
  const forStory = Math.max(2, left - shown.rows - (hidden > 0 ? 1 : 0));
  const story = storyThatFits(
    traces.map((trace) => ({ trace, text: sentence(t, trace, detail.currency, places(trace.symbol)) })),
    forStory,
    columns,
    t,
  );
  return (
    <Box flexDirection="column" width={columns} height={room}>
      <Box>
        <Text>{paint.bold(isolated(detail.name))}</Text>
        <Text> </Text>
        <Text>{toned(paint, TONES[detail.state] ?? 'gray', t(`botStates.${detail.state}`))}</Text>
        <Text> </Text>
        {detail.exchange === 'simulated' ? (
          <Text>{paint.simulated(` ${t('exchange.simulated.short').toLocaleUpperCase()} `)}</Text>
        ) : (
          <Text>{detail.exchange}</Text>
        )}
        <Box flexGrow={1} />
        <Text>{toned(paint, TONES[status] ?? 'gray', `${unicode ? '●' : '*'} ${t(`stream.${status}`)}`)}</Text>
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
        {tint(paint, formatSigned(detail.realised, detail.currency))} {detail.currency}
        {'  '}
        {t('cli.watch.today')} {tint(paint, formatSigned(detail.realisedToday, detail.currency))}
      </Text>
      {notes.map((note) => (
        <Text key={note} wrap="truncate">
          {paint.yellow(note)}
        </Text>
      ))}
      <Rule columns={columns} title={t('cli.watch.coins')} unicode={unicode} paint={paint} />
      {shownHeld.map(({ position, marks }, index) => (
        <PositionLines
          key={position.id}
          position={position}
          currency={detail.currency}
          marks={index === 0 ? marks.slice(0, shown.marksOfFirst) : marks}
          isTraded={isTraded(detail, position.symbol)}
          price={prices.get(position.symbol)}
          places={places(position.symbol)}
          t={t}
          paint={paint}
        />
      ))}
      {shownWatched.map((evaluation) => (
        <WatchLine
          key={evaluation.symbol}
          evaluation={evaluation}
          price={prices.get(evaluation.symbol)}
          places={places(evaluation.symbol)}
          t={t}
          paint={paint}
        />
      ))}
      {hidden > 0 ? <Text>{paint.dim(t('cli.watch.more', { count: hidden }))}</Text> : null}
      <Rule columns={columns} title={t('cli.watch.story')} unicode={unicode} paint={paint} />
      {story.length === 0 ? <Text>{paint.dim(t('cli.empty.traces'))}</Text> : null}
      {story.map(({ trace, text }) => (
        <Text key={trace.seq}>
          {paint.dim(timeOf(trace))} {trace.symbol} {toned(paint, KIND_TONES[trace.kind], t(`traceKinds.${trace.kind}`))} {text}
        </Text>
      ))}
      <Box flexGrow={1} />
      <Text wrap="truncate">{paint.dim(help ? t('cli.watch.help') : t('cli.watch.keys'))}</Text>
    </Box>
  );
}

function Rule({ columns, title, unicode, paint }: { columns: number; title: string; unicode: boolean; paint: Colours }) {
  const line = (unicode ? '─' : '-').repeat(Math.max(0, columns - title.length - 4));
  return <Text wrap="truncate">{paint.dim(`${unicode ? '─' : '-'} ${title} ${line}`)}</Text>;
}

/** How far a price lies from a cost, in percent; for reading only. */
export const changePct = (cost: Price, price: Price): Percent =>
  isZero(decimal(cost)) ? '0' : toText(divide(multiply(subtract(decimal(price), decimal(cost)), HUNDRED), decimal(cost), 4));

/** What is held and what it cost; and below, every line that is drawn for it. */
function PositionLines({
  position,
  currency,
  marks,
  isTraded: trades,
  price: last,
  places,
  t,
  paint,
}: {
  position: AutoTradePosition;
  currency: string;
  marks: readonly string[];
  isTraded: boolean;
  price: Price | undefined;
  places: number | undefined;
  t: Translate;
  paint: Colours;
}) {
  const { symbol, state, quantity, averageCost, realised, attention } = position;
  // One that stands since trading stopped would be read as what the coin is worth.
  const price = trades ? last : undefined;
  return (
    <Box flexDirection="column">
      <Text wrap="truncate">
        {paint.bold(padded(symbol, 10))}{' '}
        {toned(paint, state === 'Protected' ? 'green' : state === 'NeedsAttention' ? 'red' : 'cyan', t(`positionStates.${state}`))}
        {attention ? paint.red(` ${attentionText(t, attention)}`) : ''}
        {price ? `  ${formatPrice(price, places)}` : ''}
        {trades ? '' : `  ${paint.yellow(t('waitsFor.trading'))}`}
        {averageCost ? `  ${formatQuantity(quantity)} ${t('cli.watch.at')} ${formatPrice(averageCost, places)}` : ''}
        {averageCost && price ? `  ${tint(paint, formatPercent(changePct(averageCost, price)))}` : ''}
        {isNothing(realised) ? '' : `  ${tint(paint, formatSigned(realised, currency))}`}
      </Text>
      {marks.map((row) => (
        <Text key={row} wrap="truncate">
          {' '.repeat(INDENT) + paint.dim(row)}
        </Text>
      ))}
    </Box>
  );
}

function WatchLine({
  evaluation,
  price,
  places,
  t,
  paint,
}: {
  evaluation: Evaluation;
  price: Price | undefined;
  places: number | undefined;
  t: Translate;
  paint: Colours;
}) {
  const { symbol, state, stoppedBy } = evaluation;
  const shown = price ?? evaluation.price;
  const next = waiting(t, evaluation, places);
  return (
    <Text wrap="truncate">
      {paint.bold(padded(symbol, 10))} {t(`positionStates.${state}`)}
      {shown ? `  ${formatPrice(shown, places)}` : ''}
      {paint.dim(next ? `  ${next}` : stoppedBy ? `  ${t(`why.${stoppedBy}`)}` : '')}
    </Text>
  );
}

const KIND_TONES: Readonly<Record<StoredTrace['kind'], Tone>> = {
  Entry: 'cyan',
  Buy: 'blue',
  CostMovedUp: 'green',
  TrailingCostExpired: 'yellow',
  Sell: 'magenta',
  Exit: undefined,
} as const;
const timeOf = ({ at }: StoredTrace): string => localTime(at);

type Told = { trace: StoredTrace; text: string };

/** The newest traces whose sentences fit into so many lines, oldest first. Sentences wrap: half of one says little. */
export function storyThatFits(told: readonly Told[], lines: number, columns: number, t: Translate): Told[] {
  const fitting: Told[] = [];
  let left = lines;
  for (const each of [...told].reverse()) {
    const letters = timeOf(each.trace).length + columnsOf(each.trace.symbol + t(`traceKinds.${each.trace.kind}`) + each.text) + 3;
    // Words are not split, so a wrapped line may stay a little shorter than the screen.
    left -= letters <= columns ? 1 : Math.ceil(letters / Math.max(20, columns - 10));
    if (left < 0) break;
    fitting.unshift(each);
  }
  return fitting;
}

import type { AutoTradePosition, Evaluation } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { StoredTrace } from '@pilotfish/core/auto-trades/trace';
import { decimal, divide, HUNDRED, isZero, multiply, placesOf, subtract, toText } from '@pilotfish/core/money/decimal';
import { formatFixed, formatPercent, formatQuantity, formatSigned } from '@pilotfish/core/money/format';
import { Box, Text, useInput, useStdout } from 'ink';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { EXIT, SIGNAL_EXIT } from '../app/exit-codes.ts';
import type { Translate } from '../app/texts.ts';
import { localTime } from '../ui/output.ts';
import { sentence } from './bot-columns.ts';
import type { BotScreenStore } from './bot-screen-store.ts';
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
  const held = detail.positions.filter(({ state }) => state !== 'Closed' && state !== 'Watching');
  const heldSymbols = new Set(held.map(({ symbol }) => symbol));
  const watched = detail.evaluations.filter(({ symbol }) => !heldSymbols.has(symbol));
  // A frame as high as the terminal would make Ink clear it at every change.
  const room = Math.max(10, rows - 1);
  const forCoins = Math.max(2, Math.floor((room - 7) / 2));
  const shownHeld = held.slice(0, Math.max(1, Math.floor(forCoins / 2)));
  const shownWatched = watched.slice(0, Math.max(0, forCoins - shownHeld.length * 2));
  const hidden = held.length + watched.length - shownHeld.length - shownWatched.length;
  const forStory = Math.max(2, room - 7 - shownHeld.length * 2 - shownWatched.length - (hidden > 0 ? 1 : 0));
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
        {detail.stateReason ? <Text dimColor> {detail.stateReason}</Text> : null}
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
          mode: detail.mode,
          run: detail.runNo,
          open: detail.openPositions,
          max: detail.config.maxOpenPositions,
        })}
        {'  '}
        <Text color={toneOf(detail.realised)}>{formatSigned(detail.realised)}</Text> {detail.currency}
        {'  '}
        {t('cli.watch.today')} <Text color={toneOf(detail.realisedToday)}>{formatSigned(detail.realisedToday)}</Text>
      </Text>
      <Rule columns={columns} title={t('cli.watch.coins')} unicode={unicode} />
      {shownHeld.map((position) => (
        <PositionLines key={position.id} position={position} price={prices.get(position.symbol)} t={t} />
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

/** Two lines: what is held and what it cost; and where it would be sold. */
function PositionLines({ position, price, t }: { position: AutoTradePosition; price: string | undefined; t: Translate }) {
  const { symbol, state, quantity, averageCost, lines, realised, attention } = position;
  const target = lines.takeProfit.find(({ done }) => !done)?.price;
  const marks = [
    ['protectedCost', lines.protectedCost],
    ['arm', lines.arm],
    ['takeProfit', target],
    ['stopLoss', lines.stopLoss],
    // Of interest until something is bought.
    ['trigger', averageCost ? null : lines.trigger],
    ['entryLow', averageCost ? null : lines.entryLow],
  ].filter(([, value]) => value) as [string, string][];
  return (
    <Box flexDirection="column">
      <Text wrap="truncate">
        <Text bold>{symbol.padEnd(10)}</Text>{' '}
        <Text color={state === 'Protected' ? 'green' : state === 'NeedsAttention' ? 'red' : 'cyan'}>{t(`positionStates.${state}`)}</Text>
        {attention ? <Text color="red"> {attention}</Text> : null}
        {price ? `  ${formatQuantity(price)}` : ''}
        {averageCost
          ? `  ${formatQuantity(quantity)} ${t('cli.watch.at')} ${formatQuantity(averageCost, Math.max(2, placesOf(decimal(price ?? averageCost))))}`
          : ''}
        {averageCost && price ? <Gain change={changePct(averageCost, price)} /> : null}
        {/[1-9]/.test(realised) ? <Text color={toneOf(realised)}>{`  ${formatSigned(realised)}`}</Text> : null}
      </Text>
      <Text dimColor wrap="truncate">
        {'           '}
        {marks.map(([key, value]) => `${t(`cli.columns.${key}`)} ${formatQuantity(value)}`).join('  ')}
      </Text>
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

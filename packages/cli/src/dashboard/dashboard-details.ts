import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { livePositions } from '@pilotfish/core/auto-trades/held-positions';
import type { Money, Price } from '@pilotfish/core/money/figure';
import {
  formatCompact,
  formatMoney,
  formatPercent,
  formatPrice,
  formatQuantity,
  formatResult,
  formatSigned,
  UNKNOWN,
} from '@pilotfish/core/money/format';
import type { OpenPosition } from '@pilotfish/core/positions/positions-contract';
import type { PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import type { Ticker } from '@pilotfish/core/prices/prices-contract';
import { attentionText, sentence, stateShown } from '../auto-trades/bot-columns.ts';
import { positionMarks, rowsOfMarks, standstills } from '../auto-trades/position-marks.ts';
import { checklist, waiting } from '../auto-trades/why.ts';
import { percent, positionName, signed, unsigned } from '../positions/position-columns.ts';
import { candleChart } from '../ui/candle-chart.ts';
import { type Colours, tint } from '../ui/colour.ts';
import { columnsOf, padded } from '../ui/text-columns.ts';
import { localTime } from '../ui/times.ts';
import { wrapped } from '../ui/wrap.ts';
import { CANDLES, type DashboardState } from './dashboard-data.ts';
import type { Activity, RowOf, Words } from './dashboard-rows.ts';

export type Pane = { readonly width: number; readonly height: number; readonly paint: Colours; readonly coloured: boolean };

const HOUR_MS = 3_600_000;

/** `label value`, as many to a line as fit. */
function facts(entries: readonly (readonly [string, string, string?])[], { width, paint }: Pane): string[] {
  const lines: string[] = [];
  let [line, used] = ['', 0];
  for (const [label, value, painted = value] of entries) {
    if (value === '') continue;
    const size = label.length + 1 + value.length;
    if (used > 0 && used + 3 + size > width) {
      lines.push(line);
      [line, used] = ['', 0];
    }
    line += `${used > 0 ? '   ' : ''}${paint.dim(label)} ${painted}`;
    used += (used > 0 ? 3 : 0) + size;
  }
  return line === '' ? lines : [...lines, line];
}

function chartLines(state: DashboardState, symbol: string, height: number, { unicode, t }: Words, pane: Pane): string[] {
  const candles = state.candles.get(symbol);
  if (!candles) return [pane.paint.dim(t('cli.dashboard.loading'))];
  const places = state.pairs.get(symbol)?.pricePrecision ?? 8;
  const lines = candleChart(candles, {
    width: pane.width,
    height: Math.max(6, height),
    unicode,
    paint: pane.paint,
    coloured: pane.coloured,
    places,
    intervalMs: HOUR_MS,
  });
  return lines.length > 0 ? lines : [t('cli.prices.noCandles')];
}

/** How many decimals a price of this pair is read with. */
const placesIn = (state: DashboardState, symbol: string | null | undefined): number | undefined =>
  state.pairs.get(symbol ?? '')?.pricePrecision;

function pairLines(row: Ticker, state: DashboardState, words: Words, pane: Pane): string[] {
  const { t } = words;
  const { paint } = pane;
  const pair = state.pairs.get(row.symbol);
  const price = (value: Price) => formatPrice(value, pair?.pricePrecision);
  const head = `${paint.bold(row.symbol)}  ${paint.bold(price(row.price))}  ${tint(paint, formatPercent(row.changePct))}`;
  const figures = facts(
    [
      [t('cli.columns.open'), price(row.open)],
      [t('cli.columns.high'), price(row.high)],
      [t('cli.columns.low'), price(row.low)],
      [t('cli.columns.quoteVolume'), formatCompact(row.quoteVolume)],
      [t('cli.columns.status'), pair ? t(`screener.value.${pair.status}`) : ''],
    ],
    pane,
  );
  const held = (state.positions ?? [])
    .filter(({ symbol }) => symbol === row.symbol)
    .flatMap((each) => positionFacts(each, state, words, pane));
  const alerts = (state.alerts ?? [])
    .filter(({ symbol }) => symbol === row.symbol)
    .map((alert) => `${paint.dim(t(`alerts.state.${alert.state}`))} ${words.alertText(alert)}`);
  const above = [head, ...figures, ...held, ...alerts, ''];
  const chart = chartLines(state, row.symbol, pane.height - above.length - 1, words, pane);
  return [...above, ...chart, paint.dim(`${CANDLES.interval} ${words.unicode ? '×' : 'x'} ${state.candles.get(row.symbol)?.length ?? 0}`)];
}

const positionFacts = (row: OpenPosition, state: DashboardState, { t }: Words, pane: Pane): string[] => {
  const { paint } = pane;
  const places = state.pairs.get(row.symbol)?.pricePrecision;
  const money = (key: string, amount: Money | null): [string, string, string] => [
    t(`cli.columns.${key}`),
    amount === null ? UNKNOWN : formatSigned(amount, row.quoteAsset),
    signed(paint, amount, row.quoteAsset),
  ];
  const level = (key: string, value: Price | null): [string, string] => [
    t(`cli.columns.${key}`),
    value === null ? '' : formatPrice(value, places),
  ];
  return facts(
    [
      [positionName(row), formatQuantity(row.quantity)],
      level('averageCost', row.averageCost),
      level('breakEven', row.breakEven),
      [
        t('cli.columns.value'),
        row.value === null ? UNKNOWN : formatMoney(row.value, row.quoteAsset),
        unsigned(paint, row.value, row.quoteAsset),
      ],
      money('unrealised', row.unrealised),
      money('realised', row.realised),
      [t('cli.columns.returnPct'), row.returnPct === null ? UNKNOWN : formatPercent(row.returnPct), percent(paint, row.returnPct)],
      level('targetPrice', row.targetPrice),
      [t('cli.columns.targetDistancePct'), row.targetDistancePct === null ? '' : formatPercent(row.targetDistancePct)],
      [t('cli.columns.openedAt'), localTime(row.openedAt, 'minute')],
    ],
    pane,
  );
};

function positionLines(row: OpenPosition, state: DashboardState, words: Words, pane: Pane): string[] {
  const { paint } = pane;
  const broken = row.broken.flatMap(({ code, detail, fix }) => [
    paint.yellow(`${code}  ${detail}`),
    ...(fix ? wrapped(fix, pane.width - 2, columnsOf).map((line) => paint.dim(`  ${line}`)) : []),
  ]);
  const above = [paint.bold(positionName(row)), ...positionFacts(row, state, words, pane), ...broken, ''];
  return [...above, ...chartLines(state, row.symbol, pane.height - above.length - 1, words, pane)];
}

function botLines(bot: AutoTrade, state: DashboardState, words: Words, pane: Pane): string[] {
  const { t } = words;
  const { paint, width } = pane;
  const known = state.details.get(bot.id);
  const head = [
    `${paint.bold(bot.name)}  ${stateShown(t, bot, paint)}`,
    ...facts(
      [
        [t('cli.columns.walletName'), `${bot.walletName} (${t(`cli.modes.${bot.mode}`)})`],
        [t('cli.columns.openPositions'), `${bot.openPositions}/${bot.config.maxOpenPositions}`],
        [
          t('cli.columns.realised'),
          formatResult(bot.realised, bot.currency),
          `${tint(paint, formatSigned(bot.realised, bot.currency))} ${bot.currency}`,
        ],
        [t('cli.watch.today'), formatSigned(bot.realisedToday, bot.currency), tint(paint, formatSigned(bot.realisedToday, bot.currency))],
      ],
      pane,
    ),
  ];
  if (!known) return [...head, '', paint.dim(t('cli.dashboard.loading'))];
  const { detail, story } = known;
  const held = livePositions(detail);
  const heldSymbols = new Set(held.map(({ symbol }) => symbol));
  const watched = detail.evaluations.filter(({ symbol }) => !heldSymbols.has(symbol));
  return [
    ...head,
    ...standstills(t, detail).flatMap((said) => wrapped(said, width, columnsOf).map((line) => paint.yellow(line))),
    '',
    paint.bold(t('cli.watch.coins')),
    ...held.flatMap((position) => [
      `${paint.bold(padded(position.symbol, 10))} ${paint.cyan(t(`positionStates.${position.state}`))}  ${formatQuantity(position.quantity)}${
        position.averageCost ? ` ${t('cli.watch.at')} ${formatPrice(position.averageCost, placesIn(state, position.symbol))}` : ''
      }${position.attention ? `  ${paint.red(attentionText(t, position.attention))}` : ''}`,
      ...rowsOfMarks(positionMarks(t, position, placesIn(state, position.symbol)), width - 4).map((line) => paint.dim(`    ${line}`)),
    ]),
    ...watched.map((evaluation) => {
      const next = waiting(t, evaluation, placesIn(state, evaluation.symbol));
      const why = next || (evaluation.stoppedBy ? t(`why.${evaluation.stoppedBy}`) : '');
      return `${padded(evaluation.symbol, 10)} ${t(`positionStates.${evaluation.state}`)}  ${paint.dim(why)}`;
    }),
    '',
    paint.bold(t('cli.watch.story')),
    ...(story.length === 0 ? [paint.dim(t('cli.empty.traces'))] : []),
    // Newest first: on a small screen the end of the story is what matters.
    ...[...story].reverse().flatMap((trace) => {
      const said = `${trace.symbol} ${t(`traceKinds.${trace.kind}`)}: ${sentence(t, trace, bot.currency, placesIn(state, trace.symbol))}`;
      const at = localTime(trace.at);
      return wrapped(said, Math.max(20, width - at.length - 1), columnsOf).map(
        (line, index) => `${index === 0 ? paint.dim(at) : ' '.repeat(at.length)} ${line}`,
      );
    }),
  ];
}

function alertLines(row: PriceAlert, state: DashboardState, words: Words, pane: Pane): string[] {
  const { t, alertText } = words;
  const { paint } = pane;
  const above = [
    paint.bold(`${row.symbol ?? ''} ${alertText(row)}`.trim()),
    ...facts(
      [
        [t('cli.columns.state'), t(`alerts.state.${row.state}`)],
        [t('cli.columns.reason'), row.reason === null ? '' : t(`alerts.reason.${row.reason}`, { defaultValue: row.reason })],
        [t('cli.columns.lastPrice'), row.lastPrice === null ? '' : formatPrice(row.lastPrice, placesIn(state, row.symbol))],
        [t('cli.columns.distancePct'), row.distancePct === null ? '' : formatPercent(row.distancePct)],
        [t('cli.columns.firedCount'), String(row.firedCount)],
        [t('cli.columns.lastFiredAt'), localTime(row.lastFiredAt, 'minute')],
        [t('cli.columns.expiresAt'), localTime(row.expiresAt, 'minute')],
        [t('cli.columns.channels'), row.channels.map((each) => t(`autoTrades.channel.${each}`, { defaultValue: each })).join(', ')],
      ],
      pane,
    ),
    ...wrapped(row.note, pane.width, columnsOf).map((line) => paint.dim(line)),
    '',
  ];
  return row.symbol === undefined ? above : [...above, ...chartLines(state, row.symbol, pane.height - above.length - 1, words, pane)];
}

const activityLines = (row: Activity, { width, paint }: Pane): string[] => [
  paint.bold(row.title),
  paint.dim(localTime(row.at)),
  '',
  ...wrapped(row.text, width, columnsOf),
];

/** Everything worth knowing of one row, as lines no wider than the pane. */
export const DETAILS: { readonly [T in keyof RowOf]: (row: RowOf[T], state: DashboardState, words: Words, pane: Pane) => string[] } = {
  prices: pairLines,
  positions: positionLines,
  bots: botLines,
  alerts: alertLines,
  activity: (row, _state, _words, pane) => activityLines(row, pane),
};

/** Why a bot did not act, coin by coin: each rule with what was seen and what it must be. */
export function whyLines(bot: AutoTrade, state: DashboardState, { t, unicode }: Words, { paint }: Pane): string[] {
  const known = state.details.get(bot.id);
  const head = paint.bold(t('cli.dashboard.whyTitle', { name: bot.name }));
  if (!known) return [head, '', paint.dim(t('cli.dashboard.loading'))];
  const { evaluations } = known.detail;
  if (evaluations.length === 0) return [head, '', t('cli.empty.evaluations')];
  return [
    head,
    ...evaluations.flatMap((evaluation) => [
      '',
      ...checklist(t, evaluation, { paint, unicode, currency: bot.currency, places: placesIn(state, evaluation.symbol) }).split('\n'),
    ]),
  ];
}

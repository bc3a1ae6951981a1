import type { Answer } from '@pilotfish/core/http/endpoint';
import { codeOf } from '@pilotfish/core/http/problem';
import type { TradeMode } from '@pilotfish/core/http/wire';
import { formatCurrency, formatDistance, formatPercent, formatSigned } from '@pilotfish/core/money/format';
import { type Facts, shownFacts } from '@pilotfish/core/notifications/notification-facts';
import { type Activity, type EquityChange, type Need, type NextEvent, overviewContract } from '@pilotfish/core/overview/overview-contract';
import { activityText, needActionText, needTexts, nextText } from '@pilotfish/core/overview/overview-words';
import type { Context } from '../app/context.ts';
import type { Translate } from '../app/texts.ts';
import { type Colours, colours, tint } from '../ui/colour.ts';
import { type Column, formatOf, printRows, type Resource, table } from '../ui/output.ts';
import { localTime } from '../ui/times.ts';

/** Next events that are printed. */
const NEXT = 5;
const ACTIVITY = 20;

type Equity = Answer<typeof overviewContract.getEquity>;
type Found = {
  readonly equity: Equity | null;
  readonly needs: Answer<typeof overviewContract.getNeeds>;
  readonly next: Answer<typeof overviewContract.getNextEvents>;
  readonly activity: Answer<typeof overviewContract.getActivity>;
};
/** Facts as they are read in this terminal. */
type Shown = (facts: Facts) => Record<string, string>;

/** Equity, today, what needs its owner, the next events and what happened today. */
export async function overview(context: Context, { mode }: { mode: TradeMode }): Promise<void> {
  const client = await context.client(overviewContract);
  const [equity, needs, next, activity] = await Promise.all([
    client.getEquity({ query: { mode, range: 'today' } }).catch((error: unknown) => {
      if (['not-connected', 'exchange-unreachable'].includes(codeOf(error) ?? '')) return null;
      throw error;
    }),
    client.getNeeds(),
    client.getNextEvents({ query: { limit: NEXT } }),
    client.getActivity({ query: { limit: ACTIVITY } }),
  ]);
  const found: Found = { equity, needs, next, activity };
  const format = formatOf(context);
  if (format === 'json' || format === 'jsonl') {
    context.stdout.write(`${JSON.stringify(found, null, format === 'json' && context.stdout.isTTY ? 2 : 0)}\n`);
    return;
  }
  const t = await context.texts();
  const timeZone = await context.zone();
  const shown: Shown = (facts) =>
    shownFacts(facts, { language: context.language, timeZone, text: (key) => t([key], { defaultValue: '' }) || undefined });
  if (format === 'table' && context.globals.fields === undefined) return printSections(context, t, shown, found);
  await printRows(context, lines, linesOf(t, shown, found));
}

async function printSections(context: Context, t: Translate, shown: Shown, { equity, needs, next, activity }: Found): Promise<void> {
  const paint = colours(context, context.stdout);
  const write = (text: string) => context.stdout.write(text);
  if (equity === null) await context.say('cli.overview.liveNone');
  else write(`${equityLines(t, paint, equity).join('\n')}\n`);
  const section = async <Row extends object>(title: string, columns: readonly Column<Row>[], rows: readonly Row[], none: string) => {
    write(`\n${paint.bold(title)}\n`);
    write(rows.length === 0 ? `${paint.dim(none)}\n` : await table(context, columns, rows));
  };
  const count = needs.items.length === 0 ? '' : ` ${needs.items.length}`;
  await section(
    `${t('cli.overview.needs')}${count}`,
    needColumns(t, shown),
    needs.items,
    t('cli.overview.none', { at: localTime(needs.checkedAt) }),
  );
  await section(t('cli.overview.next'), nextColumns(t), next.items, t('cli.overview.nextNone'));
  await section(t('cli.overview.activity'), activityColumns(t, shown), activity.items, t('cli.overview.activityNone'));
  for (const { mode, sells, wins, realised, currency } of activity.totals)
    write(
      `${t('cli.overview.totals', {
        mode: t(`cli.modes.${mode}`),
        sells,
        wins,
        realised: `${tint(paint, formatSigned(realised, currency))} ${currency}`,
      })}\n`,
    );
}

function equityLines(t: Translate, paint: Colours, { mode, now, currency, sinceMidnight, month }: Equity): string[] {
  const change = (label: string, of: EquityChange | null): string =>
    `${paint.dim(label)} ${
      of === null
        ? t('cli.overview.notKnown')
        : `${tint(paint, formatSigned(of.change, currency))} ${currency}${of.pct === null ? '' : ` (${formatPercent(of.pct)})`}`
    }`;
  return [
    `${paint.dim(t('cli.overview.equity'))} ${paint.bold(formatCurrency(now.equity, currency))} ${paint.dim(t(`cli.modes.${mode}`))} · ${t('cli.overview.free')} ${formatCurrency(now.free, currency)}`,
    `${change(t('cli.overview.today'), sinceMidnight)} · ${change(t('cli.overview.month'), month)}`,
  ];
}

const needColumns = (t: Translate, shown: Shown): readonly Column<Need>[] => [
  {
    key: 'title',
    value: ({ kind }) => kind,
    shown: (row, paint) => (row.rank === 1 ? paint.red : paint.yellow)(t(needTexts(row).title, shown(row.facts))),
  },
  { key: 'action', value: ({ action }) => action, shown: (row) => t(needActionText(row)) },
  { key: 'mode', value: ({ mode }) => mode, shown: ({ mode }) => (mode === null ? '' : t(`cli.modes.${mode}`)), rank: 2 },
  {
    key: 'text',
    head: t('cli.overview.why'),
    value: ({ code }) => code,
    shown: (row) => t(needTexts(row).text, shown(row.facts)),
    rank: 1,
  },
];

const nextColumns = (t: Translate): readonly Column<NextEvent>[] => [
  { key: 'symbol', value: ({ symbol }) => symbol, shown: ({ symbol }, paint) => paint.bold(symbol ?? '') },
  { key: 'text', head: t('cli.overview.happens'), value: ({ code }) => code, shown: (row) => t(nextText(row)) },
  { key: 'botName', value: ({ botName }) => botName, rank: 1 },
  { key: 'price', value: ({ price }) => price, pair: ({ symbol }) => symbol, right: true },
  {
    key: 'distancePct',
    value: ({ distancePct }) => distancePct,
    shown: ({ distancePct }) => (distancePct === null ? '' : formatDistance(distancePct)),
    right: true,
  },
  { key: 'at', value: ({ at }) => at, shown: ({ at }) => localTime(at, 'minute'), rank: 2 },
];

const activityColumns = (t: Translate, shown: Shown): readonly Column<Activity>[] => [
  { key: 'at', value: ({ at }) => at, shown: ({ at }, paint) => paint.dim(localTime(at, 'clock')) },
  { key: 'text', value: ({ code }) => code, shown: (row) => t(activityText(row), shown(row.facts)) },
  { key: 'botName', value: ({ botName }) => botName, rank: 1 },
  {
    key: 'result',
    value: ({ result }) => result,
    shown: ({ result, currency }, paint) => (result === null ? '' : tint(paint, formatSigned(result, currency ?? ''))),
    right: true,
  },
];

/** All of it as rows of one kind, for pipes and files. */
type Line = {
  readonly kind: 'equity' | 'needs' | 'next' | 'activity';
  readonly code: string;
  readonly text: string;
  readonly symbol: string | null;
  readonly botName: string | null;
  readonly at: string | null;
  readonly price: NextEvent['price'];
  readonly distancePct: NextEvent['distancePct'];
  readonly amount: Activity['result'];
  readonly currency: string | null;
};
const lines: Resource<Line> = {
  empty: 'overview',
  columns: [
    { key: 'kind', value: ({ kind }) => kind },
    { key: 'code', value: ({ code }) => code },
    { key: 'symbol', value: ({ symbol }) => symbol },
    { key: 'botName', value: ({ botName }) => botName },
    { key: 'at', value: ({ at }) => at },
    { key: 'price', value: ({ price }) => price, pair: ({ symbol }) => symbol },
    {
      key: 'distancePct',
      value: ({ distancePct }) => distancePct,
      shown: ({ distancePct }) => (distancePct === null ? '' : formatDistance(distancePct)),
    },
    {
      key: 'amount',
      value: ({ amount }) => amount,
      shown: ({ amount, currency }, paint) => (amount === null ? '' : tint(paint, formatSigned(amount, currency ?? ''))),
    },
    { key: 'currency', value: ({ currency }) => currency },
    { key: 'text', value: ({ text }) => text },
  ],
};

const NONE = { symbol: null, botName: null, at: null, price: null, distancePct: null, amount: null, currency: null };

function linesOf(t: Translate, shown: Shown, { equity, needs, next, activity }: Found): Line[] {
  const figures: Line[] = [];
  const figure = (code: string, text: string, amount: Line['amount']): void => {
    if (equity !== null && amount !== null)
      figures.push({ ...NONE, kind: 'equity', code, text, amount, currency: equity.currency, at: equity.asOf });
  };
  figure('equity', t('cli.overview.equity'), equity?.now.equity ?? null);
  figure('free', t('cli.overview.free'), equity?.now.free ?? null);
  figure('today', t('cli.overview.today'), equity?.sinceMidnight?.change ?? null);
  figure('month', t('cli.overview.month'), equity?.month?.change ?? null);
  return [
    ...figures,
    ...needs.items.map(
      (row): Line => ({
        ...NONE,
        kind: 'needs',
        code: row.kind,
        text: t(needTexts(row).title, shown(row.facts)),
        symbol: row.symbol,
        botName: row.botName,
        at: row.since,
      }),
    ),
    ...next.items.map(
      (row): Line => ({
        ...NONE,
        kind: 'next',
        code: row.code,
        text: t(nextText(row)),
        symbol: row.symbol,
        botName: row.botName,
        at: row.at,
        price: row.price,
        distancePct: row.distancePct,
      }),
    ),
    ...activity.items.map(
      (row): Line => ({
        ...NONE,
        kind: 'activity',
        code: row.code,
        text: t(activityText(row), shown(row.facts)),
        symbol: row.symbol,
        botName: row.botName,
        at: row.at,
        amount: row.result,
        currency: row.currency,
      }),
    ),
  ];
}

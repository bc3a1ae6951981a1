import { add, type Decimal, decimal, toText, ZERO } from '@pilotfish/core/money/decimal';
import { formatPercent, formatQuantity, formatSigned } from '@pilotfish/core/money/format';
import { localTime } from '@pilotfish/core/notifications/notification-facts';
import { type Command, type CommandContext, CommandRefusal } from './telegram-command.ts';
import { bold, lines, markup } from './telegram-markup.ts';

const DAY_MS = 86_400_000;
const SPANS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30 };
const SPAN_WORDS: Readonly<Record<string, string>> = { day: 'day', week: 'week', month: 'month', gün: 'day', hafta: 'week', ay: 'month' };
const PAGE = 200;
/** Pages asked for at most; far more than anybody closes in a month. */
const MOST_PAGES = 50;

const sums = () => {
  const totals = new Map<string, Decimal>();
  return {
    add: (currency: string, amount: string) => totals.set(currency, add(totals.get(currency) ?? ZERO, decimal(amount))),
    entries: () => [...totals].map(([currency, total]) => ({ currency, total: toText(total) })),
  };
};

/** Realised results of the bots' sales since then, by currency, paper apart. */
async function botResults({ call }: CommandContext, since: number) {
  const live = sums();
  const paper = sums();
  for (const { id, currency, mode } of await call('listAutoTrades', {})) {
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const { items } = await call('listAutoTradeTraces', { params: { id }, query: { kind: 'Sell', page, pageSize: PAGE } });
      const recent = items.filter(({ at }) => Date.parse(at) >= since);
      for (const { after } of recent)
        if (typeof after.realised === 'string') (mode === 'paper' ? paper : live).add(currency, after.realised);
      if (recent.length < PAGE) break;
    }
  }
  return { live: live.entries(), paper: paper.entries() };
}

/** Results of positions of the account closed since then; null where one of them is not known. */
async function closedResults({ call }: CommandContext, since: number) {
  const totals = sums();
  let unknown = 0;
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const { items } = await call('listClosedPositions', { query: { order: 'closedAt-desc', page, pageSize: PAGE } });
    const recent = items.filter(({ closedAt }) => Date.parse(closedAt) >= since);
    for (const { realised, quoteAsset, excludedFromTotals } of recent) {
      if (excludedFromTotals) continue;
      if (realised === null) unknown += 1;
      else totals.add(quoteAsset, realised);
    }
    if (recent.length < PAGE) break;
  }
  return { totals: totals.entries(), unknown };
}

const pnl: Command = {
  name: 'pnl',
  takes: '[day|week|month]',
  run: async (context, [word = 'day']) => {
    const { say, now, timeZone } = context;
    const span = SPAN_WORDS[word.toLocaleLowerCase('tr')] ?? SPAN_WORDS[word.toLowerCase()];
    if (span === undefined) throw new CommandRefusal('usagePnl');
    const since = now - (SPANS[span] ?? 1) * DAY_MS;
    const bots = await botResults(context, since);
    const closed = await closedResults(context, since);
    const line = (label: string, { currency, total }: { currency: string; total: string }) =>
      markup`${label}: ${bold(`${formatSigned(total)} ${currency}`)}`;
    return {
      text: lines(
        bold(say(`pnl_${span}`)),
        say('since', { since: localTime(since, timeZone) }),
        ...bots.live.map((entry) => line(say('ofBots'), entry)),
        ...bots.paper.map((entry) => line(say('ofPaperBots'), entry)),
        ...closed.totals.map((entry) => line(say('ofClosed'), entry)),
        closed.unknown > 0 ? say('unknownResults', { count: closed.unknown }) : undefined,
        bots.live.length + bots.paper.length + closed.totals.length === 0 ? say('nothingSold') : undefined,
      ),
    };
  },
};

const balance: Command = {
  name: 'balance',
  run: async (context) => {
    const { call, say } = context;
    const wallets = await call('listWallets', {});
    const account = await call('getEstimatedBalance', {}).catch((error: unknown) => error as Error);
    const worth =
      account instanceof Error
        ? [say('noBalance')]
        : [
            markup`${bold(`${formatQuantity(account.total, 2)} ${account.currency}`)}${account.change24h === null ? '' : ` (${formatPercent(account.change24h)} ${say('in24h')})`}`,
            say('available', {
              available: formatQuantity(account.available, 2),
              invested: formatQuantity(account.invested, 2),
              currency: account.currency,
            }),
          ];
    return {
      text: lines(
        bold(say('balance')),
        ...worth,
        ...wallets.map(
          ({ name, free, reserved, invested, currency, mode }) =>
            markup`${bold(name)}${mode === 'paper' ? ` (${say('paper')})` : ''}: ${say('walletLine', { free: formatQuantity(free, 2), reserved: formatQuantity(reserved, 2), invested: formatQuantity(invested, 2), currency })}`,
        ),
      ),
    };
  },
};

export const moneyCommands: readonly Command[] = [pnl, balance];

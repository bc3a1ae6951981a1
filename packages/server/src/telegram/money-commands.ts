import type { Money } from '@pilotfish/core/money/figure';
import { formatCurrency, formatMoney, formatPercent, formatResult } from '@pilotfish/core/money/format';
import { localTime } from '@pilotfish/core/notifications/notification-facts';
import { recentResults } from '@pilotfish/core/positions/recent-results';
import { type Command, CommandRefusal } from './telegram-command.ts';
import { bold, lines, markup } from './telegram-markup.ts';

const DAY_MS = 86_400_000;
const SPANS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30 };
const SPAN_WORDS: Readonly<Record<string, string>> = { day: 'day', week: 'week', month: 'month', gün: 'day', hafta: 'week', ay: 'month' };
const pnl: Command = {
  name: 'pnl',
  takes: '[day|week|month]',
  run: async (context, [word = 'day']) => {
    const { say, now } = context;
    const span = SPAN_WORDS[word.toLocaleLowerCase('tr')] ?? SPAN_WORDS[word.toLowerCase()];
    if (span === undefined) throw new CommandRefusal('usagePnl');
    const since = now - (SPANS[span] ?? 1) * DAY_MS;
    const { call } = context;
    const found = await recentResults(
      {
        bots: () => call('listAutoTrades', {}),
        sales: async (id, page, pageSize) =>
          (await call('listAutoTradeTraces', { params: { id }, query: { kind: 'Sell', page, pageSize } })).items,
        closed: async (page, pageSize) => (await call('listClosedPositions', { query: { order: 'closedAt-desc', page, pageSize } })).items,
      },
      since,
    );
    const line = (label: string, { currency, total }: { currency: string; total: Money }) =>
      markup`${label}: ${bold(formatResult(total, currency))}`;
    return {
      text: lines(
        bold(say(`pnl_${span}`)),
        say('since', { since: localTime(since, context) }),
        ...found.bots.map((entry) => line(say('ofBots'), entry)),
        ...found.paperBots.map((entry) => line(say('ofPaperBots'), entry)),
        ...found.closed.map((entry) => line(say('ofClosed'), entry)),
        found.unknown > 0 ? say('unknownResults', { count: found.unknown }) : undefined,
        found.bots.length + found.paperBots.length + found.closed.length === 0 ? say('nothingSold') : undefined,
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
            markup`${bold(formatCurrency(account.total, account.currency))}${account.change24h === null ? '' : ` (${formatPercent(account.change24h)} ${say('in24h')})`}`,
            say('available', {
              available: formatMoney(account.available, account.currency),
              invested: formatMoney(account.invested, account.currency),
              currency: account.currency,
            }),
          ];
    return {
      text: lines(
        bold(say('balance')),
        ...worth,
        ...wallets.map(
          ({ name, free, reserved, invested, currency, mode }) =>
            markup`${bold(name)}${mode === 'paper' ? ` (${say('paper')})` : ''}: ${say('walletLine', { free: formatMoney(free, currency), reserved: formatMoney(reserved, currency), invested: formatMoney(invested, currency), currency })}`,
        ),
      ),
    };
  },
};

export const moneyCommands: readonly Command[] = [pnl, balance];

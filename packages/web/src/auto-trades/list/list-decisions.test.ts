import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { AutoTradeFigures } from '@pilotfish/core/auto-trades/bot-figures-contract';
import type { Need } from '@pilotfish/core/overview/overview-contract';
import { expect, test } from 'vitest';
import { readAddress, writeAddress } from '../../platform/use-address.ts';
import { filtered, LISTED } from './bot-address.ts';
import { FIRST_SORT, nextSort, printSort, readSort, sorted } from './bot-order.ts';
import { botRows } from './bot-rows.ts';
import { better, betterOf, curvesInPercent } from './compared.ts';

const bot = (id: string, over: Partial<AutoTrade> = {}) =>
  ({
    id,
    name: id,
    state: 'Running',
    mode: 'live',
    walletId: 'w1',
    config: { coins: { symbols: ['BTCUSDT'], coinFilterIds: [] } },
    ...over,
  }) as unknown as AutoTrade;
const figures = (id: string, over: Partial<AutoTradeFigures> = {}) =>
  ({ id, open: '0', total: '0', winRatePct: null, curve: [], budget: '1000', lastEventAt: null, ...over }) as AutoTradeFigures;
const need = (autoTradeId: string, kind = 'position-attention') => ({ id: kind, kind, autoTradeId }) as Need;
const names = (rows: readonly { bot: AutoTrade }[]) => rows.map((row) => row.bot.name);

const BOTS = [
  bot('paper', { mode: 'paper' }),
  bot('flat'),
  bot('ahead'),
  bot('attention', { mode: 'paper' }),
  bot('paused', { state: 'Paused' }),
  bot('off', { state: 'Disabled' }),
];
const ROWS = botRows(
  BOTS,
  [
    figures('paper', { open: '90', total: '5' }),
    figures('flat', { total: '-3' }),
    figures('ahead', { open: '4', total: '7', winRatePct: '60' }),
    figures('attention', { open: '-8', total: null }),
    figures('paused', { total: '10' }),
  ],
  [need('attention')],
);

test('first what needs somebody, then live by the open result, then paper; unknown comes last in both directions', () => {
  expect(names(sorted(ROWS, FIRST_SORT, 'en'))).toEqual(['attention', 'ahead', 'flat', 'paper', 'paused', 'off']);
  expect(names(sorted(ROWS, { key: 'total', falls: true }, 'en'))).toEqual(['paused', 'ahead', 'paper', 'flat', 'attention', 'off']);
  expect(names(sorted(ROWS, { key: 'total', falls: false }, 'en'))).toEqual(['flat', 'paper', 'ahead', 'paused', 'attention', 'off']);
  expect(names(sorted(ROWS, { key: 'bot', falls: false }, 'en'))[0]).toBe('ahead');
});

test('a heading turns its own order round; figures begin with the largest, names with A', () => {
  expect(nextSort(FIRST_SORT, 'total')).toEqual({ key: 'total', falls: true });
  expect(nextSort({ key: 'total', falls: true }, 'total')).toEqual({ key: 'total', falls: false });
  expect(nextSort(FIRST_SORT, 'bot')).toEqual({ key: 'bot', falls: false });
  expect(['-total', 'bot', 'curve', null].map((text) => printSort(readSort(text)))).toEqual(['-total', 'bot', '-state', '-state']);
});

test('the server says who needs somebody; while it has not, bots that stand still count', () => {
  expect(ROWS.map(({ group }) => group)).toEqual(['running', 'running', 'running', 'needs', 'paused', 'stopped']);
  const halted = [bot('halted', { state: 'Halted' }), bot('blocked', { state: 'Blocked' })];
  expect(botRows(halted, undefined, undefined).map(({ group }) => group)).toEqual(['needs', 'needs']);
  expect(botRows(halted, undefined, [need('halted')]).map(({ group }) => group)).toEqual(['needs', 'stopped']);
  // The first is the most urgent.
  expect(botRows([bot('a')], [], [need('a', 'no-stop'), need('a', 'stop-refused')])[0]?.need?.kind).toBe('no-stop');
});

test('each count is what its choice would show, beside the other filters', () => {
  const all = { state: 'all', mode: 'all', wallet: undefined, search: '' } as const;
  expect(filtered(ROWS, all).counts).toEqual({ all: 6, needs: 1, running: 3, paused: 1, stopped: 1 });
  const live = filtered(ROWS, { ...all, mode: 'live', state: 'running' });
  expect([live.counts.all, live.counts.running, names(live.rows)]).toEqual([4, 2, ['flat', 'ahead']]);
  expect(names(filtered(ROWS, { ...all, search: ' PAUS' }).rows)).toEqual(['paused']);
  expect(filtered(ROWS, { ...all, search: 'btc' }).rows).toHaveLength(6);
  expect(filtered(ROWS, { ...all, wallet: 'w2' }).rows).toHaveLength(0);
});

test('an address says what is chosen, leaves out what is not, and nonsense is no choice', () => {
  const written = writeAddress(LISTED, new URLSearchParams('kept=1'), {
    state: 'needs',
    mode: 'all',
    search: 'dip',
    sort: { key: 'open', falls: true },
  });
  expect(written.toString()).toBe('kept=1&state=needs&search=dip&sort=-open');
  expect(readAddress(LISTED, written)).toMatchObject({ state: 'needs', mode: 'all', search: 'dip', sort: { key: 'open', falls: true } });
  expect(writeAddress(LISTED, written, { state: 'all', search: '', sort: FIRST_SORT }).toString()).toBe('kept=1');
  expect(readAddress(LISTED, new URLSearchParams('state=odd&mode=x&view=list'))).toMatchObject({
    state: 'all',
    mode: 'all',
    view: undefined,
  });
});

test('better is more of a return and less of a drawdown; equal or unknown figures have no better one', () => {
  expect(better(['14.92', '17.09'], 'more')).toBe(1);
  expect(better(['3.4', '5.8', null], 'less')).toBe(0);
  expect(better(['2', '2.0'], 'more')).toBeUndefined();
  expect(better(['2', null], 'more')).toBeUndefined();
  const fees = (currency: string, value: string) => ({ bot: { currency }, figures: figures('x', { fees: value }) });
  expect(betterOf([fees('USDT', '61.4'), fees('USDT', '44.1')]).fees).toBe(1);
  expect(betterOf([fees('USDT', '61.4'), fees('BTC', '0.1')]).fees).toBeUndefined();
});

test('curves share one axis in percent of their own budgets; a line does not exist before its first exit', () => {
  const at = (second: number) => new Date(second * 1000).toISOString();
  const curve = (...points: [number, string][]) => points.map(([second, value]) => ({ at: at(second), value }));
  const { time, values } = curvesInPercent([
    figures('a', { budget: '1000', curve: curve([10, '10'], [30, '50']) }),
    figures('b', { budget: '200', curve: curve([20, '-4']) }),
    figures('c', { budget: '0', curve: curve([20, '-4']) }),
    undefined,
  ]);
  expect(time).toEqual([10, 20, 30]);
  const none = [Number.NaN, Number.NaN, Number.NaN];
  expect(values).toEqual([[1, 1, 5], [Number.NaN, -2, -2], none, none]);
});

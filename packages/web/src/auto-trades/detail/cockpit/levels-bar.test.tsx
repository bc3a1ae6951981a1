// @vitest-environment happy-dom
import type { AutoTradeDetail, AutoTradePosition, PositionLevel } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { AppError } from '@pilotfish/core/http/problem';
import type { StreamPayload } from '@pilotfish/core/http/stream-contract';
import { botConfig } from '@pilotfish/core/testing/auto-trade-fixtures';
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { useEffect, useState } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { show, testApp } from '../../../platform/testing/shown-app.tsx';
import { BotCockpit } from './cockpit.tsx';
import { movableLevels, ticksOf } from './use-levels-draft.ts';

beforeAll(() => {
  globalThis.matchMedia ??= (() => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined })) as never;
  Object.assign(Element.prototype, { scrollIntoView: () => undefined });
});
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'requestAnimationFrame', 'cancelAnimationFrame'] }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const level = (id: string, kind: PositionLevel['kind'], price: string, number: number | null = null) =>
  ({ id, kind, number, price, quantity: '1', sellPct: null, quote: null, result: '-1', distancePct: null }) as PositionLevel;
const lines = {
  trigger: null,
  entryLow: null,
  arm: null,
  protectedCost: null,
  peak: null,
  stopLoss: '94',
  target: null,
  protectiveStop: null,
};
const position = (over: Partial<AutoTradePosition> = {}) =>
  ({
    id: 'p',
    symbol: 'AAUSDT',
    state: 'Open',
    machineState: 'open',
    allowed: ['sell', 'levels'],
    withheld: [],
    attention: null,
    stopRefused: null,
    openedAt: '2030-01-01T10:00:00.000Z',
    closedAt: null,
    exitReason: null,
    quantity: '1',
    invested: '100',
    averageCost: '100',
    breakEven: '100.2',
    realised: '0',
    fees: '0',
    lines: { ...lines, takeProfit: [], rebuys: [], timeStopAt: null, moved: [] },
    levels: [level('stopLoss', 'stopLoss', '94'), level('takeProfit-1', 'takeProfit', '106', 1)],
    ...over,
  }) as unknown as AutoTradePosition;
const botOf = (positions: AutoTradePosition[], over: object = {}) =>
  ({
    id: 'dip',
    name: 'Dip',
    mode: 'paper',
    state: 'Running',
    stateReason: null,
    pausedUntil: null,
    exits: 'continue',
    openPositions: positions.length,
    allowed: ['disable', 'freeze', 'halt'],
    withheld: [],
    mustAcknowledge: false,
    runNo: 1,
    configVersion: 1,
    walletName: 'Main',
    currency: 'USDT',
    config: botConfig(),
    evaluations: [{ symbol: 'AAUSDT', at: null, price: '100', state: 'Open', rules: [], stoppedBy: null, waitsFor: null }],
    coins: [],
    coinHalts: [],
    coinPauses: [],
    positions,
    ...over,
  }) as unknown as AutoTradeDetail;

const outlook = (stop: string, worst: string) => ({ stop, trailingStart: null, takeProfit: ['106'], worst });
type Body = { stop?: string; validateOnly?: boolean; sellNow?: boolean };
let put: (bot: AutoTradeDetail) => void = () => undefined;
let age: (isOld: boolean) => void = () => undefined;
function Page({ first }: { first: AutoTradeDetail }) {
  const [bot, setBot] = useState(first);
  const [isOld, setOld] = useState(false);
  useEffect(() => {
    put = setBot;
    age = setOld;
  }, []);
  return <BotCockpit bot={bot} isOld={isOld} />;
}

/** A page over a server that puts the stop where it is asked to, and what was sent to it. */
async function page(first = botOf([position()]), refuse?: (body: Body) => Error | undefined) {
  const sent: Body[] = [];
  const app = testApp({
    calls: {
      moveAutoTradePositionLevels: async ({ body }: { body: Body }) => {
        sent.push(body);
        const refusal = refuse?.(body);
        if (refusal) throw refusal;
        return { before: outlook('94', '-6.2'), after: outlook(body.stop ?? '94', '-1.2'), sellsNow: false, position: null };
      },
    },
  });
  let tick: (payload: StreamPayload<'tickers'>) => void = () => undefined;
  app.live.on = ((topic: string, handler: typeof tick) => {
    if (topic === 'tickers') tick = handler;
    return () => undefined;
  }) as never;
  await show(app, <Page first={first} />);
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  return {
    sent,
    pass,
    live: (status: 'live' | 'delayed') => act(() => app.live.status.set(status)),
    put: (bot: AutoTradeDetail) => act(() => put(bot)),
    age: (isOld: boolean) => act(() => age(isOld)),
    price: async (price: string) => {
      act(() => tick({ at: '', items: [['AAUSDT', price, '0', '0', '120', '80']], stale: false }));
      await pass(300);
    },
    /** The stop, taken hold of and moved by ticks of 1e-8, to 94.0000001. */
    draft: async () => {
      act(() => stop().focus());
      for (const key of ['Enter', 'PageUp', 'Enter']) fireEvent.keyDown(document.activeElement!, { key });
      await pass(0);
    },
  };
}
const stop = () => screen.getByRole('slider', { name: 'Stop' });
const bar = () => screen.queryByRole('form', { name: 'Move stop' });
const enter = () => fireEvent.keyDown(stop(), { key: 'Enter' });

test('what may be moved, and how far a key moves it', () => {
  const levels = [
    level('stopLoss', 'stopLoss', '94'),
    level('protectedCost', 'protectedCost', '99'),
    level('takeProfit-2', 'takeProfit', '110', 2),
  ];
  expect([...movableLevels({ levels, allowed: ['levels'] })]).toEqual([
    ['stopLoss', 'stop'],
    ['takeProfit-2', 'takeProfit.2'],
  ]);
  expect(movableLevels({ levels, allowed: ['sell'] }).size).toBe(0);
  const keys = [
    ['ArrowUp', false],
    ['ArrowDown', true],
    ['PageUp', false],
    ['a', false],
  ] as const;
  expect(keys.map(([key, shiftKey]) => ticksOf({ key, shiftKey }))).toEqual([1, -10, 10, undefined]);
});

test('a draft is judged and shown beside the old level; the second Enter sends it, and the bar goes once the page shows it', async () => {
  const { sent, draft, pass, put } = await page();
  await draft();
  expect(sent).toEqual([{ stop: '94.0000001', validateOnly: true }]);
  expect(bar()?.textContent).toMatch(/Worst case −6\.20 → −1\.20/);
  expect(stop().getAttribute('aria-valuetext')).toBe('Stop 94.0000001, sells all, worst case −1.20 USDT');
  expect(stop().closest('li')?.textContent).toMatch(/94\.0000001.*94/);
  enter();
  await pass(0);
  expect(sent.at(-1)).toEqual({ stop: '94.0000001', sellNow: false });
  expect(bar()).not.toBeNull();
  put(botOf([position({ levels: [level('stopLoss', 'stopLoss', '94.0000001')] })]));
  expect([bar(), document.activeElement]).toEqual([null, stop()]);
});

test('prices do not move a draft; one that comes to the level is said, and two confirmations are needed from there', async () => {
  const { sent, draft, pass, price } = await page();
  await draft();
  await price('97');
  expect(stop().getAttribute('aria-valuetext')).toContain('94.0000001');
  expect(sent).toHaveLength(1);
  await price('93.5');
  expect(within(bar()!).getAllByText(/The price has reached this level in the meantime/).length).toBeGreaterThan(0);
  enter();
  await pass(0);
  expect(sent.filter(({ validateOnly }) => !validateOnly)).toEqual([]);
  enter();
  await pass(0);
  expect(sent.filter(({ validateOnly }) => !validateOnly)).toHaveLength(1);
});

test('a rebuy while a draft is open is judged again, and has to be seen before it is confirmed', async () => {
  const { sent, draft, pass, put } = await page();
  await draft();
  put(botOf([position({ quantity: '2' })]));
  await pass(0);
  expect(sent).toEqual([
    { stop: '94.0000001', validateOnly: true },
    { stop: '94.0000001', validateOnly: true },
  ]);
  expect(within(bar()!).getAllByText(/position has changed/).length).toBeGreaterThan(0);
  enter();
  await pass(0);
  expect(sent).toHaveLength(2);
  enter();
  await pass(0);
  expect(sent.at(-1)).toEqual({ stop: '94.0000001', sellNow: false });
});

test('a position that closes, a bot that is frozen, and what is old: the draft says so and sends nothing', async () => {
  for (const [change, said] of [
    [botOf([position({ state: 'Closed', allowed: [], quantity: '0', levels: [] })]), /This level is gone/],
    [botOf([position()], { exits: 'freeze', state: 'Disabled' }), /cannot be moved now/],
  ] as const) {
    const { sent, draft, put } = await page();
    await draft();
    put(change);
    expect(within(bar()!).getAllByText(said).length).toBeGreaterThan(0);
    expect(within(bar()!).queryByRole('button', { name: /^Move stop/ })).toBeNull();
    expect(screen.queryAllByRole('slider')).toEqual([]);
    fireEvent.click(within(bar()!).getByRole('button', { name: /^Cancel/ }));
    expect([bar(), sent.length]).toEqual([null, 1]);
    cleanup();
  }
  const { sent, draft, age, pass } = await page();
  await draft();
  age(true);
  expect(screen.queryAllByRole('slider')).toEqual([]);
  fireEvent.submit(bar()!);
  await pass(0);
  expect(sent).toHaveLength(1);
  expect(within(bar()!).getAllByText(/These figures are out of date/).length).toBeGreaterThan(0);
});

test('a refusal stands at the field by its name; another price is asked for', async () => {
  const refusal = new AppError('invalid', { fields: [{ path: 'stop', code: 'too_small', message: 'Too small.' }] });
  const { draft } = await page(undefined, () => refusal);
  await draft();
  expect(within(bar()!).getByRole('alert').textContent).toBe('Stop: Too small.');
  expect(within(bar()!).getByRole('textbox').getAttribute('aria-invalid')).toBe('true');
});

test('without the permission, of a frozen bot and of old data nothing has a grip', async () => {
  for (const bot of [botOf([position({ allowed: ['sell'] })]), botOf([position()], { exits: 'freeze', state: 'Disabled' })]) {
    await page(bot);
    expect(screen.queryAllByRole('slider')).toEqual([]);
    cleanup();
  }
  const { age, live } = await page();
  expect(screen.getAllByRole('slider')).toHaveLength(2);
  live('delayed');
  expect(screen.queryAllByRole('slider')).toEqual([]);
  live('live');
  expect(screen.getAllByRole('slider')).toHaveLength(2);
  age(true);
  expect(screen.queryAllByRole('slider')).toEqual([]);
});

import type { AutoTradeDetail, AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { StoredTrace } from '@pilotfish/core/auto-trades/trace';
import { render } from 'ink-testing-library';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { loadTexts } from '../app/texts.ts';
import { colours } from '../ui/colour.ts';
import { showTimesTo } from '../ui/times.ts';
import { botScreenStore } from './bot-screen-store.ts';
import { BotView, changePct, coinsThatFit, storyThatFits } from './bot-view.tsx';

const position = {
  id: 'p',
  symbol: 'BTCUSDT',
  state: 'Protected',
  attention: null,
  quantity: '0.005',
  averageCost: '97192.8028028',
  breakEven: '97388.12',
  realised: '0',
  lines: {
    trigger: '97001',
    entryLow: '96990',
    arm: null,
    protectedCost: '97500',
    peak: '98000',
    stopLoss: '89417.37',
    takeProfit: [{ price: '98164.74', sellPct: '100', done: false }],
    rebuys: [],
    target: null,
    protectiveStop: null,
    timeStopAt: null,
  },
} as unknown as AutoTradePosition;
const detail = {
  name: 'Dip',
  state: 'Running',
  stateReason: null,
  exchange: 'simulated',
  mode: 'paper',
  walletName: 'Main',
  runNo: 1,
  openPositions: 1,
  currency: 'USDT',
  pausedUntil: null,
  coinPauses: [],
  coinHalts: [],
  withheld: [],
  realised: '4.43',
  realisedToday: '-1',
  config: { maxOpenPositions: 3 },
  positions: [position],
  evaluations: [
    {
      symbol: 'ETHUSDT',
      state: 'Watching',
      price: '3800',
      at: null,
      rules: [],
      stoppedBy: 'drop',
      waitsFor: { code: 'drop', price: '3700', at: null },
    },
  ],
} as unknown as AutoTradeDetail;
const moved = (seq: number) =>
  ({
    seq,
    symbol: 'BTCUSDT',
    at: '2026-11-21T07:15:54.000Z',
    kind: 'CostMovedUp',
    reason: 'Raised',
    price: '98000',
    before: {},
    after: { peak: '98000', line: '97500' },
  }) as unknown as StoredTrace;

const NOW = Date.parse('2026-11-21T08:00:00.000Z');
beforeEach(() => showTimesTo('en', { LANG: 'en_GB.UTF-8' }, () => NOW));

describe('the live screen of a bot', () => {
  const paint = colours({ env: {}, globals: { color: 'never' } as never }, { write: () => true });
  const shown = async (language: 'en' | 'tr', traces: StoredTrace[] = [moved(1)], over: Partial<AutoTradeDetail> = {}) => {
    const store = botScreenStore({ detail: { ...detail, ...over }, traces, prices: new Map([['BTCUSDT', '97900.5']]), status: 'live' }, 0, {
      set: (run) => run(),
    });
    const leave = vi.fn();
    const screen = render(
      <BotView store={store} t={await loadTexts(language)} unicode={true} paint={paint} places={() => 2} leave={leave} />,
    );
    return { ...screen, store, leave };
  };
  test('state, mark of the simulation, what is held and where it is sold, what is waited for, the story', async () => {
    const { lastFrame, unmount } = await shown('en');
    const frame = lastFrame() ?? '';
    expect(frame).toMatch(/Dip Running {2}SIMULATED .*● Live/);
    expect(frame).toContain('BTCUSDT    Protected  97,900.50  0.005 at 97,192.80  +0.73%');
    expect(frame).toContain('Trailing 97,500.00  Peak 98,000.00  Take profit 98,164.74  Break-even 97,388.12\n');
    expect(frame).toContain('           Stop 89,417.37\n');
    expect(frame).toContain('ETHUSDT    Watching  3,800.00  Waits for 3,700.00 or lower');
    expect(frame).toContain('New high 98,000.00: the trailing stop rose to 97,500.00.');
    unmount();
  });
  test('in Turkish', async () => {
    const { lastFrame, unmount } = await shown('tr');
    expect(lastFrame()).toContain('Öykü');
    expect(lastFrame()).not.toMatch(/cli\.|botStates\.|positionStates\./);
    unmount();
  });
  const everyLine = {
    ...position,
    lines: {
      ...position.lines,
      target: '99000',
      takeProfit: [
        { price: '98000', sellPct: '50', done: true },
        { price: '98164.74', sellPct: '25', done: false },
        { price: '99500', sellPct: '25', done: false },
      ],
      rebuys: [
        { level: 1, price: '96000' },
        { level: 2, price: '95000' },
      ],
      protectiveStop: '89000',
      timeStopAt: '2026-11-22T07:15:54.000Z',
    },
  };
  test('every line of a position, pauses and halts; nothing runs over 80 columns', async () => {
    const { lastFrame, unmount } = await shown('en', [moved(1)], {
      state: 'Paused',
      stateReason: 'lossStreak',
      pausedUntil: '2026-11-21T09:00:00.000Z',
      positions: [everyLine],
      coinPauses: [{ symbol: 'ETHUSDT', until: '2026-11-21T09:00:00.000Z', reason: 'lowProfitCoin' }],
      coinHalts: [{ symbol: 'XRPUSDT', until: '2026-11-21T09:00:00.000Z', reason: 'news' }],
    });
    const frame = lastFrame() ?? '';
    for (const mark of [
      'Exit price 99,000.00',
      'Take profit 98,164.74 (25%), 99,500.00 (25%)',
      'Rebuys 96,000.00, 95,000.00',
      'Exchange stop 89,000.00',
      'Time stop 22 Nov',
    ])
      expect(frame).toContain(mark);
    expect(frame).toMatch(/Paused until \d\d:00:00: Too many losses in a row/);
    expect(frame).toMatch(/ETHUSDT is paused until .*: The coin earned too little/);
    expect(frame).toMatch(/XRPUSDT is halted until .*: news/);
    const lines = frame.split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(lines.length).toBeLessThan(24);
    unmount();
  });
  test('a coin that the exchange refuses pauses in its words', async () => {
    const detail = 'This symbol is not permitted for this account.';
    const { lastFrame, unmount } = await shown('en', [moved(1)], {
      coinPauses: [{ symbol: 'ETHUSDT', until: '2026-11-21T09:00:00.000Z', reason: 'refused', detail }],
    });
    expect((lastFrame() ?? '').replaceAll(/\s+/g, ' ')).toMatch(
      /ETHUSDT is paused until .*: The exchange refuses buy orders: .*This symbol is not permitted for this account\./,
    );
    unmount();
  });
  test('ten positions with every line stay within the height, and the rest is counted', async () => {
    const positions = Array.from({ length: 10 }, (_, index) => ({ ...everyLine, id: `p${index}`, symbol: `C${index}USDT` }));
    const { lastFrame, unmount } = await shown('en', [moved(1)], { positions });
    const frame = lastFrame() ?? '';
    expect(frame.split('\n').length).toBeLessThan(24);
    expect(frame).toContain('C0USDT');
    expect(frame).toMatch(/and \d+ more/);
    expect(frame).toContain('New high 98,000');
    unmount();
  });
  test('a lost connection shows at once; q leaves with 0, Ctrl-C with 130', async () => {
    const { lastFrame, stdin, store, leave, unmount } = await shown('en');
    store.change({ status: 'offline' });
    await vi.waitFor(() => expect(lastFrame()).toContain('● Offline'));
    stdin.write('q');
    await vi.waitFor(() => expect(leave).toHaveBeenLastCalledWith(0));
    stdin.write('\u0003');
    await vi.waitFor(() => expect(leave).toHaveBeenLastCalledWith(130));
    unmount();
  });
  test('it stays within 80 by 24 however much there is to tell', async () => {
    const { lastFrame, unmount } = await shown(
      'en',
      Array.from({ length: 60 }, (_, index) => moved(index + 1)),
    );
    const lines = (lastFrame() ?? '').split('\n');
    expect(lines.length).toBeLessThan(24);
    unmount();
  });
});

test('the newest sentences are kept whole; older ones leave first', async () => {
  const t = await loadTexts('en');
  const told = [1, 2, 3].map((seq) => ({ trace: moved(seq), text: 'x'.repeat(seq === 2 ? 100 : 10) }));
  expect(storyThatFits(told, 4, 80, t).map(({ trace }) => trace.seq)).toEqual([1, 2, 3]);
  expect(storyThatFits(told, 3, 80, t).map(({ trace }) => trace.seq)).toEqual([2, 3]);
  expect(storyThatFits(told, 2, 80, t).map(({ trace }) => trace.seq)).toEqual([3]);
});
test('positions come whole, before what is only watched; of the first as much as fits', () => {
  const held = [3, 2, 4].map((count) => ({ marks: Array.from({ length: count }, (_, index) => `${index}`) }));
  expect(coinsThatFit(held, 5, 20)).toEqual({ held: 3, watched: 5, rows: 17, marksOfFirst: 3 });
  expect(coinsThatFit(held, 5, 8)).toEqual({ held: 2, watched: 0, rows: 7, marksOfFirst: 3 });
  expect(coinsThatFit(held, 5, 2)).toEqual({ held: 1, watched: 0, rows: 2, marksOfFirst: 1 });
  expect(coinsThatFit([], 5, 3)).toEqual({ held: 0, watched: 3, rows: 3, marksOfFirst: 0 });
});
test('distance from a cost in percent', () => {
  expect([changePct('100', '101'), changePct('100', '99.5'), changePct('0', '5')]).toEqual(['1', '-0.5', '0']);
});

import type { AutoTradeDetail, AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { StoredTrace } from '@pilotfish/core/auto-trades/trace';
import { render } from 'ink-testing-library';
import { describe, expect, test, vi } from 'vitest';
import { loadTexts } from '../app/texts.ts';
import { botScreenStore } from './bot-screen-store.ts';
import { BotView, changePct, storyThatFits } from './bot-view.tsx';

const position = {
  id: 'p',
  symbol: 'BTCUSDT',
  state: 'Protected',
  attention: null,
  quantity: '0.005',
  averageCost: '97192.8028028',
  realised: '0',
  lines: {
    trigger: '97001',
    entryLow: '96990',
    arm: null,
    protectedCost: '97500',
    peak: '98000',
    stopLoss: '89417.37',
    takeProfit: [{ price: '98164.74', sellPct: '100', done: false }],
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

describe('the live screen of a bot', () => {
  const shown = async (language: 'en' | 'tr', traces: StoredTrace[] = [moved(1)]) => {
    const store = botScreenStore({ detail, traces, prices: new Map([['BTCUSDT', '97900.5']]), status: 'live' }, 0, { set: (run) => run() });
    const leave = vi.fn();
    const screen = render(<BotView store={store} t={await loadTexts(language)} unicode={true} leave={leave} />);
    return { ...screen, store, leave };
  };
  test('state, mark of the simulation, what is held and where it is sold, what is waited for, the story', async () => {
    const { lastFrame, unmount } = await shown('en');
    const frame = lastFrame() ?? '';
    expect(frame).toMatch(/Dip Running {2}SIMULATED .*● Live/);
    expect(frame).toContain('BTCUSDT    Protected  97,900.5  0.005 at 97,192.8  +0.73%');
    expect(frame).toContain('Protected 97,500  Target 98,164.74  Stop 89,417.37');
    expect(frame).toContain('ETHUSDT    Watching  3,800  Waits for 3,700 or lower');
    expect(frame).toContain('New high 98,000: the protected cost rose to 97,500.');
    unmount();
  });
  test('in Turkish', async () => {
    const { lastFrame, unmount } = await shown('tr');
    expect(lastFrame()).toContain('Öykü');
    expect(lastFrame()).not.toMatch(/cli\.|botStates\.|positionStates\./);
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
test('distance from a cost in percent', () => {
  expect([changePct('100', '101'), changePct('100', '99.5'), changePct('0', '5')]).toEqual(['1', '-0.5', '0']);
});

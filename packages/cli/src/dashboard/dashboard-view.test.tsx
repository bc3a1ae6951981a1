import { AppError } from '@pilotfish/core/http/problem';
import { type MachinePath, title, transitionPaths } from '@pilotfish/core/testing/machine-paths';
import { walkedAlerts, walkedBots } from '@pilotfish/core/testing/walked-states';
import { render } from 'ink-testing-library';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { bot, dashboardState, ticker } from '../../testing/dashboard-fixture.ts';
import { dashboardCases, dashboardIdentity } from '../../testing/dashboard-paths.ts';
import { loadTexts, type Translate } from '../app/texts.ts';
import { beatStore } from '../ui/beat-store.ts';
import { colours } from '../ui/colour.ts';
import type { DashboardState } from './dashboard-data.ts';
import { type DashboardEvent, type DashboardNotice, dashboardMachine, startDashboard, type Tab } from './dashboard-machine.ts';
import { DashboardView } from './dashboard-view.tsx';

const plain = colours({ env: {}, globals: { color: 'never' } } as never, { write: () => true });
let texts: Record<'en' | 'tr', Translate>;
beforeAll(async () => {
  texts = { en: await loadTexts('en'), tr: await loadTexts('tr') };
});
let close: () => void = () => undefined;
afterEach(() => close());

function open(tab: Tab, options: { state?: Partial<DashboardState>; language?: 'en' | 'tr'; now?: number } = {}) {
  const store = beatStore<DashboardState>({ ...dashboardState, ...options.state }, 0, { set: (run) => run() });
  const asked: { settle: (notice: DashboardNotice) => void; fail: (error: Error) => void; action: object }[] = [];
  const actor = startDashboard(tab, (action) => new Promise((settle, fail) => asked.push({ settle, fail, action })));
  const [leave, want] = [vi.fn(), vi.fn()];
  const screen = render(
    <DashboardView
      actor={actor}
      data={{ store, look: () => undefined, want }}
      t={texts[options.language ?? 'en']}
      language={options.language ?? 'en'}
      unicode={true}
      paint={plain}
      now={() => options.now ?? 0}
      alertText={() => 'above 70,000'}
      problemText={({ code }) => `problem ${code}`}
      leave={leave}
    />,
  );
  close = () => screen.unmount();
  const frame = () => screen.lastFrame() ?? '';
  return { ...screen, frame, store, actor, asked, leave, want };
}

const [ESCAPE, ENTER, CTRL_C, CTRL_U] = ['\u001b', '\r', '\u0003', '\u0015'];
const typing = (word: string) => [CTRL_U, ...Array.from(word), ENTER];

/** The keys that cause an event, in the state it is caused in. */
function keysOf(event: DashboardEvent, state: unknown): string[] {
  const isCommanding = state === 'commanding';
  switch (event.type) {
    case 'tab.chosen':
      return isCommanding ? typing('bots') : ['3'];
    case 'row.selected':
      return ['g'];
    case 'detail.opened':
      return [ENTER];
    case 'why.asked':
      return ['w'];
    case 'help.asked':
      return isCommanding ? typing('help') : ['?'];
    case 'scrolled':
      return ['j'];
    case 'sort.next':
      return ['s'];
    case 'sort.turned':
      return ['S'];
    case 'filter.begun':
      return ['/'];
    case 'command.begun':
      return [':'];
    case 'alert.begun':
      return isCommanding ? typing('alert') : ['a'];
    case 'text.changed':
      return [CTRL_U, event.text];
    case 'text.confirmed':
      return [ENTER];
    case 'command.unknown':
      return typing(event.word);
    case 'action.asked':
      return isCommanding ? typing(`${event.action.kind} Dip`) : [event.action.kind === 'enable' ? 'e' : 'd'];
    case 'action.refused':
      return isCommanding ? typing('disable Dip') : ['d'];
    case 'action.confirmed':
      return [state === 'selling' ? 's' : 'y'];
    case 'back':
      return [ESCAPE];
    case 'quit':
      return [CTRL_C];
  }
}

/** What must be on the screen in a state. */
const MARKS: Readonly<Record<string, RegExp>> = {
  list: /enter detail {2}w why|Dip is|not a command here|problem|New alert/,
  detail: /Coins/,
  why: /Why Dip did not act/,
  help: /Keys\n/,
  filtering: /^\/\w*█/m,
  commanding: /^:\w*█/m,
  alerting: /^New alert: \w*█/m,
  confirming: /y yes, n no/,
  selling: /BTCUSDT is sold at once\. Sell\? s sell, n no/,
  working: /Working…/,
};
const markOf = (value: unknown): RegExp => MARKS[typeof value === 'string' ? value : (value as { looking: string }).looking]!;

describe('every way through the keyboard, drawn', () => {
  const paths = transitionPaths(dashboardMachine, {
    input: { tab: 'bots' },
    identity: dashboardIdentity,
    cases: dashboardCases,
  } as never).filter((path) => path.steps[1]?.event.type === 'row.selected');
  test.each(paths.map((path): [string, MachinePath] => [title(path), path]))('%s', async (_, path) => {
    const { stdin, frame, actor, asked, leave, store } = open('bots');
    await vi.waitFor(() => expect(actor.getSnapshot().context.selected.bots).toBe('dip'));
    let before: unknown = { looking: 'list' };
    for (const { event, state } of path.steps.slice(1)) {
      if (before === 'left') break;
      if (event.type.startsWith('xstate.')) {
        const { settle, fail } = asked.at(-1)!;
        if (event.type.includes('error')) fail((event as unknown as { error: Error }).error);
        else settle({ tone: 'done', key: 'cli.dashboard.done.disable', values: { name: 'Dip' } });
      } else {
        // A bot that takes nothing, for as long as something is refused.
        const [dip] = dashboardState.bots!;
        store.change({ bots: [event.type === 'action.refused' ? { ...dip!, allowed: [] } : dip!] });
        for (const key of keysOf(event as DashboardEvent, before)) stdin.write(key);
      }
      await vi.waitFor(() => expect(actor.getSnapshot().value).toEqual(state.value));
      if (state.value === 'left') await vi.waitFor(() => expect(leave).toHaveBeenCalledWith(130));
      else await vi.waitFor(() => expect(frame()).toMatch(markOf(state.value)));
      before = state.value;
    }
  });
});

describe('what a key may do is what the machine of the row takes', () => {
  const row = <Row,>(rows: readonly Row[] | undefined, over: object): Row[] => [{ ...rows![0]!, ...over } as Row];
  const offered = async (tab: 'bots' | 'alerts', state: Partial<DashboardState>, keys: Readonly<Record<string, string>>) => {
    const found: string[] = [];
    for (const [key, does] of Object.entries(keys)) {
      const { stdin, frame, actor, asked } = open(tab, { state });
      await vi.waitFor(() => expect(actor.getSnapshot().context.selected[tab]).toBeDefined());
      const isShown = !frame().includes(`(${key} `);
      stdin.write(key);
      await vi.waitFor(() => {
        const { value, context } = actor.getSnapshot();
        expect(value === 'working' || value === 'confirming' || context.notice !== undefined).toBe(true);
      });
      const { context } = actor.getSnapshot();
      // What is shown in brackets does nothing and says why; what is not is done, or asked about.
      expect([does, isShown]).toEqual([does, context.notice === undefined]);
      if (context.notice === undefined) found.push(does);
      else {
        expect(asked).toEqual([]);
        await vi.waitFor(() =>
          expect(frame()).toMatch(/this key has no effect|was halted|problem trading-disabled|Turn it on first \(alerts enable\)/),
        );
      }
      close();
    }
    return found;
  };

  test.each(walkedBots.map((walked) => [walked.name, walked] as const))('a bot that is %s', async (_, walked) => {
    const bots = row(dashboardState.bots, walked);
    const wanted = [
      ...(walked.allowed.includes('enable') || walked.allowed.includes('resume') ? ['enable'] : []),
      ...(walked.allowed.includes('disable') || walked.allowed.includes('unfreeze') ? ['disable'] : []),
    ];
    expect(await offered('bots', { bots: bots.map((bot) => ({ ...bot, id: 'dip', name: 'Dip' })) }, { e: 'enable', d: 'disable' })).toEqual(
      wanted,
    );
  });

  test.each(walkedAlerts.map((walked) => [walked.name, walked] as const))('an alert that is %s', async (_, walked) => {
    const alerts = row(dashboardState.alerts, walked);
    const wanted = [...(walked.allowed.includes('snooze') ? ['snooze'] : []), 'remove'];
    expect(await offered('alerts', { alerts }, { z: 'snooze', x: 'remove' })).toEqual(wanted);
  });
});

describe('what it shows', () => {
  const lines = (frame: string) => frame.split('\n');
  test('prices by what they are worth together, the nearest filter, the next order, turned round', async () => {
    const { frame, stdin } = open('prices');
    const symbols = () => lines(frame()).flatMap((line) => /([A-Z]{3,}USDT)\s/.exec(line)?.[1] ?? []);
    expect(symbols()).toEqual(['BTCUSDT', 'XRPUSDT', 'ETHUSDT']);
    stdin.write('s');
    await vi.waitFor(() => expect(symbols()).toEqual(['BTCUSDT', 'XRPUSDT', 'ETHUSDT']));
    expect(frame()).toMatch(/24h ▾/);
    stdin.write('S');
    await vi.waitFor(() => expect(symbols()).toEqual(['ETHUSDT', 'XRPUSDT', 'BTCUSDT']));
    stdin.write('/xrp');
    await vi.waitFor(() => expect(symbols()).toEqual(['XRPUSDT']));
    expect(frame()).toContain('1 of 3 with “xrp”');
    stdin.write(ESCAPE);
    await vi.waitFor(() => expect(symbols()).toHaveLength(3));
  });
  test('volumes of other quote assets are compared by their worth', () => {
    const tickers = new Map(dashboardState.tickers);
    tickers.set('USDTTRY', { ...tickers.get('BTCUSDT')!, symbol: 'USDTTRY', price: '40', quoteVolume: '200000000' });
    const pairs = new Map(dashboardState.pairs).set('USDTTRY', { symbol: 'USDTTRY', quoteAsset: 'TRY', pricePrecision: 2 } as never);
    const { frame } = open('prices', { state: { tickers, pairs } });
    // 200 M lira are 5 M dollars.
    expect(lines(frame()).findIndex((line) => line.includes('USDTTRY'))).toBeGreaterThan(3);
  });
  test('a currency that the Admin no longer offers leaves the list of prices', async () => {
    const { frame, store } = open('prices');
    expect(frame()).toContain('ETHUSDT');
    store.change({ pairs: new Map(dashboardState.pairs).set('ETHUSDT', { symbol: 'ETHUSDT', offered: false } as never) });
    await vi.waitFor(() => expect(frame()).not.toContain('ETHUSDT'));
  });
  test('keys pressed together are all heard', async () => {
    const { actor, stdin } = open('prices');
    stdin.write('jj');
    await vi.waitFor(() => expect(actor.getSnapshot().context.selected.prices).toBe('ETHUSDT'));
    stdin.write('gjG');
    await vi.waitFor(() => expect(actor.getSnapshot().context.selected.prices).toBe('ETHUSDT'));
    stdin.write('k');
    await vi.waitFor(() => expect(actor.getSnapshot().context.selected.prices).toBe('XRPUSDT'));
  });
  test('a chart with what one holds and waits for', async () => {
    const { frame, stdin, want } = open('prices');
    stdin.write(ENTER);
    await vi.waitFor(() => expect(frame()).toMatch(/[\u2800-\u28ff].*┤/));
    expect(frame()).toContain('BTCUSDT#2 0.5');
    expect(frame()).toContain('Armed above 70,000');
    expect(want).toHaveBeenCalledWith({ candlesOf: 'BTCUSDT' });
    expect(lines(frame()).length).toBeLessThan(24);
  });
  test.each(['en', 'tr'] as const)('every tab in %s within 80 × 24, every key explained, no key of a text on screen', async (language) => {
    for (const tab of ['prices', 'positions', 'bots', 'alerts', 'activity'] as const) {
      const { frame, stdin, unmount } = open(tab, { language });
      await vi.waitFor(() => expect(frame()).toMatch(/SIM/));
      for (const key of ['', ENTER, ESCAPE, '?', ESCAPE]) {
        if (key !== '') stdin.write(key);
        await vi.waitFor(() => expect(frame()).not.toMatch(/(cli|alerts|positions|botStates|traces)\.[a-zA-Z]+\.?/));
        expect(lines(frame()).length).toBeLessThan(24);
        expect(Math.max(...lines(frame()).map((line) => line.length))).toBeLessThanOrEqual(100);
      }
      unmount();
    }
  });
  test('what is old, lost, unread or could not be read is said', async () => {
    const { frame, store } = open('positions', {
      now: 60_000,
      state: { positions: undefined, problems: new Map([['positions', { code: 'offline' }]]) },
    });
    expect(frame()).toContain('1 m old');
    expect(frame()).toContain('1 unread');
    expect(frame()).toContain('problem offline');
    store.change({ status: 'offline' });
    await vi.waitFor(() => expect(frame()).toContain('● Offline'));
  });
  test('empty lists say what to do first', async () => {
    for (const [tab, state, said] of [
      ['positions', { positions: [] }, 'exchange connect'],
      ['bots', { bots: [] }, 'bots create'],
      ['alerts', { alerts: [] }, 'BTC > 70k'],
      ['activity', { notifications: [], bots: [] }, 'Nothing has happened yet.'],
    ] as const) {
      const { frame, unmount } = open(tab, { state });
      expect(frame()).toContain(said);
      unmount();
    }
  });
  test('a sale is asked for with its whole sentence, and the yes before it, pressed once more in haste, is none', async () => {
    const what = `BTCUSDT stands at 60,000.00: everything would be sold at once, at the market. 0.02 at about 60,000.00: about 1,198.80 USDT after the fee, a result of -3.20 USDT.`;
    const { actor, asked, frame, stdin } = open('bots', { state: { bots: [{ ...bot, allowed: ['unfreeze'] }] } });
    await vi.waitFor(() => expect(actor.getSnapshot().context.selected.bots).toBe('dip'));
    stdin.write('dy');
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    expect(asked[0]?.action).not.toHaveProperty('sale');
    asked[0]?.fail(new AppError('would-sell-now', { detail: what }));
    await vi.waitFor(() => expect(frame().replace(/\s+/g, ' ')).toContain(`${what} Sell? s sell, n no`));
    expect(lines(frame()).length).toBeLessThan(24);
    stdin.write('ye\r');
    stdin.write('n');
    await vi.waitFor(() => expect(actor.getSnapshot().matches('looking')).toBe(true));
    expect(asked).toHaveLength(1);
  });
  test('two presses of the key that enables are no yes', async () => {
    const { actor, asked, frame, stdin } = open('bots', { state: { bots: [{ ...bot, mode: 'live', exchange: 'binance' }] } });
    await vi.waitFor(() => expect(actor.getSnapshot().context.selected.bots).toBe('dip'));
    stdin.write('ee');
    const said = () => frame().replace(/\s+/g, ' ');
    await vi.waitFor(() => expect(said()).toContain('Enable? y yes, n no'));
    expect(said()).toContain('works only while the server runs');
    expect(said()).toContain('Dip will trade real money from Main. It may hold up to 3 positions, each opened with 1,000.00 USDT.');
    expect(asked).toEqual([]);
    stdin.write('y');
    await vi.waitFor(() => expect(asked).toHaveLength(1));
  });
  const above: readonly [Tab, Partial<DashboardState>, string][] = [
    ['prices', { tickers: new Map(dashboardState.tickers).set('SOLUSDT', ticker('SOLUSDT', '150', '9', '90000000')) }, 'SOLUSDT'],
    ['positions', { positions: [{ ...dashboardState.positions![0]!, id: 'p0', symbol: 'SOLUSDT', value: '900000' }] }, 'SOLUSDT'],
    ['bots', { bots: [{ ...bot, id: 'aaa', name: 'Aaa' }] }, 'Aaa'],
    ['alerts', { alerts: [{ ...dashboardState.alerts![0]!, id: 'a0', symbol: 'SOLUSDT', distancePct: '0.01' }] }, 'SOLUSDT'],
    [
      'activity',
      { notifications: [{ ...dashboardState.notifications![0]!, id: 'n0', at: '2026-11-22T07:15:54.000Z', title: 'News' }] },
      'News',
    ],
  ];
  test.each(above)('a row that comes above the chosen one of %s leaves the cursor on it', async (tab, more, name) => {
    const { actor, frame, store } = open(tab);
    const marked = () => lines(frame()).find((line) => line.startsWith('▌')) ?? '';
    await vi.waitFor(() => expect(actor.getSnapshot().context.selected[tab]).toBeDefined());
    const [chosen, row] = [actor.getSnapshot().context.selected[tab], marked()];
    const [key, added] = Object.entries(more)[0] as [keyof DashboardState, unknown];
    store.change({ [key]: Array.isArray(added) ? [...added, ...(dashboardState[key] as unknown[])] : added });
    await vi.waitFor(() => expect(lines(frame()).some((line) => line.includes(name))).toBe(true));
    const at = (what: string) => lines(frame()).findIndex((line) => line.includes(what));
    expect(at(name)).toBeLessThan(at(marked()));
    expect([actor.getSnapshot().context.selected[tab], marked().slice(0, 12)]).toEqual([chosen, row.slice(0, 12)]);
  });
  test('a row that goes away leaves the cursor on none: what was meant for it meets no other', async () => {
    const { actor, frame, stdin, store } = open('prices');
    stdin.write('G');
    await vi.waitFor(() => expect(actor.getSnapshot().context.selected.prices).toBe('ETHUSDT'));
    const tickers = new Map(dashboardState.tickers);
    tickers.delete('ETHUSDT');
    store.change({ tickers });
    await vi.waitFor(() => expect(frame()).not.toContain('ETHUSDT'));
    stdin.write(ENTER);
    await vi.waitFor(() => expect(frame()).toContain('This row no longer exists'));
    expect(actor.getSnapshot().context.selected.prices).toBe('ETHUSDT');
    stdin.write(ESCAPE);
    // Pressed together with it, the key would be another one.
    await vi.waitFor(() => expect(actor.getSnapshot().matches({ looking: 'list' })).toBe(true));
    stdin.write('k');
    await vi.waitFor(() => expect(actor.getSnapshot().context.selected.prices).toBe('XRPUSDT'));
  });
});

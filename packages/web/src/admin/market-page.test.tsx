// @vitest-environment happy-dom
import { type MarketChoice, marketToRest } from '@pilotfish/core/admin/market-choice-contract';
import { marketChoiceMachine } from '@pilotfish/core/admin/market-choice-machine';
import { AppError } from '@pilotfish/core/http/problem';
import { marketChoiceIdentity, openChoice, pathsOfAMarketChoice } from '@pilotfish/core/testing/market-choice-paths';
import { walkedSnapshots } from '@pilotfish/core/testing/walked-states';
import { act, fireEvent, screen } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createActor } from 'xstate';
import { createStore } from '../platform/store.ts';
import { show, signedIn, testApp } from '../platform/testing/shown-app.tsx';
import MarketPage, { MarketPanel } from './market-page.tsx';
import MarketQuestion from './market-question.tsx';

const CARDS = { simulated: /^Practise on a simulated market$/, binance: /^Practise at real prices$/ } as const;
const KEY = 'Connect a Binance account';

// In every state that the choice comes to, what can be pressed is what its machine takes.
test.each(walkedSnapshots(marketChoiceMachine, pathsOfAMarketChoice, marketChoiceIdentity))('a choice in %s', async (_, snapshot) => {
  const actor = createActor(marketChoiceMachine, { snapshot });
  await show(signedIn(testApp()), <MarketPanel actor={actor} choose={() => undefined} />);
  const pressable = (name: RegExp) => screen.queryAllByRole('button', { name }).filter((button) => !(button as HTMLButtonElement).disabled);
  const dialog = document.querySelector('dialog');
  expect(dialog?.open ?? false).toBe(snapshot.can({ type: 'change.confirmed' }));
  // Behind the dialog nothing can be pressed.
  if (dialog?.open) return;
  for (const market of ['simulated', 'binance'] as const) {
    const takes = snapshot.can({ type: 'market.chosen', market }) && snapshot.context.choice?.changingTo === null;
    expect([market, pressable(CARDS[market]).length]).toEqual([market, takes ? 1 : 0]);
  }
  if (snapshot.matches('unknown')) expect(pressable(/^Try again$/)).toHaveLength(1);
});

const settled: MarketChoice = { ...openChoice, decidedBy: 'admin' };
const atBinance: MarketChoice = { ...settled, market: 'binance' };
const press = (name: string | RegExp) => act(async () => void fireEvent.click(screen.getByRole('button', { name })));

/** The page over a server that answers what it is given, one answer after the other, the last one again and again. */
async function open(first: MarketChoice, { put, next = [] }: { put?: () => unknown; next?: (MarketChoice | AppError)[] } = {}) {
  const answers: (MarketChoice | AppError)[] = [first, ...next];
  const chooseMarket = vi.fn(async (_input: unknown) => put?.());
  const onProblem = vi.fn();
  const getMarketChoice = vi.fn(async (_: unknown, call: unknown) => {
    expect(call).toMatchObject({ quiet: true });
    const [answer] = answers.length > 1 ? answers.splice(0, 1) : answers;
    if (answer instanceof AppError) throw answer;
    return answer;
  });
  const app = signedIn(testApp({ calls: { getMarketChoice, chooseMarket }, onProblem }));
  const load = vi.spyOn(app.browser, 'load');
  await show(
    app,
    <Routes>
      <Route path="/management/market" element={<MarketPage />} />
      <Route path="/user/exchange-connect" element={<p>the keys</p>} />
      <Route path="/" element={<p>home</p>} />
    </Routes>,
    '/management/market',
  );
  await act(() => vi.advanceTimersByTimeAsync(0));
  return { app, chooseMarket, load };
}
const later = () => act(() => vi.advanceTimersByTimeAsync(20_000));

describe('the page', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('the first run: the simulated market is stored, and home comes next without loading again', async () => {
    const { chooseMarket, load } = await open(openChoice, { put: () => settled });
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Which market should Pilotfish use?');
    await press(CARDS.simulated);
    expect(chooseMarket.mock.calls[0]?.[0]).toEqual({ body: { market: 'simulated', rest: false } });
    expect(screen.getByText('home')).toBeDefined();
    expect(load).not.toHaveBeenCalled();
  });

  test('the first run: a key is connected once the server is back with real prices', async () => {
    const away = new AppError('offline');
    const { chooseMarket, load } = await open(openChoice, {
      put: () => ({ ...settled, changingTo: 'binance' }),
      next: [away, away, { ...atBinance, reachable: false }, atBinance],
    });
    await press(KEY);
    expect(chooseMarket.mock.calls[0]?.[0]).toEqual({ body: { market: 'binance', rest: false } });
    expect(screen.getByRole('status').textContent).toContain('New market: Binance');
    expect(screen.queryByRole('alert')).toBeNull();
    await later();
    expect(load.mock.calls).toEqual([['/user/exchange-connect']]);
  });

  test('where prices do not come the page is loaded again, says so, and offers the simulated market', async () => {
    const without = { ...atBinance, reachable: false, trouble: 'place' as const };
    const { load } = await open(openChoice, { put: () => ({ ...settled, changingTo: 'binance' }), next: [without] });
    await press(KEY);
    await later();
    expect(load.mock.calls).toEqual([['/management/market']]);
    expect(screen.getByText('No prices from Binance')).toBeDefined();
    expect(screen.getByText(/The exchange does not serve this server's location/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined();
    expect(screen.getByRole('button', { name: 'Use the simulated market' })).toBeDefined();
  });

  test('what runs on is named with its number before the market is changed, and is left only then', async () => {
    const running = { ...settled, rests: [{ ...openChoice.rests[0]!, runningBots: 2, liveOpenPositions: 1 }] };
    expect(marketToRest(running, 'binance')).toBeDefined();
    const { chooseMarket } = await open(running, { put: () => ({ ...running, changingTo: 'binance' }) });
    await press(CARDS.binance);
    const dialog = document.querySelector('dialog');
    expect(dialog?.textContent).toContain('2 bots are running on Simulated market');
    expect(dialog?.textContent).toContain('1 live position is open');
    expect(dialog?.textContent).toContain('Open orders stay at the exchange');
    expect(chooseMarket).not.toHaveBeenCalled();
    await press('Change the market');
    expect(chooseMarket.mock.calls[0]?.[0]).toEqual({ body: { market: 'binance', rest: true } });
  });

  test('a refusal stands on the page', async () => {
    await open(settled, {
      put: () => {
        throw new AppError('storage-full');
      },
    });
    await press(CARDS.binance);
    expect(screen.getByRole('alert').textContent).toContain('Not done');
  });

  test('what the environment decides is said beside what cannot be pressed', async () => {
    await open({ ...settled, decidedBy: 'environment' });
    const card = screen.getByRole('button', { name: CARDS.binance }) as HTMLButtonElement;
    expect(card.disabled).toBe(true);
    const reasons = card.getAttribute('aria-describedby')?.split(' ') ?? [];
    expect(reasons.map((id) => document.getElementById(id)?.textContent).join(' ')).toContain('PILOTFISH_EXCHANGE');
  });

  test('at Binance a key is connected without a change, the environment or not', async () => {
    const { chooseMarket } = await open({ ...atBinance, decidedBy: 'environment' });
    await press(KEY);
    expect(screen.getByText('the keys')).toBeDefined();
    expect(chooseMarket).not.toHaveBeenCalled();
  });
});

describe('home', () => {
  /** @param begins the screen that who has just signed in begins at */
  async function home(choice: MarketChoice | AppError, begins?: string) {
    const getMarketChoice = async () => {
      if (choice instanceof AppError) throw choice;
      return choice;
    };
    const onProblem = vi.fn();
    const app = signedIn(testApp({ calls: { getMarketChoice }, onProblem }));
    await show(
      app,
      <Routes>
        <Route path="/management/market" element={<p>the question</p>} />
        <Route path="/" element={<MarketQuestion />} />
      </Routes>,
      '/',
      { onward: createStore(begins) },
    );
    await act(async () => undefined);
    return onProblem;
  }

  test('offers the open question, and nothing else', async () => {
    await home(openChoice);
    expect((screen.getByRole('link', { name: 'Choose the market' }) as HTMLAnchorElement).pathname).toBe('/management/market');
  });
  test('is left for the question once after signing in', async () => {
    await home(openChoice, '/');
    expect(screen.getByText('the question')).toBeDefined();
  });
  test('is not left by who begins elsewhere by their own choice', async () => {
    await home(openChoice, '/prices');
    expect(screen.getByRole('link', { name: 'Choose the market' })).toBeDefined();
  });
  test.each([settled, { ...settled, decidedBy: 'environment' as const }, new AppError('not-implemented')])(
    'asks nothing where there is no question: %o',
    async (choice) => {
      const onProblem = await home(choice, '/');
      expect(screen.queryByText('the question')).toBeNull();
      expect(screen.queryByRole('link')).toBeNull();
      expect(onProblem).not.toHaveBeenCalled();
    },
  );
});

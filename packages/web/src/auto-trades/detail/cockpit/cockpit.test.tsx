// @vitest-environment happy-dom
import type { AutoTradeDetail, AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { StreamPayload } from '@pilotfish/core/http/stream-contract';
import { botConfig } from '@pilotfish/core/testing/auto-trade-fixtures';
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { show, testApp } from '../../../platform/testing/shown-app.tsx';
import { BotCockpit } from './cockpit.tsx';

beforeAll(() => {
  globalThis.matchMedia ??= (() => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined })) as never;
});
afterEach(cleanup);

const line = { trigger: null, entryLow: null, arm: null, protectedCost: null, peak: null, stopLoss: null };
const position = (symbol: string, over: Partial<AutoTradePosition> = {}) =>
  ({
    id: `p-${symbol}`,
    symbol,
    state: 'Open',
    machineState: 'open',
    allowed: ['sell'],
    withheld: [],
    attention: null,
    stopRefused: null,
    openedAt: '2030-01-01T10:00:00.000Z',
    closedAt: null,
    exitReason: null,
    quantity: '1',
    invested: '10',
    averageCost: '10',
    breakEven: '10.02',
    realised: '0',
    fees: '0',
    lines: { ...line, takeProfit: [], rebuys: [], target: null, protectiveStop: null, timeStopAt: null },
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
    evaluations: [],
    coins: [],
    coinHalts: [],
    coinPauses: [],
    positions,
    ...over,
  }) as unknown as AutoTradeDetail;

const NEWER = { openedAt: '2030-01-02T10:00:00.000Z' };
const OVER: Partial<AutoTradePosition> = { state: 'Closed', allowed: [], quantity: '0' };
/** The first is held; another is bought after it; the first is sold and goes below; then it leaves the list. */
const LOOKS = [
  botOf([position('AAUSDT')]),
  botOf([position('AAUSDT'), position('BBUSDT', NEWER)]),
  botOf([position('AAUSDT', OVER), position('BBUSDT', NEWER)]),
  botOf([position('BBUSDT', NEWER)]),
] as const;
function Looks() {
  const [look, setLook] = useState(0);
  return (
    <>
      <button type="button" onClick={() => setLook(look + 1)}>
        next look
      </button>
      <BotCockpit bot={LOOKS[look] ?? LOOKS[0]} isOld={false} />
    </>
  );
}

test('what is looked at stays while other coins are bought, when it is sold and when it leaves: a sale meets no other', async () => {
  await show(testApp(), <Looks />);
  const next = () => fireEvent.click(screen.getByRole('button', { name: 'next look' }));
  const sells = () => screen.queryAllByRole('button', { name: 'Sell now' }).length;
  const tab = (name: RegExp) => within(screen.getByRole('group', { name: 'Coins' })).queryByRole('button', { name });
  expect([tab(/^AAUSDT/)?.getAttribute('aria-pressed'), sells()]).toEqual(['true', 1]);
  next();
  expect(tab(/^BBUSDT/)?.getAttribute('aria-pressed')).toBe('false');
  expect([tab(/^AAUSDT/)?.getAttribute('aria-pressed'), sells()]).toEqual(['true', 1]);
  next();
  expect([tab(/^BBUSDT/)?.getAttribute('aria-pressed'), sells()]).toEqual(['false', 0]);
  next();
  expect([tab(/^BBUSDT/)?.getAttribute('aria-pressed'), sells()]).toEqual(['false', 0]);
  fireEvent.click(tab(/^BBUSDT/)!);
  expect([tab(/^BBUSDT/)?.getAttribute('aria-pressed'), sells()]).toEqual(['true', 1]);
});

test('a position that waits for its owner has a banner with what goes on, also while another coin is looked at', async () => {
  const stuck = position('BBUSDT', { ...NEWER, state: 'NeedsAttention', attention: 'REFUSED', allowed: ['resume', 'detach'] });
  await show(testApp(), <BotCockpit bot={botOf([position('AAUSDT'), stuck])} isOld={false} />);
  expect(screen.queryByRole('button', { name: 'Resume' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Show BBUSDT' }));
  // Once, in its banner.
  expect(screen.getAllByRole('button', { name: 'Resume' })).toHaveLength(1);
  expect(screen.queryByRole('button', { name: 'Show BBUSDT' })).toBeNull();
});

test('levels and table show one price, the newest, whatever the price was when the table was answered', async () => {
  const row = {
    autoTradeId: 'dip',
    positionId: 'p-AAUSDT',
    price: '10.5',
    value: '10.5',
    breakEven: null,
    rebuys: [],
    stop: null,
    target: null,
  };
  const app = testApp({ calls: { listHeldPositions: async () => ({ items: [row], totals: [], asOf: '' }) } });
  let tick: (payload: StreamPayload<'tickers'>) => void = () => undefined;
  app.live.on = ((topic: string, handler: typeof tick) => {
    if (topic === 'tickers') tick = handler;
    return () => undefined;
  }) as never;
  await show(app, <BotCockpit bot={botOf([position('AAUSDT')])} isOld={false} />);
  await screen.findByText('10.50');
  await act(async () => {
    tick({ at: '', items: [['AAUSDT', '11.25', '0', '0', '12', '9']], stale: false });
    await new Promise((drawn) => requestAnimationFrame(drawn));
  });
  const table = screen.getByRole('row', { name: /^AAUSDT/ });
  expect(table.textContent).toContain('→ 11.25');
  expect(within(screen.getByRole('region', { name: 'AAUSDT levels' })).getByText('11.25')).toBeTruthy();
});

test('each action of the bot stands in one place: banner, header or menu', async () => {
  const halted = botOf([position('AAUSDT')], { state: 'Halted', stateReason: 'kill-switch', allowed: ['acknowledge', 'disable', 'reset'] });
  await show(testApp(), <BotCockpit bot={halted} isOld={false} />);
  fireEvent.click(screen.getByRole('button', { name: 'More actions' }));
  await screen.findByRole('menu');
  expect(screen.queryByRole('button', { name: 'Disable' })).toBeNull();
  for (const name of ['Acknowledge and enable', 'Disable', 'Reset'])
    expect([...screen.queryAllByRole('button', { name }), ...screen.queryAllByRole('menuitem', { name })]).toHaveLength(1);
});

// @vitest-environment happy-dom
import type { AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { botConfig } from '@pilotfish/core/testing/auto-trade-fixtures';
import { btcusdt } from '@pilotfish/core/testing/pairs';
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { show, testApp } from '../../platform/testing/shown-app.tsx';
import { CoinPauses } from '../coin-halts.tsx';
import { WhyPanel } from './why-panel.tsx';

const botOf = (...symbols: string[]) =>
  ({
    id: 'dip',
    name: 'Dip',
    mode: 'paper',
    state: 'Running',
    currency: 'USDT',
    config: botConfig(),
    ladder: { rungs: [] },
    evaluations: symbols.map((symbol) => ({ symbol, state: 'waiting', price: '1', rules: [], stoppedBy: null, waitsFor: null })),
  }) as unknown as AutoTradeDetail;

const shown = () => screen.queryByRole('heading', { level: 2 })?.textContent;
const pressed = () => screen.getAllByRole('button', { pressed: true }).map(({ textContent }) => textContent);

/** The evaluations of a bot come in the order of its coins, which filters change by themselves. */
const LOOKS = [
  botOf('AAUSDT', 'BBUSDT', 'CCUSDT', 'DDUSDT', 'EEUSDT'),
  botOf('XXUSDT', 'BBUSDT', 'AAUSDT', 'CCUSDT', 'DDUSDT', 'EEUSDT'),
  botOf('DDUSDT', 'CCUSDT', 'BBUSDT', 'AAUSDT', 'EEUSDT'),
  botOf('DDUSDT', 'BBUSDT', 'AAUSDT', 'EEUSDT', 'FFUSDT'),
] as const;
function Looks() {
  const [look, setLook] = useState(0);
  return (
    <>
      <button type="button" onClick={() => setLook(look + 1)}>
        next look
      </button>
      <WhyPanel bot={LOOKS[look] ?? LOOKS[0]} />
    </>
  );
}

test('what is told of one coin stays while others come before it, and never becomes that of another', async () => {
  await show(testApp(), <Looks />);
  const next = () => fireEvent.click(screen.getByRole('button', { name: 'next look' }));
  expect(shown()).toBe('AAUSDT');
  next();
  expect(shown()).toBe('AAUSDT');
  fireEvent.click(screen.getByRole('button', { name: /^CCUSDT/ }));
  expect(shown()).toBe('CCUSDT');
  next();
  expect([shown(), pressed()[0]]).toEqual(['CCUSDT', expect.stringMatching(/^CCUSDT/)]);
  // It is no coin of the bot any more: nothing of another stands in its place.
  next();
  expect(shown()).toBeUndefined();
  expect(screen.queryAllByRole('button', { name: /^Halt / })).toEqual([]);
});

test('a coin that the exchange refuses is shown in its words, as plain text, with when it is tried again', async () => {
  const detail = 'Not permitted <b>here</b>.';
  const until = '2030-01-01T09:00:00.000Z';
  const refused = {
    ...botOf(),
    coinHalts: [],
    coinPauses: [{ symbol: 'AAUSDT', until, reason: 'refused', detail }],
    evaluations: [
      {
        symbol: 'AAUSDT',
        at: null,
        price: '1',
        state: 'Watching',
        rules: [{ rule: 'coin-not-paused', observed: 'refused', limit: until, pass: false, detail }],
        stoppedBy: 'coin-not-paused',
        waitsFor: { code: 'refused', price: null, at: until, detail },
      },
    ],
  } as unknown as AutoTradeDetail;
  await show(
    testApp(),
    <>
      <CoinPauses bot={refused} />
      <WhyPanel bot={refused} />
    </>,
  );
  const told = screen
    .getAllByText(/The exchange rejects buy orders/)
    .map(({ textContent }) => textContent?.replaceAll(/[\u2066-\u2069]/g, ''));
  expect(told).toHaveLength(3);
  for (const each of told) expect(each).toContain(`The exchange rejects buy orders: ${detail}`);
  expect(told.some((each) => each?.includes('or when you change the settings'))).toBe(true);
});

test('what a rule compares has the digits of its pair, and sums their currency', async () => {
  const rules = [
    { rule: 'stop-loss', observed: '64250.1', limit: '63000', pass: false },
    { rule: 'budget', observed: '1001.5', limit: null, pass: true },
  ];
  const evaluations = [
    { symbol: 'BTCUSDT', state: 'Open', price: '64250.1', at: '2030-01-01T09:00:00.000Z', rules, stoppedBy: null, waitsFor: null },
  ];
  await show(testApp({ calls: { listPairs: async () => [btcusdt] } }), <WhyPanel bot={{ ...botOf(), evaluations } as never} />);
  expect(await screen.findByText('64,250.10 / 63,000.00')).toBeTruthy();
  expect(screen.getByText('1,001.50 USDT')).toBeTruthy();
});

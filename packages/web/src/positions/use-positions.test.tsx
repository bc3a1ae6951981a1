// @vitest-environment happy-dom
import type { StreamPayload } from '@pilotfish/core/http/stream-contract';
import type { SyncStatus } from '@pilotfish/core/positions/positions-contract';
import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { show, signedIn, testApp } from '../platform/testing/shown-app.tsx';
import { useSync } from './use-positions.ts';

const AT = '2026-11-25T14:41:00.000Z';
const running: SyncStatus = {
  state: 'running',
  done: 4,
  total: 5,
  symbol: 'BTCUSDT',
  tradesFound: 7,
  etaSeconds: null,
  finishedAt: null,
  error: null,
  comparedAt: null,
  differences: [],
};
const sol = { asset: 'SOL', balance: '1', known: '0', difference: '1', reasons: [] };
const done: SyncStatus = { ...running, state: 'idle', done: 5, symbol: null, finishedAt: AT, comparedAt: AT, differences: [sol] };

function Status() {
  const { data } = useSync();
  return <output>{data ? `${data.state} ${data.done} ${data.differences.length}` : 'unknown'}</output>;
}

/** The hook beside a server whose answers the test gives, and whose stream it speaks for. */
async function shown() {
  const answers: ((status: SyncStatus) => void)[] = [];
  const calls = {
    getAccount: async () => ({ claims: [], exchanges: [{ name: 'Binance', tradeEnabled: true }] }),
    getSyncStatus: () => new Promise<SyncStatus>((resolve) => answers.push(resolve)),
  };
  const app = signedIn(testApp({ calls }));
  let hear: (payload: StreamPayload<'positions'>) => void = () => undefined;
  app.live.on = ((topic: string, handler: typeof hear) => {
    if (topic === 'positions') hear = handler;
    return () => undefined;
  }) as never;
  await show(app, <Status />);
  const said = () => screen.getByRole('status').textContent;
  const asked = async (count: number) => expect.poll(() => answers.length).toBe(count);
  await asked(1);
  return {
    said,
    asked,
    answer: (nth: number, status: SyncStatus) => act(async () => answers[nth]?.(status)),
    stream: (payload: StreamPayload<'positions'>) => act(async () => hear(payload)),
  };
}

test('a reading that ends while "running" is on its way as an answer does not run on', async () => {
  const { said, asked, answer, stream } = await shown();
  // As the stream has it: without what the balances were compared with.
  await stream({ symbols: [], sync: { ...done, comparedAt: null, differences: [] } });
  await answer(0, running);
  await asked(2);
  await answer(1, done);
  expect(said()).toBe('idle 5 1');
});

test('progress comes by the stream; the end, and a comparison after it, are asked for', async () => {
  const { said, asked, answer, stream } = await shown();
  await answer(0, { ...running, done: 1 });
  await stream({ symbols: ['BTCUSDT'], sync: running });
  expect(said()).toBe('running 4 0');
  await stream({ symbols: [], sync: { ...done, comparedAt: null, differences: [] } });
  await asked(2);
  await answer(1, done);
  expect(said()).toBe('idle 5 1');
  await stream({ symbols: [] });
  await asked(3);
  await answer(2, { ...done, differences: [] });
  expect(said()).toBe('idle 5 0');
  await stream({ symbols: ['BTCUSDT'] });
  await asked(3);
});

// @vitest-environment happy-dom

import type { AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { autoTradeConfigSchema } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { type BotDraft, draftOf } from '@pilotfish/core/auto-trades/config/bot-draft';
import { botConfig } from '@pilotfish/core/testing/auto-trade-fixtures';
import { act } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { show, testApp } from '../app/testing/shown-app.tsx';
import { useBotForm } from './use-bot-form.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
});

const draft = draftOf(autoTradeConfigSchema.parse(botConfig({ coins: { symbols: ['BTCUSDT'], coinFilterIds: [] } })));
const ladder = (...symbols: string[]) =>
  ({ rungs: symbols.map((symbol) => ({ symbol, level: 0 })), exits: [], stops: [] }) as unknown as AutoTradeDetail['ladder'];
const tooSmall = { path: 'entry.size.value', code: 'BELOW_MIN_NOTIONAL', message: 'Too small.' };
const passes = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

function Errors({ of }: { of: BotDraft }) {
  const { validation } = useBotForm(of);
  return <output>{[...validation.errors.keys()].join(' ')}</output>;
}

test('what could not be judged without a price is asked again until there is one, and no longer', async () => {
  const answers = [
    { valid: true, errors: [], ladder: ladder() },
    { valid: true, errors: [], ladder: ladder() },
    { valid: false, errors: [tooSmall], ladder: ladder('BTCUSDT') },
  ];
  const createAutoTrade = vi.fn(async () => ({
    autoTrade: null,
    changes: [],
    ...(answers.shift() ?? { valid: true, errors: [], ladder: ladder() }),
  }));
  const { container } = await show(testApp({ calls: { createAutoTrade } }), <Errors of={draft} />);
  await passes(1000);
  expect([createAutoTrade.mock.calls.length, container.textContent]).toEqual([1, '']);
  await passes(5000);
  await passes(5000);
  expect([createAutoTrade.mock.calls.length, container.textContent]).toEqual([3, 'entry.size.value']);
  await passes(60_000);
  expect(createAutoTrade).toHaveBeenCalledTimes(3);
});

test('a coin that the exchange does not have is no coin without a price', async () => {
  const unknown = { path: 'coins.symbols.0', code: 'SYMBOL_UNKNOWN', message: 'Unknown.' };
  const createAutoTrade = vi.fn(async () => ({ autoTrade: null, changes: [], valid: false, errors: [unknown], ladder: ladder() }));
  await show(testApp({ calls: { createAutoTrade } }), <Errors of={draft} />);
  await passes(60_000);
  expect(createAutoTrade).toHaveBeenCalledOnce();
});

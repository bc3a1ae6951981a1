// @vitest-environment happy-dom

import { autoTradeConfigSchema } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { type BotDraft, draftOf, setField } from '@pilotfish/core/auto-trades/config/bot-draft';
import { AppError } from '@pilotfish/core/http/problem';
import { botConfig } from '@pilotfish/core/testing/auto-trade-fixtures';
import { act, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { show, testApp } from '../../platform/testing/shown-app.tsx';
import { useBotForm } from './use-bot-form.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
});

const draft = draftOf(autoTradeConfigSchema.parse(botConfig({ coins: { symbols: ['BTCUSDT'], coinFilterIds: [] } })));
const tooSmall = { path: 'entry.size.value', code: 'BELOW_MIN_NOTIONAL', message: 'Too small.' };
const answer = (more: object) => ({ autoTrade: null, valid: true, errors: [], ladder: null, changes: [], ...more });
const passes = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

const wrong = setField(setField(draft, 'entry.size.value', '1'), 'name', '');
function Form({ onSaved }: { onSaved: (bot: unknown) => void }) {
  const [of, change] = useState(wrong);
  const { validation, save } = useBotForm(of);
  return (
    <>
      <output>{[...validation.errors].map(([path, { message }]) => `${path}: ${message}`).join(' ')}</output>
      <button type="button" onClick={() => change(draft)}>
        Mend
      </button>
      <button type="button" onClick={() => void save().then(onSaved)}>
        Save
      </button>
      <button type="button" onClick={() => void save({ start: true }).then(onSaved)}>
        Start
      </button>
    </>
  );
}

test('what changes is judged, what is missing is said, and nothing is saved before it is there', async () => {
  const createAutoTrade = vi.fn(async ({ query, body }: { query: { validateOnly: string }; body: BotDraft }) =>
    query.validateOnly === 'true'
      ? answer(body.entry.size.value === '1' ? { valid: false, errors: [tooSmall] } : {})
      : answer({ autoTrade: { id: 'b1' } }),
  );
  const onSaved = vi.fn();
  const press = (name: string) => act(async () => screen.getByRole('button', { name }).click());
  const errors = () => screen.getByRole('status').textContent;
  await show(testApp({ calls: { createAutoTrade } }), <Form onSaved={onSaved} />);
  await passes(1000);
  expect(errors()).toBe('entry.size.value: Too small. name: Enter a name.');
  await press('Save');
  expect(onSaved).toHaveBeenLastCalledWith(undefined);
  await press('Mend');
  await passes(1000);
  expect(errors()).toBe('');
  await press('Save');
  expect(onSaved).toHaveBeenLastCalledWith({ bot: { id: 'b1' }, notStarted: undefined });
  expect(createAutoTrade.mock.calls.map(([{ query }]) => query.validateOnly)).toEqual(['true', 'true', 'false']);
});

test('a bot is started once it is saved; one that cannot be is saved all the same, and says why', async () => {
  const createAutoTrade = vi.fn(async ({ query }: { query: { validateOnly: string } }) =>
    query.validateOnly === 'true' ? answer({}) : answer({ autoTrade: { id: 'b1', name: 'Dip', configVersion: 3 } }),
  );
  for (const refused of [undefined, new AppError('trading-disabled')]) {
    const enableAutoTrade = vi.fn<(input: unknown) => Promise<unknown>>(async () => {
      if (refused) throw refused;
      return { id: 'b1', name: 'Dip', state: 'Running' };
    });
    const onSaved = vi.fn();
    const { unmount } = await show(testApp({ calls: { createAutoTrade, enableAutoTrade } }), <Form onSaved={onSaved} />);
    await act(async () => screen.getByRole('button', { name: 'Mend' }).click());
    await passes(1000);
    await act(async () => screen.getByRole('button', { name: 'Start' }).click());
    expect(enableAutoTrade.mock.calls.map(([input]) => input)).toEqual([
      { params: { id: 'b1' }, body: { acknowledge: false, version: 3 } },
    ]);
    expect(onSaved.mock.calls).toMatchObject([
      [refused ? { bot: { id: 'b1' }, notStarted: { code: 'trading-disabled' } } : { bot: { state: 'Running' }, notStarted: undefined }],
    ]);
    unmount();
  }
});

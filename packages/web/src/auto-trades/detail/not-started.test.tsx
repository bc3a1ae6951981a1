// @vitest-environment happy-dom
import type { AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { botConfig } from '@pilotfish/core/testing/auto-trade-fixtures';
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { expect, test } from 'vitest';
import { show, testApp } from '../../platform/testing/shown-app.tsx';
import { notStartedState } from '../not-started-state.ts';
import { NotStartedNotice } from './not-started.tsx';

const bot = (state: AutoTradeDetail['state']) =>
  ({
    id: 'a',
    name: 'Dip',
    state,
    mode: 'paper',
    config: botConfig(),
    allowed: [],
    withheld: [],
    openPositions: 0,
  }) as unknown as AutoTradeDetail;

/** The page of a bot whose start was refused, and what becomes of the bot. */
function Page() {
  const navigate = useNavigate();
  const [state, setState] = useState<AutoTradeDetail['state']>('Disabled');
  return (
    <>
      <button type="button" onClick={() => void navigate('/', notStartedState({ code: 'not-connected', detail: 'No keys.' }))}>
        Save and start
      </button>
      <button type="button" onClick={() => setState('Running')}>
        It runs
      </button>
      <button type="button" onClick={() => setState('Disabled')}>
        It rests
      </button>
      <NotStartedNotice bot={bot(state)} />
    </>
  );
}

test('that a bot was not started is over once it ran: a bot that rests later was started', async () => {
  await show(testApp(), <Page />);
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
  const notice = () => screen.queryByText(/Saved, but not started/);
  expect(notice()).toBeNull();
  press('Save and start');
  expect(notice()).not.toBeNull();
  press('It runs');
  expect(notice()).toBeNull();
  press('It rests');
  expect(notice()).toBeNull();
});

// @vitest-environment happy-dom
import { AppError } from '@pilotfish/core/http/problem';
import { act, screen } from '@testing-library/react';
import { useEffect } from 'react';
import { expect, test, vi } from 'vitest';
import { show, testApp } from './testing/shown-app.tsx';
import { useAction, useDeed } from './use-action.ts';

let action: ReturnType<typeof useAction>;
let deed: ReturnType<typeof useDeed>;
let toasting: ReturnType<typeof useDeed>;
function Page() {
  const hooks = { action: useAction(), deed: useDeed(), toasting: useDeed({ toasts: true }) };
  useEffect(() => {
    ({ action, deed, toasting } = hooks);
  });
  return <output>{hooks.action.busy ? 'busy' : (hooks.action.problem?.code ?? 'ready')}</output>;
}
const toasts = () => [...document.querySelectorAll('.Toastify__toast')].map(({ textContent }) => textContent);
/** Those that were asked for before this one are there by then, too. */
const toasted = (text: string) => vi.waitFor(() => expect(toasts()).toContain(text));
const said = () => screen.getByRole('status').textContent;

/** A call that is answered by hand. */
function held<Value>() {
  let answer: (value: Value) => void = () => undefined;
  const call = new Promise<Value>((resolve) => {
    answer = resolve;
  });
  return { call, answer };
}

async function open() {
  const app = testApp();
  const stale = vi.spyOn(app.queries, 'invalidate');
  await show(app, <Page />);
  return { app, stale };
}

test('while it runs another press does nothing, and the bar is on', async () => {
  const { app, stale } = await open();
  const { call, answer } = held<string>();
  const work = vi.fn(() => call);
  const onDone = vi.fn();
  const pressed: Promise<boolean>[] = [];
  const press = () => pressed.push(action.run(work, { stale: ['wallets'], said: (name) => `Opened ${name}`, onDone }));
  act(() => {
    press();
    press();
  });
  expect([said(), app.busy.count.get(), work.mock.calls.length]).toEqual(['busy', 1, 1]);
  await act(async () => answer('Main'));
  expect(await Promise.all(pressed)).toEqual([true, false]);
  expect([said(), app.busy.count.get()]).toEqual(['ready', 0]);
  expect(stale).toHaveBeenCalledExactlyOnceWith('wallets');
  await toasted('Opened Main');
  expect(onDone).toHaveBeenCalledExactlyOnceWith('Main');
});

test('why it was not done stays until the next try, nothing says that it was, and its lists load again all the same', async () => {
  const { stale } = await open();
  const [onDone, onFailed] = [vi.fn(), vi.fn()];
  const after = { stale: ['wallets'], onDone, onFailed };
  await act(async () => void (await action.run(() => Promise.reject(new AppError('offline')), { ...after, said: 'Done all the same' })));
  expect(said()).toBe('offline');
  expect(onFailed).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'offline' }));
  expect(onDone).not.toHaveBeenCalled();
  expect(stale).toHaveBeenCalledExactlyOnceWith('wallets');
  act(() => action.forget());
  expect(said()).toBe('ready');
  await act(async () => void (await action.run(async () => 'x', { ...after, said: 'Done now' })));
  expect([said(), onDone.mock.calls.length]).toEqual(['ready', 1]);
  await toasted('Done now');
  expect(toasts()).not.toContain('Done all the same');
});

test('to forget a problem does not let a second one begin', async () => {
  await open();
  const { call, answer } = held<void>();
  act(() => void action.run(() => call));
  act(() => action.forget());
  expect(said()).toBe('busy');
  await act(async () => answer());
  expect(said()).toBe('ready');
  // A form that is emptied once it is sent forgets too.
  await act(async () => void (await action.run(async () => 'x', { onDone: () => action.forget() })));
  expect(said()).toBe('ready');
});

test('a deed that failed rejects, for the dialog that asked; a toast says it where no dialog does', async () => {
  await open();
  const refused = (detail: string) => Promise.reject(new AppError('forbidden', { detail }));
  await expect(deed(refused('Said by a dialog'), [])).rejects.toMatchObject({ code: 'forbidden' });
  await expect(toasting(refused('Said by no dialog'), [])).rejects.toMatchObject({ code: 'forbidden' });
  await toasted('Said by no dialog');
  expect(toasts()).not.toContain('Said by a dialog');
});

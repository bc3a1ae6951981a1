import { afterEach, expect, test, vi } from 'vitest';
import { followMarket } from './follow-market.ts';
import { marketChanges } from './remote.ts';
import { testApp } from './testing/shown-app.tsx';

afterEach(() => marketChanges.set(false));

/** A page that was loaded while the server works with the simulated market. */
async function opened() {
  let exchange = 'simulated';
  const app = testApp({ calls: { getAppConfig: async () => ({ exchange }) } });
  const load = vi.spyOn(app.browser, 'load');
  app.start();
  followMarket(app);
  const read = async () => {
    app.queries.invalidate('config');
    await vi.waitFor(() => expect(app.config.getSnapshot().context.data?.exchange).toBe(exchange));
  };
  await vi.waitFor(() => expect(app.config.getSnapshot().context.data).toBeDefined());
  return {
    app,
    load,
    read,
    change: (to: string) => {
      exchange = to;
    },
  };
}

test('another market loads the page again, whole; the same one does not', async () => {
  const { load, read, change } = await opened();
  await read();
  expect(load).not.toHaveBeenCalled();
  change('binance');
  await read();
  expect(load.mock.calls).toEqual([['/somewhere']]);
});

test('the page that changes the market is waited for', async () => {
  const { load, read, change } = await opened();
  marketChanges.set(true);
  change('binance');
  await read();
  expect(load).not.toHaveBeenCalled();
  // Left before the server was back.
  marketChanges.set(false);
  expect(load.mock.calls).toEqual([['/somewhere']]);
});

test('a configuration that is forgotten, as at a sign-out, is no other market', async () => {
  const { app, load } = await opened();
  app.queries.closeAll();
  expect(load).not.toHaveBeenCalled();
});

test('a server that is away for it is not told as a failure; any other failure is', async () => {
  const onProblem = vi.fn();
  let answer = (): Response => {
    throw new TypeError('Failed to fetch');
  };
  const app = testApp({ fetch: (async () => answer()) as never, onProblem });
  const failed = () => expect(app.client.getAccount()).rejects.toBeDefined();
  marketChanges.set(true);
  await failed();
  expect(onProblem).not.toHaveBeenCalled();
  answer = () => Response.json({ code: 'internal', status: 500, title: 'T', detail: 'D' }, { status: 500 });
  await failed();
  expect(onProblem).toHaveBeenCalledOnce();
});

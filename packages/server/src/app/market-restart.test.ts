import { virtualTime } from '@pilotfish/core/testing/virtual-time';
import { expect, test } from 'vitest';
import { createLog } from './log.ts';
import { startServer } from './server.ts';
import type { RunningServer, startRun } from './server-run.ts';
import { readSettings } from './settings.ts';

type Given = Parameters<typeof startRun>[0];

/** A server at a port whose runs begin at the addresses that are given, and do nothing. */
async function stage(port: number, url: string) {
  const time = virtualTime();
  const runs: { given: Given; closed: boolean }[] = [];
  let refusal: Error | undefined;
  const settings = readSettings({ PILOTFISH_PORT: String(port) });
  const begin = async (given: Given): Promise<RunningServer> => {
    if (refusal) throw refusal;
    const run = { given, closed: false };
    runs.push(run);
    return {
      url,
      context: {} as never,
      setupCode: undefined,
      close: async () => {
        run.closed = true;
      },
      write: async () => undefined,
      ended: new Promise(() => undefined),
    };
  };
  const server = await startServer({ settings, timers: time.timers, log: createLog('silent'), fresh: true }, begin);
  const refuse = (error: Error) => {
    refusal = error;
  };
  return { time, runs, server, refuse };
}

test.each([
  // An address leaves out the port that its scheme has anyway.
  [80, 'http://localhost:80', 80],
  [4600, 'http://[::1]:4600', 4600],
  [0, 'http://127.0.0.1:41234', 41_234],
])('a server with port %i begins again with another market at its port', async (port, url, expected) => {
  const { time, runs, server } = await stage(port, url);
  runs[0]!.given.onMarket();
  await time.advance(1000);
  expect(runs.map(({ closed }) => closed)).toEqual([true, false]);
  expect(runs[1]!.given).toMatchObject({ settings: { port: expected }, fresh: false });
  await server.close();
  expect(runs[1]!.closed).toBe(true);
});

test('a server that is told to end while it changes its market does not begin again', async () => {
  const { time, runs, server } = await stage(4600, 'http://127.0.0.1:4600');
  runs[0]!.given.onMarket();
  await time.during(server.close());
  expect(runs.map(({ closed }) => closed)).toEqual([true]);
});

test('a server that cannot begin again says so to whoever holds its process', async () => {
  const { time, runs, server, refuse } = await stage(4600, 'http://127.0.0.1:4600');
  refuse(new Error('the port is taken'));
  runs[0]!.given.onMarket();
  await time.advance(1000);
  expect((await server.ended).message).toBe('the port is taken');
});

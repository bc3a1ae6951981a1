import { virtualTime } from '@pilotfish/core/testing/virtual-time';
import { beforeEach, expect, test, vi } from 'vitest';
import { createLog } from './log.ts';
import { startServer } from './server.ts';
import { type RunningServer, type ServerOptions, startRun } from './server-run.ts';
import { readSettings } from './settings.ts';

vi.mock('./server-run.ts', () => ({ startRun: vi.fn() }));
type Given = ServerOptions & { readonly onMarket: () => void };

const time = virtualTime();
const runs: { given: Given; closed: boolean }[] = [];
/** Runs that begin where and as they are told. */
const begins = (url: (given: Given) => string) =>
  vi.mocked(startRun).mockImplementation(async (given): Promise<RunningServer> => {
    const run = { given, closed: false };
    runs.push(run);
    const close = async () => {
      run.closed = true;
    };
    return {
      url: url(given),
      context: {} as never,
      setupCode: undefined,
      close,
      write: async () => undefined,
      ended: new Promise(() => undefined),
    };
  });
const start = (port: number) =>
  startServer({ settings: readSettings({ PILOTFISH_PORT: String(port) }), timers: time.timers, log: createLog('silent'), fresh: true });
beforeEach(() => void runs.splice(0));

test.each([
  // An address leaves out the port that its scheme has anyway.
  [80, 'http://localhost:80', 80],
  [4600, 'http://[::1]:4600', 4600],
  [0, 'http://127.0.0.1:41234', 41_234],
])('a server with port %i begins again with another market at its port', async (port, url, expected) => {
  begins(() => url);
  const server = await start(port);
  runs[0]!.given.onMarket();
  await time.advance(1000);
  expect(runs.map(({ closed }) => closed)).toEqual([true, false]);
  expect(runs[1]!.given).toMatchObject({ settings: { port: expected }, fresh: false });
  await server.close();
  expect(runs[1]!.closed).toBe(true);
});

test('a server that is told to end while it changes its market does not begin again', async () => {
  begins(() => 'http://127.0.0.1:4600');
  const server = await start(4600);
  runs[0]!.given.onMarket();
  await time.during(server.close());
  expect(runs.map(({ closed }) => closed)).toEqual([true]);
});

test('a server that cannot begin again says so to whoever holds its process', async () => {
  begins(() => 'http://127.0.0.1:4600');
  const server = await start(4600);
  vi.mocked(startRun).mockRejectedValueOnce(new Error('the port is taken'));
  runs[0]!.given.onMarket();
  await time.advance(1000);
  expect((await server.ended).message).toBe('the port is taken');
});

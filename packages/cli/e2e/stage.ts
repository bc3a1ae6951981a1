import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@pilotfish/core/testing/until';
import { type BotApiServer, startBotApiServer } from '@pilotfish/server/app/testing/bot-api-server';
import { type SignedInUser, startTestServer, type TestServer } from '@pilotfish/server/app/testing/test-server';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { MARKET_START, testMarket } from '@pilotfish/simulator/testing/test-market';
import { openPipe } from './pipe.ts';
import type { Size, Terminal } from './screen.ts';
import { openTerminal } from './terminal.ts';

/**
 * One exchange and one server for all files of a worker. The market keeps pace with the clock, because one that is silent
 * for a quarter of a minute counts as gone; where a test needs it to move, the test moves it.
 */
export type Stage = { simulator: Simulator; server: TestServer; telegram: BotApiServer; admin: SignedInUser };

/** Nothing of a file disturbs another: whatever it makes belongs to an account of its own. */
export type Account = {
  readonly user: SignedInUser;
  /** Private to it; its session and what a test writes. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly pipe: ReturnType<typeof openPipe>;
  open(words: readonly string[], size?: Size, more?: Record<string, string>): Terminal;
  close(): void;
};

let stage: Promise<Stage> | undefined;

/** The stage of this worker; it is there until the worker ends. */
export const openStage = (): Promise<Stage> => {
  stage ??= raise();
  return stage;
};

async function raise(): Promise<Stage> {
  let server: TestServer | undefined;
  // One clock for both, which begins where the market begins: nothing follows the day a test runs on.
  const now = () => server?.now() ?? MARKET_START;
  const [simulator, telegram] = await Promise.all([
    startSimulator({ market: testMarket(11), now, limits: { weightPerMinute: 1_000_000 } }),
    startBotApiServer(),
  ]);
  server = await startTestServer({
    realClock: true,
    now: MARKET_START,
    settings: {
      exchangeRestUrl: simulator.origin,
      exchangeWsUrl: simulator.wsOrigin,
      telegramBotToken: telegram.token,
      telegramApiRoot: telegram.url,
      allowPrivateWebhooks: true,
    },
  });
  const { dataDir } = server;
  // No file knows that it is the worker's last one, and Vitest ends workers by a signal.
  const clear = () => rmSync(dataDir, { recursive: true, force: true });
  process.once('exit', clear);
  process.once('SIGTERM', () => {
    clear();
    process.kill(process.pid, 'SIGTERM');
  });
  // The first account of a server is its Admin; those of the tests are not.
  const admin = await server.register({ username: 'root' });
  return { simulator, server, telegram, admin };
}

/** An account at this server, or at the worker's. */
export async function openAccount(given: { server?: TestServer; user?: SignedInUser } = {}): Promise<Account> {
  const server = given.server ?? (await openStage()).server;
  const user = given.user ?? (await server.register());
  const folder = mkdtempSync(join(tmpdir(), 'pilotfish-cli-'));
  const env = { XDG_CONFIG_HOME: folder, PILOTFISH_URL: server.url, PILOTFISH_TOKEN: user.session.accessToken };
  const clock = { now: server.now };
  return {
    user,
    folder,
    env,
    pipe: openPipe(env, clock),
    open: (words, size, more = {}) => openTerminal(words, { ...env, ...more }, size, clock),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Moves the market on, step by step, until something is seen. */
export async function whileMoving<Seen>(simulator: Simulator, awaited: Promise<Seen>, stepMs = 1_000): Promise<Seen> {
  let isOver = false;
  const seen = awaited.finally(() => {
    isOver = true;
  });
  await Promise.race([seen, until('what a moving market shows', () => isOver, { meanwhile: () => simulator.clock.advance(stepMs) })]);
  return seen;
}

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Simulator, startSimulator } from '@pilotfish/simulator/app/simulator';
import { MARKET_START, testMarket } from '@pilotfish/simulator/testing/test-market';
import { type BotApiServer, startBotApiServer } from '../src/app/testing/bot-api-server.ts';
import { type MailServer, startMailServer } from '../src/app/testing/mail-server.ts';
import { type ReceivingServer, startReceivingServer } from '../src/app/testing/receiving-server.ts';
import { type CallOptions, type SignedInUser, startTestServer, type TestServer } from '../src/app/testing/test-server.ts';

/** The product with everything it talks to, on loopback, at a time that only `advance` moves. */
export type FixtureStage = {
  readonly server: TestServer;
  readonly simulator: Simulator;
  readonly telegram: BotApiServer;
  readonly mail: MailServer;
  readonly hook: ReceivingServer;
  /** Where the server keeps its files. It outlives the stage. */
  readonly dataDir: string;
  /** Where the exchange keeps its accounts and orders. It outlives the stage. */
  readonly exchangeFolder: string;
  /** Moves the clock of the server and the market by the same time. */
  readonly advance: (milliseconds: number) => Promise<void>;
  /** Waits until something is so; `stepMs` moves the clock between two looks. */
  readonly until: (what: string, holds: () => Promise<boolean> | boolean, stepMs?: number) => Promise<void>;
  /** Calls as a user. Throws when the answer is not one of `expected` (200, 201 and 204 when left out). */
  readonly ask: <Body = Record<string, unknown>>(
    user: SignedInUser,
    path: string,
    options?: CallOptions,
    ...expected: number[]
  ) => Promise<Body>;
  readonly close: () => Promise<void>;
};

const LOOKS = 2000;
const PAUSE_MS = 10;

/** Starts it with empty folders; `databaseUrl` names an empty PostgreSQL database, SQLite when left out. */
export async function openFixtureStage(databaseUrl: string | undefined): Promise<FixtureStage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pilotfish-fixture-'));
  const exchangeFolder = mkdtempSync(join(tmpdir(), 'pilotfish-fixture-exchange-'));
  let server: TestServer | undefined;
  const now = () => server?.now() ?? MARKET_START;
  const simulator = await startSimulator({ market: testMarket(7), paused: true, storageFolder: exchangeFolder, now });
  const telegram = await startBotApiServer();
  const mail = await startMailServer();
  const hook = await startReceivingServer();
  const running = await startTestServer({
    now: MARKET_START,
    settings: {
      dataDir,
      databaseUrl,
      exchangeRestUrl: simulator.origin,
      exchangeWsUrl: simulator.wsOrigin,
      telegramBotToken: telegram.token,
      telegramApiRoot: telegram.url,
      smtpUrl: mail.url,
      allowPrivateWebhooks: true,
    },
  });
  server = running;
  const advance = async (milliseconds: number): Promise<void> => {
    running.advance(milliseconds);
    await simulator.clock.advance(running.now() - simulator.clock.now());
  };
  /** An order is on its way: a clock that jumped now would make its request too old for the exchange. */
  const isAtWork = async (): Promise<boolean> => {
    const { queries } = running.context.database;
    const rows = await queries.selectFrom('order_intents').select('id').where('status', 'in', ['pending', 'sent']).limit(1).execute();
    return rows.length > 0;
  };
  return {
    server: running,
    simulator,
    telegram,
    mail,
    hook,
    dataDir,
    exchangeFolder,
    advance,
    until: async (what, holds, stepMs = 0) => {
      for (let look = 0; look < LOOKS; look += 1) {
        if (await holds()) return;
        if (stepMs > 0 && !(await isAtWork())) await advance(stepMs);
        await new Promise((done) => setTimeout(done, PAUSE_MS));
      }
      throw new Error(`${what} did not happen`);
    },
    ask: async <Body>(user: SignedInUser, path: string, options: CallOptions = {}, ...expected: number[]) => {
      let { status, body } = await user.call<Body>(path, options);
      if (status === 401) {
        // The clock moved past the end of the access token.
        user.session = await running.signIn(user);
        ({ status, body } = await user.call<Body>(path, options));
      }
      if (!(expected.length > 0 ? expected : [200, 201, 202, 204]).includes(status))
        throw new Error(`${options.method ?? ''} ${path} answered ${status} ${JSON.stringify(body).slice(0, 600)}`);
      return body;
    },
    close: async () => {
      await running.close();
      await simulator.close();
      await telegram.close();
      await mail.close();
      await hook.close();
    },
  };
}

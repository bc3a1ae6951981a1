import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { realTimers, type Timers } from '@pilotfish/core/time/timers';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { livePolicy, settingDefaults } from '../admin/app-settings-store.ts';
import { auditLog } from '../audit/audit-log.ts';
import { createSessions } from '../auth/sessions.ts';
import { openSetupCode, type SetupCode } from '../auth/setup-code.ts';
import { openDatabase } from '../database/database.ts';
import { isDiskFull } from '../database/database-error.ts';
import { beginEpoch } from '../database/installation.ts';
import { LEASE_OF_A_FILE, takeLease } from '../database/server-lease.ts';
import { fileReserve, NO_RESERVE, type Reserve, storageRoom } from '../database/storage-room.ts';
import { type Random, uuidGenerator } from '../database/uuid.ts';
import type { Handlers } from '../http/endpoint-handler.ts';
import { createHttpServer, type RequestTimes } from '../http/http-server.ts';
import { idempotentCalls } from '../http/idempotent-calls.ts';
import type { LoopLag } from '../http/loop-lag.ts';
import type { ReadLimits } from '../http/read-limiter.ts';
import { createTexts } from '../http/texts.ts';
import { createMailer } from '../mail/mailer.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { adminNotices } from '../notifications/admin-notices.ts';
import { withNotices } from '../notifications/audit-notices.ts';
import { createNotifier } from '../notifications/notifier.ts';
import { openSecretBox } from '../secrets/master-key.ts';
import { streamHub } from '../stream/stream-hub.ts';
import { startBackups } from './backup-schedule.ts';
import type { AccountExtras, AppContext } from './context.ts';
import { lockDataFolder, prepareDataFolder, requireNothingBefore, requireWholeFolder, StartError } from './data-folder.ts';
import type { Feature } from './feature.ts';
import { createFeatures } from './features.ts';
import { openInstanceData } from './instance-data.ts';
import { createLog } from './log.ts';
import { decideMarket } from './market-decision.ts';
import { createQuotas } from './quotas.ts';
import type { Settings } from './settings.ts';
import { startUpkeep } from './upkeep.ts';
import { VERSION } from './version.ts';

export type ServerOptions = {
  settings: Settings;
  /** Epoch milliseconds; the wall clock when absent. */
  now?: () => number;
  /** Every wait; those of the platform when absent. */
  timers?: Timers;
  random?: Random;
  log?: Logger;
  /** Which features run; all of them when absent. */
  features?: (context: AppContext) => Promise<Feature[]>;
  /** Process figures in /metrics; off in tests. */
  processMetrics?: boolean;
  /** Room for a full disk; a file of the data folder when absent, none on PostgreSQL. */
  reserve?: Reserve;
  /** Gives up a start that has not come to its end: what takes long in it ends at once. */
  signal?: AbortSignal;
  /** Begins with an empty database beside the key file of another one. */
  fresh?: boolean;
  /** How long a request may take to arrive; short in tests. */
  requestTimes?: RequestTimes;
  /** What reading may cost; the usual when absent. */
  readLimits?: ReadLimits;
  /** How far the process is behind, ms; measured when absent. */
  loopLag?: LoopLag;
};

export type RunningServer = {
  readonly url: string;
  readonly context: AppContext;
  /** What the operator is told for the first account; undefined where it needs none. */
  readonly setupCode: SetupCode['shown'];
  close(): Promise<void>;
  /** Resolves when what was decided so far is on disk, without ending anything. */
  write(): Promise<void>;
  /** Resolves when it has stopped by itself, with the reason: the process ends. */
  readonly ended: Promise<Error>;
};

const DAY_MS = 86_400_000;
/** What does not stop by then is ended with the process. */
const STOP_PATIENCE_MS = 10_000;

/**
 * Starts everything once, in this order: folder, hold on the database, database, secrets, services, features, port. Whatever
 * fails undoes what came before it.
 * @param options.onMarket called when an Admin has chosen another market: this run is to end, and the next to begin
 * @throws StartError | DatabaseStartError, whose message is a sentence for the person at the terminal
 */
export async function startRun({
  settings,
  now = Date.now,
  timers = realTimers,
  random = randomBytes,
  log = createLog(settings.logLevel),
  features: compose = createFeatures,
  processMetrics = true,
  requestTimes,
  readLimits,
  loopLag,
  signal,
  onMarket,
  fresh = false,
  reserve = settings.databaseUrl === undefined ? fileReserve(settings.dataDir) : NO_RESERVE,
}: ServerOptions & { readonly onMarket: () => void }): Promise<RunningServer> {
  const undo: (() => void | Promise<void>)[] = [];
  const undoAll = async () => {
    for (const step of undo.splice(0).reverse())
      await Promise.resolve(step()).catch((error: unknown) => log.error({ err: error }, 'a part did not stop cleanly'));
  };
  let end: (reason: Error) => void = () => undefined;
  const ended = new Promise<Error>((resolve) => {
    end = resolve;
  });
  let lost: Error | undefined;
  let closed: Promise<void> | undefined;
  let ready = false;
  const close = () => (closed ??= undoAll());
  const onLost = (error: Error) => {
    lost = error;
    log.fatal({ err: error }, 'another server works with this database: this one trades no more');
    if (!ready) return;
    const late = timers.wait(STOP_PATIENCE_MS);
    void Promise.race([close(), late]).then(() => end(error));
  };
  try {
    prepareDataFolder(settings.dataDir);
    undo.push(lockDataFolder(settings.dataDir).release);
    requireWholeFolder(settings.dataDir, settings.databaseUrl === undefined, fresh);
    const { databaseUrl } = settings;
    const lease = databaseUrl === undefined ? LEASE_OF_A_FILE : await takeLease({ databaseUrl, purpose: 'server', onLost, timers, log });
    undo.push(() => lease.release());
    const storage = storageRoom({ reserve, timers, log });
    undo.push(() => storage.stop());
    const whole = await openDatabase({
      ...settings,
      lease,
      now,
      onFull: () => storage.refused(),
      onEmpty: () => requireNothingBefore(settings.dataDir, 'the database is empty', fresh),
      onError: (error) => log.error({ err: error }, 'a database connection was lost'),
    });
    undo.push(() => whole.close());
    const { market: marketSource, decision: marketDecision } = await decideMarket(whole, settings, onMarket);
    const database = await whole.forMarket(marketSource);
    const installation = await beginEpoch(database, now(), random);

    let url = '';
    const newId = uuidGenerator(now, random);
    const secretBox = await openSecretBox(database.queries, settings.dataDir, now, random);
    const texts = createTexts();
    const metrics = createMetrics(processMetrics);
    const stream = streamHub({
      epoch: newId(),
      onCount: (count) => metrics.streamClients.set(count),
      onDrop: (reason) => metrics.streamDropped.inc({ reason }),
    });
    const mailer = createMailer({ database, secretBox, settings, now, timers, newId, log });
    const notifier = createNotifier({
      market: marketSource,
      now,
      newId,
      onError: (error) => log.error({ err: error }, 'notifications could not be told'),
    });
    const instance = await openInstanceData({ database, stream, defaults: settingDefaults(settings), log });
    const policy = livePolicy(settings.auth, instance.settings);
    const accountExtras: AccountExtras = {
      exchanges: async () => [],
      hasTelegram: async () => false,
      beforeDelete: [],
      afterDelete: [],
      afterRoles: [],
      connections: [],
      unreadable: [],
      stats: [],
    };
    const audit = withNotices(auditLog(database, now, newId, metrics), {
      database,
      notifier,
      newId,
      now,
      connections: accountExtras.connections,
    });
    const sessions = await createSessions({ database, secretBox, policy, stream, audit, now, newId, random });
    const setupCode = await openSetupCode({ settings, database, secretBox, random });
    undo.push(() => setupCode.close());
    const publicUrl = () => settings.publicUrl ?? url;
    const context: AppContext = {
      settings,
      marketSource,
      marketDecision,
      database,
      lease,
      installation,
      storage,
      secretBox,
      givenUp: signal,
      now,
      timers,
      random,
      newId,
      log,
      texts,
      stream,
      metrics,
      audit,
      mailer,
      notifier,
      sessions,
      setupCode,
      accountExtras,
      instance,
      quotas: createQuotas({ instance, texts }),
      publicUrl,
    };

    const features = await compose(context);
    undo.push(() => mailer.settle());
    undo.push(() => notifier.settle());
    // From when they are made: they hold connections, which would keep a process that does not start from ending.
    for (const feature of features) undo.push(async () => feature.stop?.());
    const idempotency = idempotentCalls(database, now);
    const http = await createHttpServer({
      context,
      handlers: mergeHandlers(features),
      authenticator: sessions,
      idempotency,
      version: VERSION,
      ...(requestTimes && { times: requestTimes }),
      ...(readLimits && { reads: readLimits }),
      ...(loopLag && { lag: loopLag }),
    });
    for (const feature of features) await feature.start?.();
    const tellAdmins = adminNotices({ database, notifier });
    const onFailed = (reason: string) => tellAdmins('instance-backup-failed', { reason }, `backup:${Math.floor(now() / DAY_MS)}`);
    undo.push(startBackups({ settings, onFailed, now, timers, log }));
    undo.push(startUpkeep({ stream, mailer, idempotency, timers, log }));
    // Closing the port comes first when stopping: no new calls, the running ones end, streams are told.
    undo.push(() => http.close());
    url = await listen(http, settings);
    if (lost) throw lost;
    setupCode.leaveFor([url, publicUrl()]);
    ready = true;
    log.info({ url, database: database.dialect, exchange: marketSource }, 'Pilotfish is ready');
    const write = async () => void (await Promise.all(features.map(async (feature) => feature.write?.())));
    return { url, context, setupCode: setupCode.shown, close, write, ended };
  } catch (error) {
    await undoAll();
    throw isDiskFull(error) ? fullAtStart(settings.dataDir, error) : error;
  }
}

const fullAtStart = (dataDir: string, cause: unknown): StartError =>
  new StartError(`The disk of the data folder ${dataDir} is full. Make room on it, then start again. Nothing was changed.`, { cause });

/** One table of handlers; two features answering the same call is a mistake found at start. */
function mergeHandlers(features: readonly Feature[]): Partial<Handlers> {
  const merged: Record<string, unknown> = {};
  for (const { handlers } of features)
    for (const [id, handler] of Object.entries(handlers)) {
      if (merged[id] !== undefined) throw new Error(`Two features answer ${id}.`);
      merged[id] = handler;
    }
  return merged as Partial<Handlers>;
}

async function listen(http: FastifyInstance, { host, port }: Settings): Promise<string> {
  try {
    await http.listen({ host, port });
  } catch (error) {
    throw new StartError(portSentence(String((error as { code?: unknown }).code), host, port), { cause: error });
  }
  const address = http.server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${name === '0.0.0.0' || name === '[::]' ? 'localhost' : name}:${address.port}`;
}

function portSentence(code: string, host: string, port: number): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use by another program. Stop that one, or name another port by PILOTFISH_PORT.`;
    case 'EACCES':
      return `Port ${port} on ${host} needs more rights than this user has. Name a port above 1023 by PILOTFISH_PORT.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `The address ${host} does not belong to this machine. Correct PILOTFISH_HOST.`;
    default:
      return `Port ${port} on ${host} cannot be opened (${code}). Correct PILOTFISH_HOST or PILOTFISH_PORT.`;
  }
}

import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { livePolicy, settingDefaults } from '../admin/app-settings-store.ts';
import { auditLog } from '../audit/audit-log.ts';
import { createSessions } from '../auth/sessions.ts';
import { openDatabase } from '../database/database.ts';
import { LEASE_OF_A_FILE, takeLease } from '../database/server-lease.ts';
import { type Random, uuidGenerator } from '../database/uuid.ts';
import type { Handlers } from '../http/endpoint-handler.ts';
import { createHttpServer, type RequestTimes } from '../http/http-server.ts';
import { idempotentCalls } from '../http/idempotent-calls.ts';
import { createTexts } from '../http/texts.ts';
import { createMailer } from '../mail/mailer.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { withNotices } from '../notifications/audit-notices.ts';
import { createNotifier } from '../notifications/notifier.ts';
import { openSecretBox } from '../secrets/master-key.ts';
import { streamHub } from '../stream/stream-hub.ts';
import type { AccountExtras, AppContext } from './context.ts';
import { lockDataFolder, prepareDataFolder, requireKeyBesideDatabase, StartError } from './data-folder.ts';
import type { Feature } from './feature.ts';
import { createFeatures } from './features.ts';
import { openInstanceData } from './instance-data.ts';
import { createLog } from './log.ts';
import type { Settings } from './settings.ts';
import { startUpkeep } from './upkeep.ts';
import { VERSION } from './version.ts';

export type ServerOptions = {
  settings: Settings;
  /** Epoch milliseconds; the wall clock when absent. */
  now?: () => number;
  random?: Random;
  log?: Logger;
  /** Which features run; all of them when absent. */
  features?: (context: AppContext) => Promise<Feature[]>;
  /** Process figures in /metrics; off in tests. */
  processMetrics?: boolean;
  /** How long a request may take to arrive; short in tests. */
  requestTimes?: RequestTimes;
};

export type RunningServer = {
  readonly url: string;
  readonly context: AppContext;
  close(): Promise<void>;
  /** Resolves when it has stopped by itself, with the reason: the process ends. */
  readonly ended: Promise<Error>;
};

/** What does not stop by then is ended with the process. */
const STOP_PATIENCE_MS = 10_000;

/**
 * Starts everything, in this order: folder, hold on the database, database, secrets, services, features, port. Whatever
 * fails undoes what came before it.
 * @throws StartError | DatabaseStartError, whose message is a sentence for the person at the terminal
 */
export async function startServer({
  settings,
  now = Date.now,
  random = randomBytes,
  log = createLog(settings.logLevel),
  features: compose = createFeatures,
  processMetrics = true,
  requestTimes,
}: ServerOptions): Promise<RunningServer> {
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
    const late = new Promise<void>((done) => setTimeout(done, STOP_PATIENCE_MS).unref());
    void Promise.race([close(), late]).then(() => end(error));
  };
  try {
    prepareDataFolder(settings.dataDir);
    undo.push(lockDataFolder(settings.dataDir).release);
    requireKeyBesideDatabase(settings.dataDir, settings.databaseUrl === undefined);
    const { databaseUrl } = settings;
    const lease = databaseUrl === undefined ? LEASE_OF_A_FILE : await takeLease({ databaseUrl, purpose: 'server', onLost, log });
    undo.push(() => lease.release());
    const database = await openDatabase({
      ...settings,
      lease,
      onError: (error) => log.error({ err: error }, 'a database connection was lost'),
    });
    undo.push(() => database.close());

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
    const mailer = createMailer({ database, secretBox, settings, now, newId, log });
    const notifier = createNotifier({
      now,
      newId,
      onError: (error) => log.error({ err: error }, 'notifications could not be told'),
    });
    const instance = await openInstanceData({ database, stream, defaults: settingDefaults(settings), log });
    const policy = livePolicy(settings.auth, instance.settings);
    const audit = withNotices(auditLog(database, now, newId, metrics), { database, notifier, newId });
    const sessions = await createSessions({ database, secretBox, policy, stream, audit, now, newId, random });
    const accountExtras: AccountExtras = {
      exchanges: async () => [],
      hasTelegram: async () => false,
      beforeDelete: [],
      afterDelete: [],
      stats: [],
    };
    const publicUrl = () => settings.publicUrl ?? url;
    const context: AppContext = {
      settings,
      database,
      lease,
      secretBox,
      now,
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
      accountExtras,
      instance,
      publicUrl,
    };

    const features = await compose(context);
    const idempotency = idempotentCalls(database, now);
    const http = await createHttpServer({
      context,
      handlers: mergeHandlers(features),
      authenticator: sessions,
      idempotency,
      version: VERSION,
      ...(requestTimes && { times: requestTimes }),
    });
    undo.push(() => mailer.settle());
    undo.push(() => notifier.settle());
    for (const feature of features) {
      undo.push(async () => feature.stop?.());
      await feature.start?.();
    }
    undo.push(startUpkeep({ stream, mailer, idempotency, log }));
    // Closing the port comes first when stopping: no new calls, the running ones end, streams are told.
    undo.push(() => http.close());
    url = await listen(http, settings);
    if (lost) throw lost;
    ready = true;
    log.info({ url, database: database.dialect, exchange: settings.exchange }, 'Pilotfish is ready');
    return { url, context, close, ended };
  } catch (error) {
    await undoAll();
    throw error;
  }
}

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

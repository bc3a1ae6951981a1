import type { Cancel } from '@pilotfish/core/time/timers';
import type { AdminFigures, AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import type { Surroundings } from '../http/endpoint-handler.ts';
import { localization } from './localization.ts';
import { roleHandlers } from './role-handlers.ts';
import { tagHandlers } from './tag-handlers.ts';
import { userAdministration } from './users.ts';

const PURGE_MS = 3_600_000;
/** Another process of this instance may have changed texts or settings. */
const LOOK_MS = 2000;
const DAY_MS = 86_400_000;
const NO_FIGURES: AdminFigures = {
  botsByState: {},
  ordersLastHour: 0,
  alertsFired24h: 0,
  streamLagMs: null,
  queueDepths: {},
  exchangeWeightUsed: null,
};

/** What an Admin sees and changes. The guard has asked the database for the role before any of this runs. */
export function adminFeature(context: AppContext): Feature {
  const { database, now, log, accountExtras, audit, instance, timers } = context;
  const users = userAdministration(context);
  const resources = localization(context);
  const deed = ({ account, origin }: Pick<Surroundings, 'account' | 'origin'>) => ({
    actorId: account.id,
    actorSession: account.sessionId,
    origin,
  });
  const cancels: Cancel[] = [];
  instance.onChange('texts', () => resources.load());

  const count = async (): Promise<{ users: number; activeSessions: number; unsent: number }> => {
    const [accounts, live, outbox] = await Promise.all([
      database.queries
        .selectFrom('accounts')
        .where('deleted_at', 'is', null)
        .select((e) => e.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow(),
      database.queries
        .selectFrom('sessions')
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', now())
        .select((e) => e.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow(),
      database.queries
        .selectFrom('mail_outbox')
        .where('sent_at', 'is', null)
        .where('failed_at', 'is', null)
        .select((e) => e.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow(),
    ]);
    return { users: accounts.n, activeSessions: live.n, unsent: outbox.n };
  };

  /** Logs of bots older than the Admin keeps them; 0 days keeps all. */
  const clearBotLogs = async (): Promise<void> => {
    const days = instance.settings.get('retention.botLogDays');
    if (days > 0)
      await database.queries
        .deleteFrom('auto_trade_logs')
        .where('at', '<', now() - days * DAY_MS)
        .execute();
  };

  return {
    handlers: {
      getAdminStats: async () => {
        const { unsent, ...counted } = await count();
        const figures = await Promise.all(accountExtras.stats.map((ask) => ask()));
        const merged: AdminFigures = Object.assign({}, NO_FIGURES, ...figures);
        const queueDepths = Object.assign({ mail: unsent }, ...figures.map((more) => more.queueDepths));
        return { ...counted, ...merged, queueDepths, databaseBytes: await database.size() };
      },
      listUsers: ({ query }) => users.list(query),
      deleteUser: (call) => users.delete(call.params.id, deed(call)),
      setUserRoles: (call) => users.setRoles(call.params.id, call.body.roles, deed(call)),
      ...roleHandlers(context, deed),
      listLocalizationResources: ({ query }) => resources.list(query),
      createLocalizationResource: (call) => resources.create(call.body, deed(call)),
      updateLocalizationResource: (call) => resources.update(call.params.id, call.body, deed(call)),
      deleteLocalizationResource: (call) => resources.remove(call.params.id, deed(call)),
      exportLocalizationResources: ({ query }) => ({ format: 'pilotfish-texts-1', texts: resources.export(query.scope) }),
      importLocalizationResources: (call) => resources.import(call.body.texts, call.body.dryRun, deed(call)),
      getLocalizationOverrides: ({ params, query }) => {
        const version = instance.version('texts');
        return { version, texts: query.since === version ? null : resources.overrides(params.language) };
      },
      listAdminAuditLog: async ({ query: { page, pageSize, ...filter } }) => ({
        ...(await audit.listAll(page, pageSize, filter)),
        page,
        pageSize,
      }),
      listAppSettings: () => ({ items: instance.settings.list() }),
      changeAppSettings: async (call) => {
        const { actorId, origin } = deed(call);
        await database.transaction(async (queries) => {
          const details = await instance.settings.store(queries, call.body.values, now());
          await instance.bump('settings', queries);
          await audit.record({ accountId: actorId, action: 'admin.change-settings', origin, details }, queries);
        });
        await instance.refresh();
        return { items: instance.settings.list() };
      },
      ...tagHandlers(context, deed),
    },
    start: async () => {
      await resources.load();
      const failed = (error: unknown) =>
        log.error({ err: error }, 'what an Admin changed, or what is due to be cleared, could not be looked at');
      cancels.push(
        timers.every(PURGE_MS, () => void Promise.all([users.purge(), clearBotLogs()]).catch(failed)),
        timers.every(LOOK_MS, () => void instance.refresh().catch(failed)),
      );
    },
    stop: async () => {
      for (const cancel of cancels) cancel();
    },
  };
}

import type { AdminFigures, AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import type { Surroundings } from '../http/endpoint-handler.ts';
import { localization } from './localization.ts';
import { ROLES, userAdministration } from './users.ts';

const PURGE_MS = 3_600_000;
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
  const { database, now, log, accountExtras } = context;
  const users = userAdministration(context);
  const resources = localization(context);
  const deed = ({ account, origin }: Pick<Surroundings, 'account' | 'origin'>) => ({
    actorId: account.id,
    actorSession: account.sessionId,
    origin,
  });
  let purger: NodeJS.Timeout | undefined;

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
        .select((e) => e.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow(),
    ]);
    return { users: accounts.n, activeSessions: live.n, unsent: outbox.n };
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
      listRoles: () => [...ROLES],
      listLocalizationResources: ({ query }) => resources.list(query),
      createLocalizationResource: (call) => resources.create(call.body, deed(call)),
      updateLocalizationResource: (call) => resources.update(call.params.id, call.body, deed(call)),
      deleteLocalizationResource: (call) => resources.remove(call.params.id, deed(call)),
    },
    start: async () => {
      await resources.load();
      const purge = () => users.purge().catch((error: unknown) => log.error({ err: error }, 'deleted accounts could not be cleared'));
      purger = setInterval(() => void purge(), PURGE_MS).unref();
    },
    stop: async () => clearInterval(purger),
  };
}

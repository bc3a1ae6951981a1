import { type Selectable, sql } from 'kysely';
import type { Database, Queries } from '../database/database.ts';
import type { Origin } from '../http/endpoint-handler.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { AuditTables } from './audit-tables.ts';

export type AuditEntry = {
  /** Whose log shows it. */
  accountId: string | undefined;
  /** Who did it, when somebody else did. */
  actorId?: string;
  /** `<area>.<what>`, e.g. `auth.login`; a localization key `audit.<action>`. */
  action: string;
  target?: string;
  outcome?: 'success' | 'failure';
  origin: Origin;
  /** Before and after, never secrets. */
  details?: Readonly<Record<string, unknown>>;
};

export type AuditLog = {
  /** Appends; inside a transaction pass its handle, so that the entry exists exactly when the deed does. */
  record(entry: AuditEntry, queries?: Queries): Promise<void>;
  /** Entries of one account, newest first. */
  list(accountId: string, page: number, pageSize: number, filter?: OwnFilter): Promise<{ items: ListedEntry[]; total: number }>;
  /** Entries of everybody, newest first, with who did it and what changed; for Admins. */
  listAll(page: number, pageSize: number, filter: AuditFilter): Promise<{ items: AdminEntry[]; total: number }>;
};

/** `area` is what actions begin with: `auth`, `account`, `admin`. */
export type OwnFilter = { area?: string | undefined; outcome?: 'success' | 'failure' | undefined };
export type AuditFilter = OwnFilter & {
  /** Part of the username of the account or of who did it. */
  user?: string | undefined;
  target?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
};
export type AdminEntry = ListedEntry & { account: string | null; actor: string | null; details: string | null };

export type ListedEntry = {
  id: string;
  at: string;
  action: string;
  target?: string;
  address: string;
  device: string;
  outcome: 'success' | 'failure';
};

/** For deeds of the process itself (start, shell command). */
export const PROCESS_ORIGIN: Origin = { address: 'local', device: 'pilotfish', requestId: '' };

export function auditLog(database: Database, now: () => number, newId: () => string, metrics: Pick<Metrics, 'authEvents'>): AuditLog {
  return {
    record: async (entry, queries = database.queries) => {
      const outcome = entry.outcome ?? 'success';
      metrics.authEvents.inc({ action: entry.action, outcome });
      await queries
        .insertInto('audit_log')
        .values({
          id: newId(),
          at: now(),
          account_id: entry.accountId ?? null,
          actor_id: entry.actorId ?? null,
          action: entry.action,
          target: entry.target ?? null,
          outcome,
          address: entry.origin.address,
          device: entry.origin.device,
          request_id: entry.origin.requestId,
          details: entry.details === undefined ? null : JSON.stringify(entry.details),
        })
        .execute();
    },
    list: async (accountId, page, pageSize, { area, outcome } = {}) => {
      let mine = database.queries.selectFrom('audit_log').where('account_id', '=', accountId);
      if (area !== undefined) mine = mine.where('action', 'like', `${area}.%`);
      if (outcome !== undefined) mine = mine.where('outcome', '=', outcome);
      const rows = await mine
        .selectAll()
        .orderBy('id', 'desc')
        .limit(pageSize)
        .offset((page - 1) * pageSize)
        .execute();
      const { total } = await mine.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
      return { items: rows.map(listed), total };
    },
    listAll: async (page, pageSize, { area, outcome, user, target, from, to }) => {
      let found = database.queries
        .selectFrom('audit_log')
        .leftJoin('accounts as account', 'account.id', 'audit_log.account_id')
        .leftJoin('accounts as actor', 'actor.id', 'audit_log.actor_id');
      if (area !== undefined) found = found.where('action', 'like', `${area}.%`);
      if (outcome !== undefined) found = found.where('outcome', '=', outcome);
      if (from !== undefined) found = found.where('at', '>=', Date.parse(from));
      if (to !== undefined) found = found.where('at', '<', Date.parse(to));
      if (target !== undefined && target !== '') found = found.where(contains('target', target));
      if (user !== undefined && user !== '')
        found = found.where((e) => e.or([contains('account.username_key', user), contains('actor.username_key', user)]));
      const { total } = await found.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
      const rows = await found
        .selectAll('audit_log')
        .select(['account.username as account_name', 'actor.username as actor_name'])
        .orderBy('audit_log.id', 'desc')
        .limit(pageSize)
        .offset((page - 1) * pageSize)
        .execute();
      const items = rows.map((row) => ({ ...listed(row), account: row.account_name, actor: row.actor_name, details: row.details }));
      return { items, total };
    },
  };
}

/** The wildcards of LIKE are plain letters. */
const contains = (column: string, text: string) =>
  sql<boolean>`lower(${sql.ref(column)}) like ${`%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`;

const listed = ({ id, at, action, target, address, device, outcome }: Selectable<AuditTables['audit_log']>): ListedEntry => ({
  id,
  at: new Date(at).toISOString(),
  action,
  ...(target === null ? {} : { target }),
  address,
  device,
  outcome,
});

import type { Database, Queries } from '../database/database.ts';
import type { Origin } from '../http/endpoint-handler.ts';
import type { Metrics } from '../metrics/metrics.ts';

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
  list(accountId: string, page: number, pageSize: number): Promise<{ items: ListedEntry[]; total: number }>;
};

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
    list: async (accountId, page, pageSize) => {
      const mine = database.queries.selectFrom('audit_log').where('account_id', '=', accountId);
      const rows = await mine
        .selectAll()
        .orderBy('id', 'desc')
        .limit(pageSize)
        .offset((page - 1) * pageSize)
        .execute();
      const { total } = await mine.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
      const items = rows.map(({ id, at, action, target, address, device, outcome }) => ({
        id,
        at: new Date(at).toISOString(),
        action,
        ...(target === null ? {} : { target }),
        address,
        device,
        outcome,
      }));
      return { items, total };
    },
  };
}

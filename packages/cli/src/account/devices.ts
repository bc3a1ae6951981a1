import { revokeOtherSessions } from '@pilotfish/core/account/account-security-contract';
import type { AdminAuditEntry } from '@pilotfish/core/admin/admin-contract';
import { type Device, listAuditLog, listSessions, revokeSession } from '@pilotfish/core/auth/auth-contract';
import type { Context } from '../app/context.ts';
import { AUDIT_DEED, AUDIT_TIME, type AuditOptions, auditQuery } from '../ui/audit-log.ts';
import { printRows, type Resource } from '../ui/output.ts';
import { sayPage } from '../ui/paging.ts';
import { localTime } from '../ui/times.ts';
import { sayConnections } from './connections.ts';

const devices: Resource<Device> = {
  empty: 'sessions',
  columns: [
    { key: 'id', value: ({ id }) => id, shown: ({ id }, paint) => paint.dim(id) },
    { key: 'device', value: ({ device }) => device },
    { key: 'address', value: ({ address }) => address },
    { key: 'lastUsedAt', value: ({ lastUsedAt }) => lastUsedAt, shown: ({ lastUsedAt }) => localTime(lastUsedAt) },
    { key: 'current', value: ({ current }) => String(current) },
  ],
};

/** Devices that are signed in. */
export async function list(context: Context, { end: ended }: { end?: string }): Promise<void> {
  if (ended !== undefined) return end(context, { session: ended });
  const client = await context.client({ listSessions });
  await printRows(context, devices, (await client.listSessions()).items);
}

/** Signs one device out by its id, or all `others`. */
export async function end(context: Context, { session }: { session: string }): Promise<void> {
  const client = await context.client({ revokeSession, revokeOtherSessions });
  if (session === 'others') {
    await context.say('cli.account.ended', { count: (await client.revokeOtherSessions()).ended });
    return sayConnections(context);
  }
  await client.revokeSession({ params: { id: session } });
  await context.say('cli.account.ended', { count: 1 });
}

const entries: Resource<Omit<AdminAuditEntry, 'account' | 'actor' | 'details'>> = {
  empty: 'entries',
  columns: [AUDIT_TIME, ...AUDIT_DEED, { key: 'device', value: ({ device }) => device, rank: 2 }],
};

/** What happened to the own account, newest first. */
export async function audit(context: Context, options: AuditOptions): Promise<void> {
  const answer = await (await context.client({ listAuditLog })).listAuditLog({ query: auditQuery(options) });
  await printRows(context, entries, answer.items);
  await sayPage(context, answer);
}

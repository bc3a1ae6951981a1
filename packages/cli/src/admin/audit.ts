import { type AdminAuditEntry, adminContract } from '@pilotfish/core/admin/admin-contract';
import type { Context } from '../app/context.ts';
import { AUDIT_DEED, AUDIT_TIME, type AuditOptions, auditQuery } from '../ui/audit-log.ts';
import { printRows, type Resource } from '../ui/output.ts';
import { sayPage } from '../ui/paging.ts';

const entries: Resource<AdminAuditEntry> = {
  empty: 'entries',
  columns: [
    AUDIT_TIME,
    { key: 'account', value: ({ account }) => account ?? '' },
    { key: 'actor', value: ({ actor }) => actor ?? '' },
    ...AUDIT_DEED,
    { key: 'details', value: ({ details }) => details ?? '', dataOnly: true },
  ],
};

/** What happened to all accounts, newest first. */
export async function listAll(context: Context, { search, ...options }: AuditOptions & { search?: string }): Promise<void> {
  const query = { ...auditQuery(options), ...(search === undefined ? {} : { user: search }) };
  const answer = await (await context.client(adminContract)).listAdminAuditLog({ query });
  await printRows(context, entries, answer.items);
  await sayPage(context, answer);
}

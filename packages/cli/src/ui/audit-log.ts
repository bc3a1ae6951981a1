import type { AdminAuditEntry } from '@pilotfish/core/admin/admin-contract';
import { AUDIT_AREAS } from '@pilotfish/core/auth/auth-contract';
import { UsageError } from '../app/failure.ts';
import { pageOf } from './paging.ts';
import { localTime } from './times.ts';

type Listed = Pick<AdminAuditEntry, 'at' | 'action' | 'target' | 'outcome' | 'address'>;
/** What happened to what, and how it ended. */
export const AUDIT_DEED = [
  { key: 'action', value: ({ action }: Listed) => action },
  { key: 'target', value: ({ target }: Listed) => target ?? '' },
  { key: 'outcome', value: ({ outcome }: Listed) => outcome },
  { key: 'address', value: ({ address }: Listed) => address, rank: 1 },
];
export const AUDIT_TIME = { key: 'at', value: ({ at }: Listed) => at, shown: ({ at }: Listed) => localTime(at) };

export type AuditOptions = { area?: string; outcome?: 'success' | 'failure'; page?: string };

/** What the options ask of a log. @throws UsageError naming the option */
export function auditQuery({ area, outcome, page }: AuditOptions) {
  const known = AUDIT_AREAS.find((each) => each === area);
  if (area !== undefined && known === undefined) throw new UsageError('invalidValue', { word: '--area', allowed: AUDIT_AREAS.join(', ') });
  return {
    page: pageOf(page),
    pageSize: 50,
    ...(known === undefined ? {} : { area: known }),
    ...(outcome === undefined ? {} : { outcome }),
  };
}

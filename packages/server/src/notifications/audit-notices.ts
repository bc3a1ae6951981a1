import type { Facts } from '@pilotfish/core/notifications/notification-facts';
import type { NotificationKind } from '@pilotfish/core/notifications/notification-kinds';
import type { AccountConnection } from '../app/context.ts';
import type { AuditEntry, AuditLog } from '../audit/audit-log.ts';
import type { Database, Queries } from '../database/database.ts';
import type { Notifier } from './notifier.ts';

type Told = {
  kind: NotificationKind;
  code: string;
  link: string;
  /** Also names what was added in the last 24 hours: whoever got in may have left a way back. */
  namesRecent?: true;
  facts?: (entry: AuditEntry) => Facts;
};

const from = ({ origin }: AuditEntry) => ({ address: origin.address, device: origin.device.slice(0, 120) || '–' });
const security = (code: string): Told => ({ kind: 'security', code, link: '/user/security', facts: from });

/** Deeds of the audit log that their account is told of, besides seeing them in the log. */
const TOLD: Readonly<Record<string, Told>> = {
  'account.change-password': { ...security('security-password-changed'), namesRecent: true },
  'auth.reset-password': { ...security('security-password-changed'), namesRecent: true },
  'auth.revoke-other-sessions': { ...security('security-signed-out'), namesRecent: true },
  'auth.reset-2fa': security('security-two-factor-reset'),
  'account.confirm-replaced-2fa': security('security-two-factor-reset'),
  'auth.recovery-code': security('security-recovery-code-used'),
  'account.recovery-code': security('security-recovery-code-used'),
  'auth.refresh-token-reused': security('security-token-stolen'),
  'trade-import.commit': {
    kind: 'import-done',
    code: 'import-done',
    link: '/positions',
    facts: ({ details }) => ({ added: Number(details?.rows ?? 0) }),
  },
};

const DAY_MS = 86_400_000;

/** Sign-ins by password and authenticator; told only from a device that never signed in before. */
const SIGN_IN = 'auth.verify-2fa';
const SIGN_INS = [SIGN_IN, 'auth.confirm-2fa', 'auth.recovery-code'];

/** An audit log that also tells the account, in the same transaction: what is recorded is told, and nothing else. */
export function withNotices(
  audit: AuditLog,
  {
    database,
    notifier,
    newId,
    now,
    connections,
  }: { database: Database; notifier: Notifier; newId: () => string; now: () => number; connections: readonly AccountConnection[] },
): AuditLog {
  const isNewDevice = async (queries: Queries, accountId: string, device: string): Promise<boolean> => {
    const known = await queries
      .selectFrom('audit_log')
      .select('id')
      .where('account_id', '=', accountId)
      .where('action', 'in', SIGN_INS)
      .where('outcome', '=', 'success')
      .where('device', '=', device)
      .limit(1)
      .executeTakeFirst();
    return known === undefined;
  };
  const toldOf = async (entry: AuditEntry, queries: Queries): Promise<Told | undefined> => {
    const { accountId, action, outcome, origin } = entry;
    if (accountId === undefined) return undefined;
    // A stolen token shows as a failure of the thief.
    if (outcome === 'failure' && action !== 'auth.refresh-token-reused') return undefined;
    if (action === SIGN_IN) return (await isNewDevice(queries, accountId, origin.device)) ? security('security-new-sign-in') : undefined;
    return TOLD[action];
  };

  /** Names of what was added in the last 24 hours. */
  const recentOf = async (queries: Queries, accountId: string): Promise<string> => {
    const names: string[] = [];
    for (const { kind, list } of connections)
      for (const { name, addedAt } of await list(accountId, queries))
        if (addedAt !== null && addedAt > now() - DAY_MS) names.push(name === '' ? kind : `${kind} (${name.slice(0, 60)})`);
    return names.join(', ');
  };

  return {
    ...audit,
    record: async (entry, given) => {
      const queries = given ?? database.queries;
      const told = await toldOf(entry, queries);
      await audit.record(entry, given);
      if (told === undefined || entry.accountId === undefined) return;
      const { kind, code, link, facts, namesRecent } = told;
      const recent = namesRecent ? await recentOf(queries, entry.accountId) : '';
      const at = { accountId: entry.accountId, key: `audit:${newId()}`, facts: { ...facts?.(entry), ...(recent && { recent }) } };
      await notifier.enqueue(queries, { kind, code: recent === '' ? code : `${code}-recent`, link, ...at });
    },
  };
}

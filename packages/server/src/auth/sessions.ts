import { createHmac } from 'node:crypto';
import { AppError } from '@pilotfish/core/http/problem';
import { rolePermissions } from '../app/role-permissions.ts';
import type { AuthPolicy } from '../app/settings.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Database, Queries } from '../database/database.ts';
import type { Random } from '../database/uuid.ts';
import type { Origin, SignedIn } from '../http/endpoint-handler.ts';
import type { Authenticator } from '../http/guard.ts';
import { type SecretBox, sha256 } from '../secrets/secret-box.ts';
import type { StreamHub } from '../stream/stream-hub.ts';
import { accessTokens } from './access-token.ts';

/** What the clients store. `expiresAt` is the end of the access token. */
export type IssuedSession = { accessToken: string; refreshToken: string; expiresAt: string };

export type Sessions = Authenticator & {
  /** Signs a device in, inside the transaction that checked it may. */
  open(queries: Queries, account: { id: string; username: string }, origin: Origin): Promise<IssuedSession>;
  /** A second factor was given in this session now. */
  proveSecondFactor(queries: Queries, sessionId: string): Promise<void>;
  /**
   * Exchanges a refresh token for its successor. The spent token answers the same successor for a short grace, while
   * that one is unused; after that its reuse ends the session.
   * @throws AppError `unauthenticated`
   */
  refresh(refreshToken: string, origin: Origin): Promise<{ session: IssuedSession; account: SignedIn }>;
  /** Ends sessions at once, streams included. Answers how many. */
  revoke(which: { accountId: string; sessionId?: string; except?: string }, reason: string, queries?: Queries): Promise<number>;
  listLive(accountId: string): Promise<LiveSession[]>;
  /** Forgets dead sessions and ends the streams of those that another process revoked. */
  sweep(): Promise<void>;
};

export type LiveSession = { id: string; created_at: number; last_used_at: number; expires_at: number; address: string; device: string };

/** A session's state is asked again after this long, because another process may have revoked it. */
const TRUST_MS = 2000;
const KEPT_AFTER_END_MS = 7 * 86_400_000;

export async function createSessions(parts: {
  database: Database;
  secretBox: SecretBox;
  policy: AuthPolicy;
  stream: Pick<StreamHub, 'endSession' | 'sessionIds'>;
  audit: AuditLog;
  now: () => number;
  newId: () => string;
  random: Random;
}): Promise<Sessions> {
  const { database, policy, stream, audit, now, newId, random } = parts;
  const tokens = await accessTokens(parts.secretBox.deriveKey('access-token'), () => policy.accessTokenSeconds);
  const successorKey = parts.secretBox.deriveKey('refresh-token');
  /** Until when a session counts as alive without asking. */
  const trusted = new Map<string, number>();

  const successorOf = (token: string): string => createHmac('sha256', successorKey).update(token).digest('base64url');

  const issue = async (account: SignedIn, refreshToken: string): Promise<IssuedSession> => {
    const { token, expiresAt } = await tokens.issue(account, now());
    return { accessToken: token, refreshToken, expiresAt: new Date(expiresAt).toISOString() };
  };

  /**
   * The last renewal of a device that may still come back, epoch ms. Its time away begins when its access token ends:
   * until then it may be in use without a word here, and with an hour of each it would end under the hands of its user.
   */
  const stillThereAfter = (time: number): number =>
    policy.idleSeconds > 0 ? time - (policy.accessTokenSeconds + policy.idleSeconds) * 1000 : -1;
  /** A device that let its access token end and did not come back in time signs in again. */
  const isIdle = ({ last_used_at }: { last_used_at: number }, time: number): boolean => last_used_at <= stillThereAfter(time);

  const isAlive = async (sessionId: string): Promise<boolean> => {
    const time = now();
    if ((trusted.get(sessionId) ?? 0) > time) return true;
    const row = await database.queries
      .selectFrom('sessions')
      .select(['revoked_at', 'expires_at', 'last_used_at'])
      .where('id', '=', sessionId)
      .executeTakeFirst();
    const alive = row !== undefined && row.revoked_at === null && row.expires_at > time && !isIdle(row, time);
    if (alive) {
      if (trusted.size > 10_000) trusted.clear();
      trusted.set(sessionId, time + TRUST_MS);
    } else trusted.delete(sessionId);
    return alive;
  };

  /** Runs under the row lock of the presented token; never throws, so that a revocation is kept. */
  const rotate = (refreshToken: string) =>
    database.transaction(
      async (
        queries,
      ): Promise<{ account: SignedIn } | { refused: 'unknown' | 'ended' | 'reused'; accountId?: string; sessionId?: string }> => {
        const time = now();
        const tokenHash = sha256(refreshToken);
        // Writing the row first takes its lock.
        const presented = await queries
          .updateTable('refresh_tokens')
          .set((e) => ({ created_at: e.ref('created_at') }))
          .where('token_hash', '=', tokenHash)
          .returning(['session_id', 'spent_at'])
          .executeTakeFirst();
        if (presented === undefined) return { refused: 'unknown' };
        const session = await queries
          .selectFrom('sessions')
          .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
          .select(['sessions.id', 'sessions.account_id', 'sessions.revoked_at', 'sessions.expires_at', 'sessions.last_used_at'])
          .select('accounts.username')
          .where('sessions.id', '=', presented.session_id)
          .executeTakeFirst();
        if (session === undefined || session.revoked_at !== null || session.expires_at <= time || isIdle(session, time))
          return { refused: 'ended' };
        const account = { id: session.account_id, username: session.username, sessionId: session.id };
        const successor = sha256(successorOf(refreshToken));
        if (presented.spent_at === null) {
          await queries.updateTable('refresh_tokens').set({ spent_at: time }).where('token_hash', '=', tokenHash).execute();
          await queries
            .insertInto('refresh_tokens')
            .values({ token_hash: successor, session_id: session.id, created_at: time, spent_at: null })
            .execute();
          await queries.updateTable('sessions').set({ last_used_at: time }).where('id', '=', session.id).execute();
          return { account };
        }
        const next = await queries.selectFrom('refresh_tokens').select('spent_at').where('token_hash', '=', successor).executeTakeFirst();
        const inGrace = time - presented.spent_at <= policy.refreshGraceSeconds * 1000;
        if (inGrace && next !== undefined && next.spent_at === null) return { account };
        await revoke({ accountId: session.account_id, sessionId: session.id }, 'refresh-token-reused', queries);
        return { refused: 'reused', accountId: session.account_id, sessionId: session.id };
      },
    );

  const revoke: Sessions['revoke'] = async ({ accountId, sessionId, except }, reason, queries = database.queries) => {
    let update = queries
      .updateTable('sessions')
      .set({ revoked_at: now(), revoked_reason: reason })
      .where('account_id', '=', accountId)
      .where('revoked_at', 'is', null);
    if (sessionId !== undefined) update = update.where('id', '=', sessionId);
    if (except !== undefined) update = update.where('id', '!=', except);
    const ended = await update.returning('id').execute();
    for (const { id } of ended) {
      trusted.delete(id);
      stream.endSession(id);
    }
    return ended.length;
  };

  /** Never a refusal: whoever lost all devices must be able to sign in. */
  const endBeyond = async (accountId: string, sessionId: string, queries: Queries): Promise<void> => {
    const away = await queries
      .selectFrom('sessions')
      .select('id')
      .where('account_id', '=', accountId)
      .where('id', '!=', sessionId)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now())
      .orderBy('last_used_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1000)
      .offset(policy.mostSessions - 1)
      .execute();
    for (const { id } of away) await revoke({ accountId, sessionId: id }, 'too-many-sessions', queries);
  };

  return {
    authenticate: async (accessToken) => {
      const account = await tokens.verify(accessToken, now());
      if (account === undefined || !(await isAlive(account.sessionId))) return undefined;
      return { id: account.id, username: account.username, sessionId: account.sessionId };
    },
    requireSecondFactor: async ({ sessionId }) => {
      const session = await database.queries
        .selectFrom('sessions')
        .select('second_factor_at')
        .where('id', '=', sessionId)
        .executeTakeFirst();
      if ((session?.second_factor_at ?? 0) <= now() - policy.secondFactorSeconds * 1000) throw new AppError('second-factor-required');
    },
    proveSecondFactor: async (queries, sessionId) => {
      await queries.updateTable('sessions').set({ second_factor_at: now() }).where('id', '=', sessionId).execute();
    },
    isAdmin: async (accountId) => {
      const row = await database.queries
        .selectFrom('account_roles')
        .select('role')
        .where('account_id', '=', accountId)
        .where('role', '=', 'Admin')
        .executeTakeFirst();
      return row !== undefined;
    },
    requirePermission: async (accountId, permission) => {
      if (!(await rolePermissions(database.queries).of(accountId)).includes(permission))
        throw new AppError('not-permitted', { parameters: { context: permission } });
    },
    open: async (queries, account, origin) => {
      const time = now();
      const sessionId = newId();
      const refreshToken = Buffer.from(random(32)).toString('base64url');
      await queries
        .insertInto('sessions')
        .values({
          id: sessionId,
          account_id: account.id,
          created_at: time,
          last_used_at: time,
          expires_at: time + policy.refreshTokenSeconds * 1000,
          address: origin.address,
          device: origin.device,
          // Nobody is signed in without one.
          second_factor_at: time,
          revoked_at: null,
          revoked_reason: null,
        })
        .execute();
      await queries
        .insertInto('refresh_tokens')
        .values({ token_hash: sha256(refreshToken), session_id: sessionId, created_at: time, spent_at: null })
        .execute();
      await endBeyond(account.id, sessionId, queries);
      return issue({ ...account, sessionId }, refreshToken);
    },
    refresh: async (refreshToken, origin) => {
      const result = await rotate(refreshToken);
      if ('account' in result) return { session: await issue(result.account, successorOf(refreshToken)), account: result.account };
      if (result.refused === 'reused') {
        // The transaction is committed now: whatever a request put into the cache meanwhile is void.
        if (result.sessionId !== undefined) trusted.delete(result.sessionId);
        await audit.record({ accountId: result.accountId, action: 'auth.refresh-token-reused', outcome: 'failure', origin });
      }
      throw new AppError('unauthenticated');
    },
    revoke,
    listLive: (accountId) =>
      database.queries
        .selectFrom('sessions')
        .select(['id', 'created_at', 'last_used_at', 'expires_at', 'address', 'device'])
        .where('account_id', '=', accountId)
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', now())
        .where('last_used_at', '>', stillThereAfter(now()))
        .orderBy('last_used_at', 'desc')
        .execute(),
    sweep: async () => {
      for (const sessionId of stream.sessionIds()) {
        trusted.delete(sessionId);
        if (!(await isAlive(sessionId))) stream.endSession(sessionId);
      }
      const longAgo = now() - KEPT_AFTER_END_MS;
      await database.queries
        .deleteFrom('sessions')
        .where((e) => e.or([e('expires_at', '<', longAgo), e('revoked_at', '<', longAgo)]))
        .execute();
    },
  };
}

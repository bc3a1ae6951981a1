import type { Permission } from '@pilotfish/core/account/permissions-contract';
import type { AnyEndpoint } from '@pilotfish/core/http/endpoint';
import { AppError } from '@pilotfish/core/http/problem';
import type { FastifyRequest } from 'fastify';
import type { SignedIn } from './endpoint-handler.ts';

/** Who an access token belongs to; made by `auth`. */
export type Authenticator = {
  /** The account of a valid access token whose session still lives; undefined otherwise. */
  authenticate(accessToken: string): Promise<SignedIn | undefined>;
  /** @throws AppError `second-factor-required` when none was given in this session within ten minutes */
  requireSecondFactor(account: SignedIn): Promise<void>;
  /** Asked of the database at each call, so a role taken away works at once. */
  isAdmin(accountId: string): Promise<boolean>;
  /** Asked at each call, too. @throws AppError `not-permitted` */
  requirePermission(accountId: string, permission: Permission): Promise<void>;
};

export type Guarded = { caller: SignedIn | undefined; bearer: string };

/** The bearer of the authorization header; empty when there is none. Never read from the URL. */
export function bearerOf(request: FastifyRequest): string {
  const header = request.headers.authorization;
  const match = header === undefined || header.length > 4096 ? null : /^Bearer +([\w.~+/-]+=*) *$/i.exec(header);
  return match?.[1] ?? '';
}

/** @throws AppError `unauthenticated`, `second-factor-required`, `not-permitted`, or `forbidden` for a real lack of role */
export async function guard(
  { access, secondFactor = false }: Pick<AnyEndpoint, 'access' | 'secondFactor'>,
  permission: Permission | undefined,
  request: FastifyRequest,
  authenticator: Authenticator,
): Promise<Guarded> {
  const bearer = bearerOf(request);
  if (access === 'none') return { caller: undefined, bearer: '' };
  if (access === 'pending' || access === 'refresh') {
    if (bearer === '') throw new AppError('unauthenticated');
    return { caller: undefined, bearer };
  }
  const caller = bearer === '' ? undefined : await authenticator.authenticate(bearer);
  // A token that no longer works is said so even where guests are welcome: the client then refreshes it.
  if (caller === undefined && (access !== 'optional' || bearer !== '')) throw new AppError('unauthenticated');
  if (access === 'admin' && caller !== undefined && !(await authenticator.isAdmin(caller.id))) throw new AppError('forbidden');
  if (permission !== undefined && caller !== undefined) await authenticator.requirePermission(caller.id, permission);
  if (secondFactor && caller !== undefined) await authenticator.requireSecondFactor(caller);
  return { caller, bearer: '' };
}

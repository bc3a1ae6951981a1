import { type Contract, contract, type EndpointId } from '@pilotfish/core/http/contract';
import type { Answer, AnyEndpoint, CallInput } from '@pilotfish/core/http/endpoint';
import { PERMISSION_OF } from '@pilotfish/core/http/endpoint-permissions';
import { AppError } from '@pilotfish/core/http/problem';
import type { Handlers, Origin, SignedIn, Surroundings } from './endpoint-handler.ts';
import type { Authenticator } from './guard.ts';
import type { Language, Texts } from './texts.ts';
import { parsePart } from './validation-errors.ts';

export type InProcessCaller = <Id extends EndpointId>(
  id: Id,
  input: CallInput<Contract[Id]>,
  who: { account: SignedIn; origin: Origin; language: Language },
) => Promise<Answer<Contract[Id]>>;

type AnyHandler = (call: Record<string, unknown> & Surroundings) => unknown;

/**
 * Calls endpoints on a user's behalf without HTTP: the same input rules, the same handler, the same answer. Only
 * endpoints of a signed-in user or of guests can be called: what needs a role or a code of its own is not for messengers.
 * @throws AppError as the endpoint would answer
 */
export function inProcessCaller(
  handlers: Partial<Handlers>,
  { texts, sessions }: { readonly texts: Texts; readonly sessions: Pick<Authenticator, 'requirePermission'> },
): InProcessCaller {
  return async (id, input, { account, origin, language }) => {
    const endpoint = contract[id] as unknown as AnyEndpoint;
    const handler = handlers[id] as AnyHandler | undefined;
    if (!['user', 'optional', 'none'].includes(endpoint.access) || endpoint.secondFactor === true) throw new AppError('forbidden');
    const permission = PERMISSION_OF[id];
    if (permission !== undefined) await sessions.requirePermission(account.id, permission);
    if (handler === undefined) throw new AppError('not-implemented');
    const given = input as { params?: unknown; query?: unknown; body?: unknown };
    const parse = (schema: AnyEndpoint['body'], value: unknown) =>
      schema === undefined ? undefined : parsePart(schema, value, { texts, language, isWrite: endpoint.method !== 'GET' });
    const call = {
      params: parse(endpoint.params, given.params),
      query: parse(endpoint.query, given.query),
      body: parse(endpoint.body, given.body),
      account,
      caller: account,
      bearer: '',
      origin,
      language,
      header: () => undefined,
      gone: () => new AbortController().signal,
      file: () => Promise.reject(new AppError('invalid')),
    };
    return endpoint.answer.parse(await handler(call)) as Answer<Contract[typeof id]>;
  };
}

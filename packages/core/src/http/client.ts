import { createFetch, type FetchOptions } from 'ofetch';
import type { Answer, AnyEndpoint, CallInput } from './endpoint.ts';
import { BACKEND_PREFIX, fillPath, STREAM_POSITION_HEADER } from './endpoint-path.ts';
import { type ClearedReason, errorPolicy } from './error-policy.ts';
import { isOfUnknownFields, withoutUnknown } from './older-server.ts';
import { AppError, errorFromProblem, toAppError } from './problem.ts';
import { problemSchema } from './problem-document.ts';

/** How the client meets the session; who keeps it decides what storage and locks are. */
export type ClientSession = {
  accessToken: () => string | undefined;
  /**
   * A token newer than `spent`, which the server refused. Concurrent calls share one refresh.
   * Rejects with `unauthenticated` when there is nothing to refresh or the server refuses.
   */
  refresh: (spent: string | undefined) => Promise<string>;
  /** The session is over by the error catalogue: remove it (or all storage) and go to the root. */
  cleared: (reason: ClearedReason) => void;
};

export type ClientOptions<Contract extends Readonly<Record<string, AnyEndpoint>>> = {
  contract: Contract;
  /** Origin and optional prefix, without a slash at the end; empty for the page's own origin. */
  baseUrl: string;
  fetch?: typeof globalThis.fetch;
  /** Belongs to `fetch`: given where the built-in pair would take longer to load than the call itself. */
  Headers?: typeof globalThis.Headers;
  session: ClientSession;
  /** Language of titles and details, sent as Accept-Language. */
  language: () => string;
  /** A toast is due: any other BFF error, of every call but aborted ones. `oncePerCause` keeps a poll from repeating it. */
  onProblem?: ((error: AppError, call: MadeCall) => void) | undefined;
  /** A call was answered: what it failed with before is over. */
  onAnswer?: ((call: MadeCall) => void) | undefined;
  /**
   * A call needs a second factor: asks the person and proves it. The call is repeated when that answers true; several calls
   * that wait share one question.
   */
  onSecondFactor?: (() => Promise<boolean>) | undefined;
  /** What must happen once was sent twice under its key and got no answer: nobody knows whether it was done. */
  onUnheard?: (() => Promise<void>) | undefined;
  /** Every answer tells where the stream was when it was asked for (`STREAM_POSITION_HEADER`). */
  onStreamPosition?: ((position: string) => void) | undefined;
  /** The endpoint with the schemas of what is sent, where those of `contract` were left out to load faster. */
  described?: ((endpoint: AnyEndpoint) => Promise<AnyEndpoint | undefined>) | undefined;
  /** Milliseconds until a call counts as lost. */
  timeout?: number;
};

export type CallOptions = {
  signal?: AbortSignal | undefined;
  idempotencyKey?: string;
  /** In place of the access token: the 2FA code of `pending` calls, the refresh token of `refresh` calls. */
  bearer?: string;
  /** Headers the endpoint declares, e.g. `code`. */
  headers?: Readonly<Record<string, string>>;
  /** The fields and the file of a multipart call; see `fileForm`. */
  form?: FormData;
  /** The caller shows the error in its place: a toast says it, too, but not again while the cause stands. */
  quiet?: boolean;
  /** Nobody asked for it: a form checks itself while it is filled in. What it is refused for is said in the form alone. */
  check?: boolean;
};

/** Which call it was: the endpoint with what fills its path. Quiet are those whose caller shows errors in their place, as all that read do. */
export type MadeCall = { name: string; isQuiet: boolean };

type Arguments<E> =
  unknown extends CallInput<E> ? [input?: undefined, options?: CallOptions] : [input: CallInput<E>, options?: CallOptions];

export type Client<Contract extends Readonly<Record<string, AnyEndpoint>>> = {
  readonly [Id in keyof Contract]: (...call: Arguments<Contract[Id]>) => Promise<Answer<Contract[Id]>>;
};

/** A large file is read row by row before the answer comes, or takes its time on the way here. */
const UPLOAD_TIMEOUT = 600_000;
const DEFAULT_TIMEOUT = 20_000;

/**
 * The typed client of a contract. Every call answers the parsed body or throws `AppError`; a call whose signal was
 * aborted throws the signal's reason instead, so that machines which left the state hear nothing of it.
 */
export function createClient<const Contract extends Readonly<Record<string, AnyEndpoint>>>(
  options: ClientOptions<Contract>,
): Client<Contract> {
  const send = createSender(options);
  let asking: Promise<boolean> | undefined;
  const calls = Object.entries(options.contract).map(([id, endpoint]) => [
    id,
    (input: RawInput | undefined, more: CallOptions = {}) => call(id, endpoint, input ?? {}, more),
  ]);
  return Object.fromEntries(calls) as Client<Contract>;

  async function call(id: string, endpoint: AnyEndpoint, given: RawInput, more: CallOptions): Promise<unknown> {
    let input = given;
    const made = { name: `${id} ${JSON.stringify(given.params ?? {})}`, isQuiet: more.quiet === true || endpoint.method === 'GET' };
    let asked = false;
    let repeated = false;
    let token = more.bearer ?? (endpoint.access === 'none' ? undefined : options.session.accessToken());
    for (let retried = false; ; ) {
      const outcome = await send(endpoint, input, more, token);
      if ('answer' in outcome) {
        options.onAnswer?.(made);
        return outcome.answer;
      }
      const { error, status } = outcome;
      if (error.code === 'second-factor-required' && options.onSecondFactor && !asked) {
        asked = true;
        if (await orAborted(secondFactor(), more.signal)) continue;
        // The person chose not to: nothing went wrong that they would have to be told.
        throw error;
      }
      // Under its key it is done once, however often it is heard.
      if (more.idempotencyKey !== undefined && isUnheard(error)) {
        if (!repeated) {
          repeated = true;
          continue;
        }
        await options.onUnheard?.();
      }
      const less = isOfUnknownFields(error) && withoutUnknown((await options.described?.(endpoint)) ?? endpoint, input, error);
      if (less) {
        input = less;
        continue;
      }
      switch (errorPolicy({ backend: endpoint.backend, status, access: endpoint.access, retried })) {
        case 'refresh-and-retry':
          token = await refreshed(token, more.signal);
          retried = true;
          continue;
        case 'remove-session':
          options.session.cleared('remove-session');
          break;
        case 'clear-session':
          options.session.cleared('clear-session');
          break;
        case 'clear-storage':
          options.session.cleared('clear-storage');
          break;
        case 'toast':
          if (!(more.check && isRefusal(status))) options.onProblem?.(error, made);
          break;
        case 'none':
          break;
      }
      throw error;
    }
  }

  /** Several calls that wait share one question. */
  function secondFactor(): Promise<boolean> {
    asking ??= (options.onSecondFactor?.() ?? Promise.resolve(false)).finally(() => {
      asking = undefined;
    });
    return asking;
  }

  /** A refused refresh ends the session; one that could not be made (offline, busy) leaves it for later. */
  async function refreshed(spent: string | undefined, signal: AbortSignal | undefined): Promise<string> {
    try {
      return await orAborted(options.session.refresh(spent), signal);
    } catch (thrown) {
      if (signal?.aborted) throw signal.reason;
      const error = toAppError(thrown);
      if (error.family === 'refusal') options.session.cleared('clear-session');
      throw error;
    }
  }
}

/** Whether the call may have been done although its answer is missing. */
const isUnheard = ({ code }: AppError): boolean => code === 'offline' || code === 'timeout';

type RawInput = { params?: Record<string, string | number | undefined>; query?: Record<string, unknown>; body?: unknown };
type Outcome = { answer: unknown } | { error: AppError; status: number };

function createSender<Contract extends Readonly<Record<string, AnyEndpoint>>>({
  baseUrl,
  fetch,
  Headers = globalThis.Headers,
  language,
  onStreamPosition,
  timeout = DEFAULT_TIMEOUT,
}: ClientOptions<Contract>) {
  const request = createFetch({ fetch: (fetch ?? globalThis.fetch).bind(globalThis) as typeof globalThis.fetch, Headers, AbortController });

  return async (endpoint: AnyEndpoint, input: RawInput, more: CallOptions, token: string | undefined): Promise<Outcome> => {
    more.signal?.throwIfAborted();
    const patience = AbortSignal.timeout(
      endpoint.content === 'multipart' || endpoint.answers === 'file' ? Math.max(timeout, UPLOAD_TIMEOUT) : timeout,
    );
    const signal = more.signal ? AbortSignal.any([more.signal, patience]) : patience;
    const { body, contentType } = encode(endpoint, input.body, more);
    const headers = new Headers(more.headers);
    for (const name of endpoint.headers ?? []) if (!headers.has(name)) throw new TypeError(`${endpoint.path}: header ${name} is required`);
    headers.set('accept', 'application/json, application/problem+json');
    headers.set('accept-language', language());
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    if (contentType) headers.set('content-type', contentType);
    if (more.idempotencyKey) headers.set('idempotency-key', more.idempotencyKey);
    try {
      const response = await request.raw<string, 'text'>(
        baseUrl + BACKEND_PREFIX[endpoint.backend] + fillPath(endpoint.path, input.params),
        {
          method: endpoint.method,
          headers,
          signal,
          query: input.query as FetchOptions['query'] & object,
          ...(body === undefined ? {} : { body }),
          responseType: 'text',
          retry: 0,
          ignoreResponseError: true,
        },
      );
      const text = response._data ?? '';
      const position = response.headers.get(STREAM_POSITION_HEADER);
      if (position !== null) onStreamPosition?.(position);
      return response.ok
        ? { answer: parseAnswer(endpoint, text) }
        : { error: parseProblem(response.status, text), status: response.status };
    } catch (thrown) {
      if (more.signal?.aborted) throw more.signal.reason;
      if (thrown instanceof AppError) return { error: thrown, status: 200 };
      return { error: new AppError(patience.aborted ? 'timeout' : 'offline', { cause: thrown }), status: 0 };
    }
  };
}

function encode(endpoint: AnyEndpoint, body: unknown, more: CallOptions): { body?: string | FormData; contentType?: string } {
  if (endpoint.content === 'multipart') {
    if (!more.form) throw new TypeError(`${endpoint.path}: a file is required`);
    return { body: more.form };
  }
  if (body === undefined) return {};
  return { body: JSON.stringify(body), contentType: endpoint.method === 'PATCH' ? 'application/json-patch+json' : 'application/json' };
}

function parseAnswer(endpoint: AnyEndpoint, text: string): unknown {
  const parsed = endpoint.answer.safeParse(endpoint.answers === 'file' ? text : text === '' ? undefined : json(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AppError('internal', {
    cause: new TypeError(`${endpoint.method} ${endpoint.path} answered ${issue?.path.join('.')}: ${issue?.message}`),
  });
}

/** The server understood and says no; a failure of its own, or of the way to it, is none. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500;

/** A problem document, or what can be said of an answer that is none (a proxy's page, an empty body). */
function parseProblem(status: number, text: string): AppError {
  const parsed = problemSchema.safeParse(json(text));
  if (parsed.success) return errorFromProblem(parsed.data);
  const code = (
    {
      401: 'unauthenticated',
      403: 'forbidden',
      404: 'not-found',
      413: 'payload-too-large',
      429: 'rate-limited',
      502: 'offline',
      503: 'offline',
      504: 'timeout',
    } as const
  )[status];
  return new AppError(code ?? 'internal');
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The shared promise, or the caller's own abort: one caller leaving must not stop the refresh of the others. */
function orAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

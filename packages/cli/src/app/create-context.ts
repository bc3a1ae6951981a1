import { type Client, createClient } from '@pilotfish/core/http/client';
import type { AnyEndpoint } from '@pilotfish/core/http/endpoint';
import { openLiveSession } from '../session/live-session.ts';
import { openProfile } from '../session/profiles.ts';
import { showTimesTo } from '../ui/times.ts';
import { printing, visibleWithin } from '../ui/visible.ts';
import { watchAddress } from './api-address.ts';
import type { Context, Globals, Host, Life, Timers } from './context.ts';
import { ShortHeaders, shortFetch } from './short-fetch.ts';
import { chosenLanguage, loadTexts, type Texts } from './texts.ts';

export type GlobalFlags = {
  json?: boolean;
  jsonl?: boolean;
  csv?: boolean;
  fields?: string;
  url?: string;
  profile?: string;
  color?: Globals['color'];
  yes?: boolean;
};

const REAL_TIMERS: Timers = {
  setTimeout: (work, milliseconds) => setTimeout(work, milliseconds),
  clearTimeout: (id) => clearTimeout(id as NodeJS.Timeout),
};

/**
 * The same calls, whose answers and errors hold nothing that a terminal obeys: full screens are drawn past `printing`. What
 * somebody who is signed in gets is shown once the zone of the account is known.
 */
function onTerminal<Contract extends Readonly<Record<string, AnyEndpoint>>>(
  contract: Contract,
  client: Client<Contract>,
  zone: () => Promise<string>,
): Client<Contract> {
  type Call = (...given: unknown[]) => Promise<unknown>;
  const shown = (answer: Promise<unknown>) => answer.then(visibleWithin, (error: unknown) => Promise.reject(visibleWithin(error)));
  const calls = Object.entries(client as Readonly<Record<string, Call>>).map(([id, call]): [string, Call] => {
    const { answers, backend } = contract[id] ?? {};
    // A file is kept, not shown.
    if (answers === 'file') return [id, call];
    // The gateway's answers begin and end sessions: there may be none by then.
    if (backend === 'gateway') return [id, (...given) => shown(call(...given))];
    const inZone = async (answer: Promise<unknown>) => {
      const got = await answer;
      await zone();
      return got;
    };
    return [id, (...given) => shown(inZone(call(...given)))];
  });
  return Object.fromEntries(calls) as unknown as Client<Contract>;
}

export function createContext(argv: readonly string[], host: Host, flags: GlobalFlags, life: Life): Context {
  const { env, now = Date.now, timers = REAL_TIMERS, fetch } = host;
  const screen = { stdout: host.stdout, stderr: host.stderr };
  const [stdout, stderr] = [printing(host.stdout), printing(host.stderr)];
  const language = chosenLanguage(argv, env);
  showTimesTo(language, env, now);
  let texts: Promise<Texts> | undefined;
  let session: ReturnType<typeof openLiveSession> | undefined;
  let zone: Promise<string> | undefined;
  const context: Context = {
    env,
    // Node opens it when it is first looked at, which commands that only print need not wait for.
    get stdin() {
      return host.stdin;
    },
    screen,
    stdout,
    stderr,
    now,
    timers,
    fetch: fetch ?? ((...call) => globalThis.fetch(...call)),
    globals: {
      json: flags.json === true,
      jsonl: flags.jsonl === true,
      csv: flags.csv === true,
      fields: flags.fields
        ?.split(',')
        .map((field) => field.trim())
        .filter((field) => field !== ''),
      yes: flags.yes === true,
      color: flags.color ?? 'auto',
    },
    language,
    unicode: !/^(C|POSIX)$/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || 'C.UTF-8'),
    profile: openProfile(env, flags.profile, flags.url),
    texts: () => (texts ??= loadTexts(language)),
    at: ({ url, profile }) =>
      createContext(argv, host, { ...flags, ...(url !== undefined && { url }), ...(profile !== undefined && { profile }) }, life),
    session: () => (session ??= openLiveSession(context)),
    zone: () => (zone ??= import('./account-zone.ts').then(({ accountZone }) => accountZone(context))),
    watchAddress: (transport) => watchAddress(context, transport),
    client: async (contract, { exact = false } = {}) => {
      const live = await context.session();
      const address = context.watchAddress(fetch ?? shortFetch);
      const Headers = fetch ? globalThis.Headers : (ShortHeaders as unknown as typeof globalThis.Headers);
      const made = createClient({
        contract,
        baseUrl: context.profile.url,
        fetch: address.fetch,
        Headers,
        session: live,
        language: () => language,
        described: async ({ method, path }) => {
          const { contract: whole } = await import('@pilotfish/core/http/contract');
          return Object.values<AnyEndpoint>(whole).find((each) => each.method === method && each.path === path);
        },
        onUnheard: () => context.say('cli.unheard'),
        onSecondFactor: async () => (await import('../account/step-up.ts')).askSecondFactor(context),
      });
      const client = address.named(made);
      return host.stdout.isTTY && !exact ? onTerminal(contract, client, () => context.zone()) : client;
    },
    say: async (key, values) => {
      const t = await context.texts();
      stderr.write(`${t(key, values)}\n`);
    },
    ...life,
  };
  return context;
}

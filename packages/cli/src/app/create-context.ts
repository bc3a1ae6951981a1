import { createClient } from '@pilotfish/core/http/client';
import { openLiveSession } from '../session/live-session.ts';
import { openProfile } from '../session/profiles.ts';
import type { Context, Globals, Host } from './context.ts';
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

export function createContext(argv: readonly string[], host: Host, flags: GlobalFlags, atEnd: Context['atEnd']): Context {
  const { env, stdout, stderr, now = Date.now, fetch } = host;
  const language = chosenLanguage(argv, env);
  let texts: Promise<Texts> | undefined;
  let session: ReturnType<typeof openLiveSession> | undefined;
  const context: Context = {
    env,
    // Node opens it when it is first looked at, which commands that only print need not wait for.
    get stdin() {
      return host.stdin;
    },
    stdout,
    stderr,
    now,
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
    session: () => (session ??= openLiveSession(context)),
    client: async (contract) => {
      const live = await context.session();
      const transport = fetch ? { fetch } : { fetch: shortFetch, Headers: ShortHeaders as unknown as typeof globalThis.Headers };
      return createClient({ contract, baseUrl: context.profile.url, ...transport, session: live, language: () => language });
    },
    say: async (key, values) => {
      const t = await context.texts();
      stderr.write(`${t(key, values)}\n`);
    },
    atEnd,
  };
  return context;
}

import type { Client } from '@pilotfish/core/http/client';
import type { AnyEndpoint } from '@pilotfish/core/http/endpoint';
import type { LiveSession } from '../session/live-session.ts';
import type { Profile } from '../session/profiles.ts';
import type { Language, Texts } from './texts.ts';

export type Env = Readonly<Record<string, string | undefined>>;
export type Output = { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };
export type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean; setRawMode?: (raw: boolean) => unknown };

/** What the process lends the commands; tests lend their own. */
export type Host = {
  readonly env: Env;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly now?: () => number;
  readonly fetch?: typeof globalThis.fetch;
};

export type Globals = {
  readonly json: boolean;
  readonly jsonl: boolean;
  readonly csv: boolean;
  readonly fields: readonly string[] | undefined;
  readonly yes: boolean;
  readonly color: 'auto' | 'always' | 'never';
};

/** What every command is given. Nothing else reads the environment, the clock or the terminal on its own. */
export type Context = {
  readonly env: Env;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly now: () => number;
  readonly fetch: typeof globalThis.fetch;
  readonly globals: Globals;
  readonly language: Language;
  /** False where the locale promises no UTF-8: drawings fall back to ASCII. */
  readonly unicode: boolean;
  readonly profile: Profile;
  texts(): Promise<Texts>;
  /** The session of the profile at its server, and whoever keeps it. */
  session(): Promise<LiveSession>;
  /** A typed client of these endpoints, signed in when the profile is. */
  client<const Contract extends Readonly<Record<string, AnyEndpoint>>>(contract: Contract): Promise<Client<Contract>>;
  /** A sentence for the person, on stderr; never mixed into the data. */
  say(key: string, values?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Runs before the process ends, however it ends; answers how to take it back. */
  atEnd: (work: () => void) => () => void;
};

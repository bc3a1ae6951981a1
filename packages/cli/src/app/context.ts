import type { TextValues } from '@pilotfish/core/fields/text-values';
import type { Client } from '@pilotfish/core/http/client';
import type { AnyEndpoint } from '@pilotfish/core/http/endpoint';
import type { LiveSession } from '../session/live-session.ts';
import type { Profile } from '../session/profiles.ts';
import type { WatchedAddress } from './api-address.ts';
import type { Language, Texts } from './texts.ts';

export type Env = Readonly<Record<string, string | undefined>>;
export type Output = { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };
export type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean; setRawMode?: (raw: boolean) => unknown };

/** What ends a wait that has its time, such as the life of a sign-in's code. */
export type Timers = { setTimeout(work: () => void, milliseconds: number): unknown; clearTimeout(id: unknown): void };

/** What the process lends the commands; tests lend their own. */
export type Host = {
  readonly env: Env;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly now?: () => number;
  readonly timers?: Timers;
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
  /** The outputs as the process has them, for screens that move the cursor; everything else prints by the two below. */
  readonly screen: { readonly stdout: Output; readonly stderr: Output };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly now: () => number;
  readonly timers: Timers;
  readonly fetch: typeof globalThis.fetch;
  readonly globals: Globals;
  readonly language: Language;
  /** False where the locale promises no UTF-8: drawings fall back to ASCII. */
  readonly unicode: boolean;
  readonly profile: Profile;
  texts(): Promise<Texts>;
  /** The same with another server. @throws UsageError for what is no address or no name of a profile */
  at(server: { readonly url?: string | undefined; readonly profile?: string | undefined }): Context;
  /** The session of the profile at its server, and whoever keeps it. */
  session(): Promise<LiveSession>;
  /** The zone of the account, which all times that are shown follow; of the machine where nobody is signed in. Asked for once. */
  zone(): Promise<string>;
  /** For clients of their own: calls that fail because something else answers at the address say so. */
  watchAddress(fetch: typeof globalThis.fetch): WatchedAddress;
  /**
   * A typed client of these endpoints, signed in when the profile is. At a terminal its answers hold nothing that one obeys,
   * but for those that are `exact` because they are written back or into a file.
   */
  client<const Contract extends Readonly<Record<string, AnyEndpoint>>>(
    contract: Contract,
    how?: { readonly exact?: boolean },
  ): Promise<Client<Contract>>;
  /** A sentence for the person, on stderr; never mixed into the data. */
  say(key: string, values?: TextValues): Promise<void>;
} & Life;

/** How the process ends, as far as a command has a say in it. */
export type Life = {
  /** Runs before the process ends, however it ends; answers how to take it back. */
  atEnd(this: void, work: () => void): () => void;
  /** Resolves at SIGINT or SIGTERM, which then no longer end the process: what serves others closes in order first. */
  untilInterrupted(this: void): Promise<void>;
  /** Resolves at the second of them. */
  untilInterruptedAgain(this: void): Promise<void>;
  /** Ends the process, whatever still keeps it alive. */
  exit(this: void, code: number): void;
};

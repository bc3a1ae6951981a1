import type { Contract, EndpointId } from '@pilotfish/core/http/contract';
import type { Answer, CallInput } from '@pilotfish/core/http/endpoint';
import type { Language } from '../http/texts.ts';
import type { Button } from './telegram-client.ts';
import type { Markup } from './telegram-markup.ts';

/** What a command may use: the account's endpoints, its texts and its chat. */
export type CommandContext = {
  readonly call: <Id extends EndpointId>(id: Id, input: CallInput<Contract[Id]>) => Promise<Answer<Contract[Id]>>;
  /** A text `telegram.<key>` in the account's language; not escaped yet. */
  readonly say: (key: string, values?: Readonly<Record<string, string | number>>) => string;
  /** Any text of the product, by its whole key. */
  readonly text: (key: string, values?: Readonly<Record<string, string | number>>) => string;
  readonly language: Language;
  /** IANA name of the reader's zone. */
  readonly timeZone: string;
  readonly now: number;
  readonly mutedUntil: number | null;
  /** Silences the chat until then, epoch ms; null speaks again. */
  readonly mute: (until: number | null) => Promise<void>;
};

/** What is done after the second tap: everything it needs is bound when it is asked. */
export type Deed =
  | { readonly do: 'sell'; readonly autoTradeId: string; readonly positionId: string; readonly symbol: string; readonly bot: string }
  | { readonly do: 'stopall' }
  | {
      readonly do: 'enable' | 'disable';
      readonly autoTradeId: string;
      readonly bot: string;
      /** Of the settings that were named: others are not enabled. */
      readonly version?: number | undefined;
      /** Also where that sells at once. */
      readonly sellNow?: true | undefined;
    };

export type Reply = { readonly text: Markup; readonly confirm?: Deed; readonly buttons?: readonly Button[] };

export type Command = {
  /** As typed, without the slash; the same word as in the terminal app where both have it. */
  readonly name: string;
  /** What may follow, for the help; a text key `telegram.usage.<name>` when it has words of its own. */
  readonly takes?: string;
  readonly run: (context: CommandContext, args: readonly string[], line: string) => Promise<Reply>;
};

/** A command that was typed wrongly; the key names a text `telegram.<key>`. */
export class CommandRefusal extends Error {
  override readonly name = 'CommandRefusal';
  readonly key: string;
  readonly values: Readonly<Record<string, string | number>>;
  constructor(key: string, values: Readonly<Record<string, string | number>> = {}) {
    super(key);
    this.key = key;
    this.values = values;
  }
}

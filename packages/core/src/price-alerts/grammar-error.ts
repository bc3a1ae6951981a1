export type GrammarErrorCode =
  | 'empty'
  | 'symbol-missing'
  | 'symbol-unknown'
  | 'currency-other'
  | 'number-wrong'
  | 'number-ambiguous'
  | 'word-unknown'
  | 'condition-missing'
  | 'level-missing'
  | 'window-missing'
  | 'window-unknown'
  | 'interval-unknown'
  | 'event-missing'
  | 'percent-missing'
  | 'too-much'
  | 'date-unknown'
  | 'channel-unknown'
  | 'note-too-long'
  | 'out-of-range';

export type GrammarError = {
  readonly code: GrammarErrorCode;
  /** Of its sentence, filled with `text`. */
  readonly key: string;
  /** Place in the line, from 0. */
  readonly position: number;
  /** What stands there. */
  readonly text: string;
  /** What could stand there instead. */
  readonly suggestions: readonly string[];
};

/** Thrown inside the parser only: `parseAlert` answers it. */
export class GrammarRefusal extends Error {
  readonly error: GrammarError;
  constructor(code: GrammarErrorCode, at: { readonly at: number; readonly raw: string } | undefined, suggestions: readonly string[] = []) {
    super(code);
    this.error = { code, key: `alerts.grammar.${code}`, position: at?.at ?? 0, text: at?.raw ?? '', suggestions };
  }
}

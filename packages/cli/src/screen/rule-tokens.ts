/** One word or sign of a rule. `at` is the place of its first letter. */
export type Token = { readonly kind: 'word' | 'text' | 'sign'; readonly text: string; readonly at: number };

/** Why a rule cannot be read. The sentence is `screener.error.<code>` or `cli.screen.syntax.<code>`. */
export class RuleError extends Error {
  override readonly name = 'RuleError';
  readonly code: string;
  /** What was typed, and what is allowed in its place. */
  readonly actual: string;
  readonly allowed: readonly string[];
  /** The allowed word that was probably meant. */
  readonly meant: string | undefined;
  constructor(code: string, actual = '', more: { allowed?: readonly string[]; meant?: string | undefined } = {}) {
    super(`${code}: ${actual}`);
    this.code = code;
    this.actual = actual;
    this.allowed = more.allowed ?? [];
    this.meant = more.meant;
  }
}

const PATTERN = /\s+|("(?:[^"\\]|\\.)*")|(<=|>=|==|!=|[<>=(),;])|([^\s"<>=!(),;]+)|(.)/gsu;

/** Letters that a word may have without quotes. */
export const isPlainWord = (text: string): boolean => /^[^\s"<>=!(),;]+$/u.test(text);

/** @throws RuleError `openQuote`, `badSign` */
export function tokensOf(text: string): Token[] {
  return [...text.matchAll(PATTERN)].flatMap((match): Token[] => {
    const [, quoted, sign, word, other] = match;
    const at = match.index;
    if (quoted !== undefined) {
      try {
        return [{ kind: 'text', text: JSON.parse(quoted) as string, at }];
      } catch {
        throw new RuleError('openQuote', quoted);
      }
    }
    if (sign !== undefined) return [{ kind: 'sign', text: sign, at }];
    if (word !== undefined) return [{ kind: 'word', text: word, at }];
    if (other === '"') throw new RuleError('openQuote', text.slice(at));
    if (other !== undefined) throw new RuleError('unexpected', other);
    return [];
  });
}

/** Reads tokens one after the other. */
export class Reader {
  readonly #tokens: readonly Token[];
  #place = 0;
  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }
  peek(ahead = 0): Token | undefined {
    return this.#tokens[this.#place + ahead];
  }
  take(): Token | undefined {
    const token = this.#tokens[this.#place];
    if (token) this.#place += 1;
    return token;
  }
  /** Takes the next token when it is this sign. */
  skip(sign: string): boolean {
    const token = this.peek();
    if (token?.kind !== 'sign' || token.text !== sign) return false;
    this.#place += 1;
    return true;
  }
  /** True where a rule ends: at the end, and before `;` and `)`. */
  get ended(): boolean {
    const token = this.peek();
    return token === undefined || (token.kind === 'sign' && (token.text === ';' || token.text === ')'));
  }
}

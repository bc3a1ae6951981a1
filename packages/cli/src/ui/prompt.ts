import type { Context } from '../app/context.ts';
import { Interrupted, UsageError } from '../app/failure.ts';

const ESCAPE = '\u001b';
const KEYS = new RegExp(`${ESCAPE}\\[[0-9;]*[A-Za-z~]|${ESCAPE}O.|[\\s\\S]`, 'gu');

/** Escape was pressed: the person wants to leave this step. */
export const CANCELLED = Symbol('cancelled');

export type Prompts = {
  /** One line of text. `hidden` shows nothing of it. Answers CANCELLED after Escape, and when the signal aborts. */
  ask(label: string, more?: { hidden?: boolean; signal?: AbortSignal }): Promise<string | typeof CANCELLED>;
  /** Resolves when Escape is pressed; used while something is under way. */
  escaped(signal: AbortSignal): Promise<void>;
  close(): void;
};

/** True when a person can be asked: commands in a pipe name the missing flag instead. */
export const canAsk = ({ stdin, stderr }: Pick<Context, 'stdin' | 'stderr'>): boolean => stdin.isTTY === true && stderr.isTTY === true;

/** @throws UsageError naming the flag that a script must give */
export function requireTerminal(context: Pick<Context, 'stdin' | 'stderr'>, flag: string): void {
  if (!canAsk(context)) throw new UsageError('needsFlag', { flag });
}

/**
 * Asks on the terminal, in raw mode so that nothing secret is echoed. What was typed ahead is kept for the next
 * question. Ctrl-C rejects with `Interrupted`; the terminal is given back by `close`, also when the process ends.
 */
export function openPrompts(context: Context): Prompts {
  const { stdin, stderr } = context;
  let waiting: ((key: string) => void) | undefined;
  const ahead: string[] = [];
  const decoder = new TextDecoder();
  const onData = (chunk: Buffer | string) => {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    // An escape sequence (an arrow key) is one key, and means nothing here.
    for (const [key] of text.matchAll(KEYS)) {
      if (waiting) waiting(key);
      else ahead.push(key);
    }
  };
  stdin.setRawMode?.(true);
  stdin.on('data', onData);
  stdin.resume();
  const close = () => {
    stdin.off('data', onData);
    stdin.setRawMode?.(false);
    stdin.pause();
  };
  const forget = context.atEnd(close);

  /** Feeds keys to `take` until it answers true. */
  const keys = (take: (key: string) => boolean, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const finish = (error?: Error) => {
        waiting = undefined;
        signal?.removeEventListener('abort', onAbort);
        if (error) reject(error);
        else resolve();
      };
      const onAbort = () => finish();
      const onKey = (key: string) => {
        if (key === '\u0003') return finish(new Interrupted());
        if (take(key)) finish();
      };
      waiting = onKey;
      signal?.addEventListener('abort', onAbort, { once: true });
      if (signal?.aborted) return finish();
      // A key that answers takes `waiting` back; the rest stays for the next question.
      while (ahead.length > 0 && waiting === onKey) onKey(ahead.shift() as string);
    });

  return {
    ask: async (label, { hidden = false, signal } = {}) => {
      stderr.write(`${label} `);
      let text = '';
      let cancelled = true;
      await keys((key) => {
        if (key === '\r' || key === '\n') {
          cancelled = false;
          return true;
        }
        if (key === '\u001b') return true;
        if (key === '\u0004') return text === '';
        if (key === '\u007f' || key === '\b') {
          if (text !== '' && !hidden) stderr.write('\b \b');
          text = Array.from(text).slice(0, -1).join('');
        } else if (key === '\u0015') {
          if (!hidden) stderr.write('\b \b'.repeat(Array.from(text).length));
          text = '';
        } else if (key >= ' ' && !key.startsWith('\u001b')) {
          text += key;
          if (!hidden) stderr.write(key);
        }
        return false;
      }, signal).finally(() => stderr.write('\n'));
      return cancelled ? CANCELLED : text;
    },
    escaped: async (signal) => {
      const later: string[] = [];
      await keys((key) => {
        if (key === '\u001b') return true;
        later.push(key);
        return false;
      }, signal);
      ahead.unshift(...later);
    },
    close: () => {
      close();
      forget();
    },
  };
}

/** Names what will happen and waits for a yes. In a script `--yes` has to say it. */
export async function confirm(context: Context, key: string, values: Readonly<Record<string, unknown>> = {}): Promise<boolean> {
  if (context.globals.yes) return true;
  requireTerminal(context, '--yes');
  const t = await context.texts();
  const prompts = openPrompts(context);
  try {
    const answer = await prompts.ask(`${t(key, values)} ${t('cli.words.yesNo')}`);
    return typeof answer === 'string' && /^(y|yes|e|evet)$/i.test(answer.trim());
  } finally {
    prompts.close();
  }
}

/** All of stdin as text, one newline at its end taken off. For secrets that come by pipe. */
export async function readStdin(context: Pick<Context, 'stdin'>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of context.stdin) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}

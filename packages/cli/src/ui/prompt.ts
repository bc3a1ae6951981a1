import type { TextValues } from '@pilotfish/core/fields/text-values';
import type { ReactElement } from 'react';
import type { Context, Input } from '../app/context.ts';
import { Interrupted, UsageError } from '../app/failure.ts';
import { type Keyboard, openKeyboard } from './keyboard.ts';
import type { Ending, PromptScreen } from './prompt-screen.tsx';

/** Escape was pressed: the person wants to leave this step. */
export const CANCELLED = Symbol('cancelled');

export type Prompts = {
  /** One line of text. `hidden` shows nothing of it. Answers CANCELLED after Escape. Rejects with `Interrupted` after Ctrl-C. */
  ask(label: string, more?: { hidden?: boolean }): Promise<string | typeof CANCELLED>;
  /** Draws a question or a whole wizard until it ends. */
  show<Answer>(draw: (ending: Ending<Answer>) => ReactElement): Promise<Answer>;
  /** Lines above the questions. */
  say(text: string): void;
  /** Gives the terminal back. */
  close(): void;
};

/** True when a person can be asked: commands in a pipe name the missing flag instead. Where CI is set, Ink draws nothing. */
export const canAsk = ({ stdin, stderr, env }: Pick<Context, 'stdin' | 'stderr' | 'env'>): boolean =>
  stdin.isTTY === true && stderr.isTTY === true && env.CI === undefined;

/** @throws UsageError naming the flag that a script must give */
export function requireTerminal(context: Pick<Context, 'stdin' | 'stderr' | 'env'>, flag: string): void {
  if (!canAsk(context)) throw new UsageError('needsFlag', { flag });
}

type Session = {
  readonly keyboard: Keyboard;
  readonly interrupted: Promise<never>;
  screen: Promise<PromptScreen> | undefined;
  live: PromptScreen | undefined;
  users: number;
};
/** A call made by a wizard may ask for a code: both share one terminal. */
const sessions = new WeakMap<Input, Session>();

function join(context: Context): Session {
  const joined = sessions.get(context.stdin);
  if (joined) {
    joined.users += 1;
    return joined;
  }
  let interrupt: (reason: Error) => void = () => undefined;
  const interrupted = new Promise<never>((_, reject) => {
    interrupt = reject;
  });
  // Told to whoever asks next, if nobody does now.
  interrupted.catch(() => undefined);
  const keyboard = openKeyboard(context, () => interrupt(new Interrupted()));
  const session: Session = { keyboard, interrupted, screen: undefined, live: undefined, users: 1 };
  sessions.set(context.stdin, session);
  return session;
}

/** Asks on the terminal, by Ink, which is loaded for the first question. What is typed meanwhile is kept for it. */
export function openPrompts(context: Context): Prompts {
  const session = join(context);
  const load = async () => {
    const { openPromptScreen } = await import('./prompt-screen.tsx');
    session.live = await openPromptScreen(context, session.keyboard);
    return session.live;
  };
  const show: Prompts['show'] = async (draw) => {
    session.screen ??= load();
    const screen = await session.screen;
    return Promise.race([session.interrupted, screen.show(draw)]);
  };
  return {
    show,
    ask: async (label, more) => {
      const { textQuestion } = await import('./questions.tsx');
      return show(textQuestion(label, more));
    },
    say: (text) => void (session.live ? session.live.print(text) : context.stderr.write(text)),
    close: () => {
      session.users -= 1;
      if (session.users > 0) return;
      sessions.delete(context.stdin);
      session.live?.close();
      session.keyboard.close();
    },
  };
}

/** Draws a wizard until it ends, with the terminal to itself. */
export async function ask<Answer>(context: Context, draw: (ending: Ending<Answer>) => ReactElement): Promise<Answer> {
  const prompts = openPrompts(context);
  try {
    return await prompts.show(draw);
  } finally {
    prompts.close();
  }
}

/** Names what will happen and waits for a yes. In a script `--yes` has to say it. */
export async function confirm(context: Context, key: string, values: TextValues = {}): Promise<boolean> {
  if (context.globals.yes) return true;
  requireTerminal(context, '--yes');
  const [t, { confirmQuestion }] = await Promise.all([context.texts(), import('./questions.tsx')]);
  return ask(context, confirmQuestion(t(key, values)));
}

/** All of stdin as text, one newline at its end taken off. For secrets that come by pipe. */
export async function readStdin(context: Pick<Context, 'stdin'>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of context.stdin) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}

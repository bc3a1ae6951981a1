import type { Context } from '../app/context.ts';

const ESCAPE = '\u001b';
const KEYS = new RegExp(`${ESCAPE}\\[[0-9;]*[A-Za-z~]|${ESCAPE}O.|[\\s\\S]`, 'gu');
const CTRL_C = '\u0003';

/** What a listener made of a key: it needs no more of them, or leaves this one to the next question. */
export type Heard = 'done' | 'left' | undefined;

export type Keyboard = {
  /** The latest listener gets every key, those typed ahead first. Answers how to stop listening. */
  listen(listener: (key: string) => Heard): () => void;
  close(): void;
};

/**
 * The keys of a terminal in raw mode, so that nothing secret is echoed. What is typed while no question stands is kept for
 * the next one. `close` gives the terminal back, also when the process ends.
 */
export function openKeyboard(context: Pick<Context, 'stdin' | 'atEnd'>, onInterrupt: () => void): Keyboard {
  const { stdin } = context;
  type Listening = { readonly listener: (key: string) => Heard; readonly left: string[] };
  const listening: Listening[] = [];
  const ahead: string[] = [];
  const decoder = new TextDecoder();
  const remove = (each: Listening) => {
    const at = listening.indexOf(each);
    if (at < 0) return;
    listening.splice(at, 1);
    ahead.unshift(...each.left);
  };
  const drain = () => {
    for (let top = listening.at(-1); top && ahead.length > 0; top = listening.at(-1)) {
      const key = ahead.shift() as string;
      const heard = top.listener(key);
      if (heard === 'left') top.left.push(key);
      if (heard === 'done') remove(top);
    }
  };
  const onData = (chunk: Buffer | string) => {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    // An escape sequence (an arrow key) is one key.
    for (const [key] of text.matchAll(KEYS)) {
      if (key === CTRL_C) onInterrupt();
      else ahead.push(key);
    }
    drain();
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
  return {
    listen: (listener) => {
      const each: Listening = { listener, left: [] };
      listening.push(each);
      drain();
      return () => {
        remove(each);
        drain();
      };
    },
    close: () => {
      close();
      forget();
    },
  };
}

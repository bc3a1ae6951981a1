import { Box, render, Text, useStderr, useStdout } from 'ink';
import { createContext, type ReactElement, useContext, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import type { Context, Output } from '../app/context.ts';
import type { Texts } from '../app/texts.ts';
import { type Colours, colours } from './colour.ts';
import type { Heard, Keyboard } from './keyboard.ts';
import { printable } from './visible.ts';

/** What every question has at hand. */
export type Tools = {
  readonly t: Texts;
  readonly paint: Colours;
  readonly unicode: boolean;
  readonly keyboard: Keyboard;
  /** Lines that stay above the question, on stderr. */
  readonly print: (text: string) => void;
  /** Lines for whoever takes the output of the command, on stdout. */
  readonly printData: (text: string) => void;
};

/** How a question or a wizard ends. */
export type Ending<Answer> = { readonly answer: (answer: Answer) => void; readonly fail: (error: unknown) => void };

export type PromptScreen = {
  /** Draws it in place of what stood there, until it is answered; then that stands there again. */
  show<Answer>(draw: (ending: Ending<Answer>) => ReactElement): Promise<Answer>;
  print(text: string): void;
  close(): void;
};

const Given = createContext<Tools | undefined>(undefined);
export const useTools = (): Tools => useContext(Given) as Tools;

/** The context for what a wizard prints above its question. */
export const printingAbove = (context: Context, { t, print, printData }: Tools): Context => ({
  ...context,
  stdout: { ...context.stdout, isTTY: context.stdout.isTTY === true, columns: context.stdout.columns ?? 0, write: printData },
  say: async (key, values) => print(`${t(key, values)}\n`),
});

/** Every key goes to this until it says that it needs no more. */
export function useKeys(listener: (key: string) => Heard): void {
  const { keyboard } = useTools();
  const latest = useRef(listener);
  useLayoutEffect(() => {
    latest.current = listener;
  });
  useLayoutEffect(() => keyboard.listen((key) => latest.current(key)), [keyboard]);
}

/** Text with the colours of this program and nothing else that a terminal obeys. */
export const Line = ({ children }: { children: string }) => <Text>{printable(children)}</Text>;

type Shown = { readonly id: number; readonly element: ReactElement };

/**
 * Questions drawn by Ink below what the terminal shows, on stderr. Ink runs only while there is one: between two of them
 * the command may write as it likes.
 */
export async function openPromptScreen(context: Context, keyboard: Keyboard): Promise<PromptScreen> {
  const t = await context.texts();
  const listeners = new Set<() => void>();
  let shown: readonly Shown[] = [];
  let count = 0;
  let live: ReturnType<typeof mount> | undefined;
  const change = (next: readonly Shown[]) => {
    shown = next;
    for (const listener of listeners) listener();
  };
  const print = (text: string) => (live ? live.print(text) : void context.stderr.write(text));
  const printData = (text: string) => (live ? live.printData(text) : void context.stdout.write(text));
  const tools: Tools = { t, paint: colours(context, context.stderr), unicode: context.unicode, keyboard, print, printData };

  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const leave = () => {
    live?.close();
    live = undefined;
  };
  const forget = context.atEnd(leave);
  return {
    show: async (draw) => {
      const id = ++count;
      let isMounted = live !== undefined;
      try {
        return await new Promise((answer, fail) => {
          change([...shown, { id, element: draw({ answer, fail }) }]);
          live ??= mount(context, (onReady) => <Stack tools={tools} subscribe={subscribe} get={() => shown} onReady={onReady} />);
          // A question that cannot be drawn fails; nobody could answer it.
          if (!isMounted) live.failed.catch(fail);
          isMounted = true;
        });
      } finally {
        change(shown.filter((each) => each.id !== id));
        if (shown.length === 0) leave();
      }
    },
    print,
    close: () => {
      forget();
      leave();
    },
  };
}

type Writers = { readonly stderr: (text: string) => void; readonly stdout: (text: string) => void };
type OnReady = (writers: Writers) => void;
type StackProps = {
  readonly tools: Tools;
  readonly subscribe: (listener: () => void) => () => void;
  readonly get: () => readonly Shown[];
  readonly onReady: OnReady;
};

/** The latest is seen; what waits below it keeps its state. */
function Stack({ tools, subscribe, get, onReady }: StackProps) {
  const elements = useSyncExternalStore(subscribe, get);
  const { write: stderr } = useStdout();
  const { write: stdout } = useStderr();
  useLayoutEffect(() => onReady({ stderr, stdout }), [onReady, stderr, stdout]);
  return (
    <Given.Provider value={tools}>
      {elements.map(({ id, element }, at) => (
        <Box key={id} flexDirection="column" display={at === elements.length - 1 ? 'flex' : 'none'}>
          {element}
        </Box>
      ))}
    </Given.Provider>
  );
}

function mount({ screen, stdin, stdout, stderr }: Context, draw: (onReady: OnReady) => ReactElement) {
  const real = screen.stderr as Output & Partial<Pick<NodeJS.WriteStream, 'on' | 'off'>>;
  let isOpen = true;
  // Ink draws a last frame when it ends: a question that is answered must not stand there twice.
  const paper = {
    isTTY: true,
    get columns() {
      return real.columns;
    },
    get rows() {
      return real.rows;
    },
    write: (text: string) => !isOpen || real.write(text),
    on: (event: string, listener: () => void) => real.on?.(event, listener),
    off: (event: string, listener: () => void) => real.off?.(event, listener),
  } as unknown as NodeJS.WriteStream;
  let writers: Writers = { stderr: (text) => void stderr.write(text), stdout: (text) => void stdout.write(text) };
  const onReady: OnReady = (ready) => {
    writers = ready;
  };
  const app = render(draw(onReady), {
    stdout: paper,
    // Its second output is cleared around in the same way: here, where the data goes.
    stderr: screen.stdout as NodeJS.WriteStream,
    stdin: stdin as NodeJS.ReadStream,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  return {
    failed: app.waitUntilExit(),
    print: (text: string) => writers.stderr(printable(text)),
    printData: (text: string) => writers.stdout(stdout.isTTY ? printable(text) : text),
    close: () => {
      app.clear();
      isOpen = false;
      app.unmount();
      real.write('\u001b[?25h');
    },
  };
}

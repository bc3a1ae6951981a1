import type { ReactElement } from 'react';
import type { Context } from '../app/context.ts';

/**
 * Shows an Ink screen on the alternate screen until it calls `leave` with an exit code, and gives the terminal
 * back as it was, also on a signal. Answers that code.
 */
export async function openInkScreen(context: Context, screen: (leave: (exit: number) => void) => ReactElement): Promise<number> {
  const { render } = await import('ink');
  const stdout = context.stdout as NodeJS.WriteStream;
  const stdin = context.stdin as NodeJS.ReadStream;
  let exit = 0;
  stdout.write('\u001b[?1049h\u001b[H');
  let restored = false;
  const restore = () => {
    if (restored) return;
    restored = true;
    stdout.write('\u001b[?25h\u001b[?1049l');
  };
  const forget = context.atEnd(() => {
    app.unmount();
    restore();
  });
  const leave = (code: number) => {
    exit = code;
    app.unmount();
  };
  const app = render(screen(leave), {
    stdout,
    stdin,
    stderr: process.stderr,
    exitOnCtrlC: false,
    patchConsole: false,
    maxFps: 15,
  });
  try {
    await app.waitUntilExit();
  } finally {
    forget();
    restore();
  }
  return exit;
}

import type { ReactElement } from 'react';
import type { Context } from '../app/context.ts';

/**
 * Shows an Ink screen on the alternate screen until it calls `leave` with an exit code, and gives the terminal
 * back as it was, also on a signal. Answers that code.
 */
export async function openInkScreen(context: Context, screen: (leave: (exit: number) => void) => ReactElement): Promise<number> {
  const { render } = await import('ink');
  const stdout = context.screen.stdout as NodeJS.WriteStream;
  const stdin = context.stdin as NodeJS.ReadStream;
  const stderr = context.screen.stderr as NodeJS.WriteStream;
  let exit = 0;
  let isLeft = false;
  stdout.write('\u001b[?1049h\u001b[H');
  let restored = false;
  const restore = () => {
    if (restored) return;
    restored = true;
    stdout.write('\u001b[?25h\u001b[?1049l');
  };
  let app: ReturnType<typeof render> | undefined;
  const forget = context.atEnd(() => {
    // A screen that could not be drawn has nothing to take back; its error must not be hidden by that.
    app?.unmount();
    restore();
  });
  const leave = (code: number) => {
    exit = code;
    isLeft = true;
    app?.unmount();
  };
  app = render(screen(leave), {
    stdout,
    stdin,
    stderr,
    exitOnCtrlC: false,
    patchConsole: false,
    maxFps: 15,
  });
  // It may be left while it is drawn for the first time.
  if (isLeft) app.unmount();
  try {
    await app.waitUntilExit();
  } finally {
    forget();
    restore();
  }
  return exit;
}

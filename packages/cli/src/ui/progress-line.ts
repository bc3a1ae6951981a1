import { formatCountdown } from '@pilotfish/core/time/duration';
import type { Context } from '../app/context.ts';

const WIDTH = 30;
const REDRAW_MS = 66;

/** On a terminal one line of stderr with a bar, what is said beside it and the time left; in a pipe nothing. */
export function progressLine({ stderr, unicode, now }: Context, title = '') {
  const started = now();
  let drawn = 0;
  return {
    show: (done: number, beside = ''): void => {
      const at = now();
      if (!stderr.isTTY || (at - drawn < REDRAW_MS && done < 1)) return;
      drawn = at;
      const full = Math.round(Math.min(1, done) * WIDTH);
      const bar = (unicode ? '█' : '#').repeat(full) + (unicode ? '░' : '.').repeat(WIDTH - full);
      const left = done > 0.01 && done < 1 ? formatCountdown(((at - started) / done) * (1 - done)) : '';
      // Alone, so that the output takes it for a line begun anew and not for a character in a text.
      stderr.write('\r\u001b[K');
      stderr.write([title, bar, `${Math.floor(done * 100)}%`, beside, left].filter((part) => part !== '').join(' '));
    },
    end: (): void => {
      if (stderr.isTTY && drawn > 0) stderr.write('\r\u001b[K');
    },
  };
}

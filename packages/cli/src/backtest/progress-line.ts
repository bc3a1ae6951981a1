import type { Context } from '../app/context.ts';

const WIDTH = 30;
const REDRAW_MS = 66;

/** Seconds as `4 s`, `3:20` or `1:02:00`. */
export function shortTime(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

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
      const left = done > 0.01 && done < 1 ? shortTime(((at - started) / 1000 / done) * (1 - done)) : '';
      stderr.write(`\r${[title, bar, `${Math.floor(done * 100)}%`, beside, left].filter((part) => part !== '').join(' ')}\u001b[K`);
    },
    end: (): void => {
      if (stderr.isTTY && drawn > 0) stderr.write('\r\u001b[K');
    },
  };
}

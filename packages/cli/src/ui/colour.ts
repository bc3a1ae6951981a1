import { MINUS } from '@pilotfish/core/money/format';
import type { Context, Output } from '../app/context.ts';

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  /** Reversed: this changed just now. */
  marked: [7, 27],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
  gray: [90, 39],
  simulated: [30, 49],
} as const;

export type Colours = Readonly<Record<keyof typeof codes, (text: string) => string>>;

/** Whether an output gets colour: `--color`, then NO_COLOR and FORCE_COLOR, then whether it is a terminal. */
export function isColoured({ env, globals }: Pick<Context, 'env' | 'globals'>, output: Output): boolean {
  if (globals.color !== 'auto') return globals.color === 'always';
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  return output.isTTY === true && env.TERM !== 'dumb';
}

export function colours(context: Pick<Context, 'env' | 'globals'>, output: Output): Colours {
  const on = isColoured(context, output);
  const paint = Object.entries(codes).map(([name, [open, close]]) => [
    name,
    // Orange behind black text is how a simulated market is marked everywhere.
    on
      ? (text: string) => (name === 'simulated' ? `\u001b[30;48;5;214m${text}\u001b[39;49m` : `\u001b[${open}m${text}\u001b[${close}m`)
      : (text: string) => text,
  ]);
  return Object.fromEntries(paint) as Colours;
}

/** Whether these colours do anything. */
export const isPainted = (paint: Colours): boolean => paint.bold('x') !== 'x';

/**
 * Green for a gain, red for a loss, by the sign that the formatters wrote: what has none, as zero, has no colour.
 * @param text what is painted, where that is not the figure itself
 */
export const tint = (paint: Colours, signed: string, text = signed): string =>
  signed.startsWith(MINUS) ? paint.red(text) : signed.startsWith('+') ? paint.green(text) : text;

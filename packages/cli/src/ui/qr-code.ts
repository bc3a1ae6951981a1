import type { Context } from '../app/context.ts';
import { canAsk } from './prompt.ts';

/** A code to scan; nothing where it could not be drawn or nobody looks. */
export async function qrCode(context: Context, text: string): Promise<string> {
  if (!context.unicode || !canAsk(context)) return '';
  const { renderUnicodeCompact } = await import('uqr');
  const code = renderUnicodeCompact(text, { border: 2, ecc: 'L' });
  // The blocks are the light modules: white on black whatever the theme, because phones read no inverted codes.
  return `${code
    .split('\n')
    .map((line) => `\u001b[97;40m${line}\u001b[0m`)
    .join('\n')}\n\n`;
}

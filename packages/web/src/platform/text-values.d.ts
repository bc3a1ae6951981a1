import type { TextValues } from '@pilotfish/core/fields/text-values';

declare module 'i18next' {
  /** Without it `t` takes anything: a figure that no formatter showed would stand as bare digits in a sentence. */
  interface TOptionsBase {
    [name: string]: TextValues[string];
  }
}

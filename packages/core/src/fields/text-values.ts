/** What the places of a text are filled with. A figure (`money/figure.ts`) is none: it goes through the formatter of its kind before. */
export type TextValues = Readonly<Record<string, string | number | boolean | null | undefined>>;

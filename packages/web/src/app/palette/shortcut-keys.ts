/** Screens that two letters go to: `g` and then this one. */
export const GO_KEYS = { h: '/', p: '/prices', o: '/positions', b: '/auto-trade', a: '/price-alerts', f: '/performance' } as const;

type Press = {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  /** The focus is in a field, where letters are text. */
  readonly isTyping: boolean;
};

/** What a key asks for: the palette, the sheet, the search field, the labels of the rail, a path, or a second key. @param before the key before it */
export function keyAction({ key, ctrlKey, metaKey, altKey, isTyping }: Press, before: string | undefined): string | undefined {
  // Some keyboards have it on AltGr, which browsers report as Ctrl and Alt.
  if (key === '[' && !isTyping && !metaKey && ctrlKey === altKey) return 'rail';
  if ((ctrlKey || metaKey) && !altKey) return key.toLowerCase() === 'k' ? 'palette' : undefined;
  if (isTyping || altKey) return undefined;
  if (before === 'g') return Object.entries(GO_KEYS).find(([letter]) => letter === key.toLowerCase())?.[1];
  if (key === '?') return 'sheet';
  if (key === '/') return 'search';
  return key === 'g' ? 'first' : undefined;
}

const METHODS = ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'] as const;

/** What the browser has, kept before anything is replaced. */
const PlainFormat = Intl.DateTimeFormat;
let applied: string | undefined;
const plain = new Map(METHODS.map((method) => [method, Object.getOwnPropertyDescriptor(Date.prototype, method)]));

/**
 * Makes every date of the page follow a time zone, wherever it is written: the chosen zone becomes the browser's
 * default for formatting. Undefined gives the device's own zone back. A call that names a zone keeps its own.
 */
export function applyTimeZone(zone: string | undefined): void {
  applied = zone;
  if (zone === undefined) {
    Intl.DateTimeFormat = PlainFormat;
    for (const [method, descriptor] of plain) if (descriptor) Object.defineProperty(Date.prototype, method, descriptor);
    return;
  }
  const withZone = (options?: Intl.DateTimeFormatOptions): Intl.DateTimeFormatOptions => ({ timeZone: zone, ...options });
  // Called with and without `new`, as the built-in one allows.
  const Zoned = function zonedFormat(locales?: Intl.LocalesArgument, options?: Intl.DateTimeFormatOptions) {
    return new PlainFormat(locales as string, withZone(options));
  } as unknown as typeof Intl.DateTimeFormat;
  Object.assign(Zoned, {
    supportedLocalesOf: (...given: Parameters<typeof PlainFormat.supportedLocalesOf>) => PlainFormat.supportedLocalesOf(...given),
    prototype: PlainFormat.prototype,
  });
  Intl.DateTimeFormat = Zoned;
  for (const [method, descriptor] of plain) {
    const original = descriptor?.value as ((this: Date, ...of: unknown[]) => string) | undefined;
    if (original)
      Object.defineProperty(Date.prototype, method, {
        ...descriptor,
        value(this: Date, locales?: Intl.LocalesArgument, options?: Intl.DateTimeFormatOptions) {
          return original.call(this, locales, withZone(options));
        },
      });
  }
}

/** The zone that was chosen; undefined is the device's own. */
export const appliedTimeZone = (): string | undefined => applied;

/** The zone of the device, whatever was applied. */
export const deviceTimeZone = (): string => new PlainFormat().resolvedOptions().timeZone;

declare const KIND: unique symbol;

export type FigureKind = 'price' | 'quantity' | 'money' | 'percent' | 'ratio';

/**
 * Decimal text and what it measures. At run time it is text; for the compiler it is text or something that is none, so
 * that text can be written where a figure is told, but a figure cannot be printed, neither in a screen nor in a sentence:
 * it goes through the formatter of its kind (`format.ts`), or through `decimal()` to be reckoned with.
 */
export type Figure<Kind extends FigureKind = FigureKind> = string | { readonly [KIND]: Kind };
/** Of one unit of the base asset, in the quote asset. */
export type Price = Figure<'price'>;
/** Of an asset. */
export type Quantity = Figure<'quantity'>;
/** A sum in a currency that is told beside it. */
export type Money = Figure<'money'>;
/** `1.5` is one and a half percent. */
export type Percent = Figure<'percent'>;
/** Of two sums; without a unit. */
export type Ratio = Figure<'ratio'>;

/** The digits themselves, for forms, files and calls that carry on with them: never for what somebody reads. */
export const digits = (figure: Figure): string => figure as string;
/** Zero, however it is written. */
export const isNothing = (figure: Figure): boolean => !/[1-9]/.test(digits(figure));
/** Below zero; `-0` is not. */
export const isLess = (figure: Figure): boolean => digits(figure).startsWith('-') && !isNothing(figure);

import { digits, type Figure, isNothing } from '@pilotfish/core/money/figure';

/**
 * Whether an amount is a gain, a loss or neither; the class that colours it. Zero is neither, however it is written. Given
 * the text that is shown, what reads 0.00 is neither, too: a figure may be less than its text has room for.
 */
export const toneOf = (amount: Figure): 'gain' | 'loss' | '' => (isNothing(amount) ? '' : /^[-−]/.test(digits(amount)) ? 'loss' : 'gain');

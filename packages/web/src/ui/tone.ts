import { type Figure, isLess, isNothing } from '@pilotfish/core/money/figure';

/** Whether an amount is a gain, a loss or neither; the class that colours it. Zero is neither, however it is written. */
export const toneOf = (amount: Figure): 'gain' | 'loss' | '' => (isNothing(amount) ? '' : isLess(amount) ? 'loss' : 'gain');

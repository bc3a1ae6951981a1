/** Whether an amount is a gain, a loss or neither; the class that colours it. Zero is neither, however it is written. */
export const toneOf = (amount: string): 'gain' | 'loss' | '' => (!/[1-9]/.test(amount) ? '' : amount.startsWith('-') ? 'loss' : 'gain');

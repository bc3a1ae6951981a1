/** What an exchange says, closed like a sentence: another one follows, and "Filter failure: LOT_SIZE" has no full stop. */
export const asSentence = (said: string): string => (/[.!?…]$/.test(said) ? said : `${said}.`);

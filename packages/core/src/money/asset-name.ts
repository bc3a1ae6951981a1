/**
 * A character that names of coins and pairs are made of: letters of any script (`币安人生` trades since January 2026),
 * marks and digits, never small letters, because what people type is raised to capitals. For patterns with the flag `u`.
 */
export const NAME_CHARACTER = String.raw`[\p{Lu}\p{Lt}\p{Lo}\p{Lm}\p{M}\p{Nd}]`;

const NAME = new RegExp(`^${NAME_CHARACTER}{1,30}$`, 'u');
const ASSET = new RegExp(`^${NAME_CHARACTER}{1,20}$`, 'u');

/** True for a text that could be the name of a coin or a pair. */
export const isName = (text: string): boolean => NAME.test(text);
/** The same of a coin alone, which is shorter. */
export const isAssetName = (text: string): boolean => ASSET.test(text);

/** A typed or pasted name as the exchange writes it: capitals, composed characters, without what no name holds. */
export const nameFrom = (typed: string): string =>
  Array.from(typed.normalize('NFC').toUpperCase())
    .filter((character) => isName(character))
    .join('');

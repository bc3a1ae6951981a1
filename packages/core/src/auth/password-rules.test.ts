import { expect, test } from 'vitest';
import { passwordVerdict } from './password-rules.ts';

const own = ['Pilot', 'captain.fish@example.com'];

test.each([
  ['long is enough', 'plain walking stick', 2, 'ok'],
  ['short but hard to guess', 'x7#Kq!p9', 3, 'ok'],
  ['short and easy', 'summer22', 2, 'weak'],
  ['long but among the first guesses', '123456789012', 0, 'weak'],
  ['eleven characters', 'abcdefghijk', 2, 'weak'],
  ['the username in other case', 'PILOT', 4, 'own-field'],
  ['the e-mail', 'captain.fish@example.com', 4, 'own-field'],
  ["the e-mail's local part", 'Captain.Fish', 4, 'own-field'],
] as const)('%s', (_, password, score, verdict) => {
  expect(passwordVerdict(password, score, own)).toBe(verdict);
});

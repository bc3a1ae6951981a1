import { expect, test } from 'vitest';
import en from '../locales/en.json' with { type: 'json' };
import tr from '../locales/tr.json' with { type: 'json' };
import { wrongWords } from './comparison-words.ts';

const texts =
  (tree: object) =>
  (key: string, values: Readonly<Record<string, string | number>> = {}) => {
    const text = key.split('.').reduce<unknown>((found, part) => (found as Record<string, unknown>)[part], tree) as string;
    return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]));
  };

test('what is wrong with a recording is said in the language of who reads it', () => {
  const bad = { wrong: 'badTape', code: 'BAD_RECORD', line: 3 } as const;
  expect(wrongWords(texts(en), 'Dip', bad)).toBe('The recording of Dip cannot be used: line 3 cannot be read');
  expect(wrongWords(texts(tr), 'Dip', bad)).toBe('Dip kaydı kullanılamıyor: 3. satır okunamıyor');
  expect(wrongWords(texts(en), 'Dip', { wrong: 'noPrices' })).toContain('The recording of Dip contains no prices');
});

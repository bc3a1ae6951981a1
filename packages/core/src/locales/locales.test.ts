import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ERROR_CODES } from '../http/error-codes.ts';
import en from './en.json' with { type: 'json' };
import tr from './tr.json' with { type: 'json' };

const PACKAGES = join(dirname(fileURLToPath(import.meta.url)), '../../..');

const flatten = (texts: object, prefix = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value] as [string, string]] : flatten(value as object, `${prefix}${key}.`),
  );
const english = new Map(flatten(en));
const turkish = new Map(flatten(tr));
const variables = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name]) => name ?? '').sort((a, b) => a.localeCompare(b));

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (['node_modules', 'dist', '.types', 'locales'].includes(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /\.tsx?$/.test(entry.name) && !/\.(test|e2e)\.tsx?$/.test(entry.name) ? [readFileSync(path, 'utf8')] : [];
  });
}
const code = sources(PACKAGES).join('\n');
/** Every dotted word in quotes may be a key; `t('…')` certainly is one. */
const quoted = new Set([...code.matchAll(/['"`]([a-zA-Z][\w-]*(?:\.[\w-]+)+)['"`]/g)].map(([, key]) => key as string));
const called = new Set([...code.matchAll(/\bt\(\s*['"`]([\w.-]+)['"`]/g)].map(([, key]) => key as string));
/** Keys put together from a fixed beginning: `errors.${code}.title`, or with a slash where the rest may hold dots. */
const prefixes = [
  ...new Set([...code.matchAll(/`([a-zA-Z][\w-]*(?:[./][\w-]+)*[./])\$\{/g)].map(([, prefix]) => (prefix as string).replaceAll('/', '.'))),
];

/** `x_one`, `x_other` are the plural forms of `x`. */
const base = (key: string) => key.replace(/_(zero|one|two|few|many|other)$/, '');

test('what the server writes has no plural forms: it looks a text up by its key alone, and would say nothing', () => {
  const written = [...english.keys()].filter((key) =>
    /^(?:(?:mail|sms|telegram|errors)\.|notifications\.[\w-]+\.(?:title|text)_)/.test(key),
  );
  expect(written.filter((key) => base(key) !== key)).toEqual([]);
});

test('both languages have the same keys', () => {
  expect([...turkish.keys()].sort()).toEqual([...english.keys()].sort());
});
test('both languages fill in the same values', () => {
  for (const [key, text] of english)
    expect({ key, variables: variables(turkish.get(key) ?? '') }).toEqual({ key, variables: variables(text) });
});
test('no text is empty', () => {
  for (const [key, text] of [...english, ...turkish]) expect(text.trim(), key).not.toBe('');
});
/** Words that make English sound translated. Say who does what instead: "recalculate", "the owner is notified". */
const TRANSLATED = /\b(?:told|anew|of now|heard|mend|whoever)\b/i;

test('no text and no page of the docs sounds translated', () => {
  const root = join(PACKAGES, '..');
  const pages = ['', 'docs', 'docs/decisions'].flatMap((folder) =>
    readdirSync(join(root, folder)).flatMap((name) => (name.endsWith('.md') ? [join(folder, name)] : [])),
  );
  expect(pages.length).toBeGreaterThan(20);
  const lines = pages.flatMap((page) =>
    readFileSync(join(root, page), 'utf8')
      .split('\n')
      .map((line, index) => [`${page}:${index + 1}`, line] as const),
  );
  expect([...english, ...lines].filter(([, text]) => TRANSLATED.test(text))).toEqual([]);
});
test('every error has a title and a detail', () => {
  for (const error of Object.keys(ERROR_CODES))
    for (const part of ['title', 'detail']) expect(english.has(`errors.${error}.${part}`), `errors.${error}.${part}`).toBe(true);
});

describe('keys and code agree', () => {
  test('no key that code asks for is missing', () => {
    const known = new Set([...english.keys()].map(base));
    expect([...called].filter((key) => key.includes('.') && !known.has(key) && !english.has(key))).toEqual([]);
  });
  test('no key is unused', () => {
    const unused = [...english.keys()].filter(
      (key) => !quoted.has(key) && !quoted.has(base(key)) && !prefixes.some((prefix) => key.startsWith(prefix)),
    );
    expect(unused).toEqual([]);
  });
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FIELD_RULES, type FieldRule } from './field-rules.ts';
import { MASK_PRESETS, type MaskPreset, masked, maskedAs } from './input-masks.ts';

describe('what a field takes', () => {
  const cases: Record<FieldRule, { yes: string[]; no: string[] }> = {
    date: { yes: ['2026/11/22', '2024/2/29', '0001/01/01'], no: ['2026/02/30', '2026-11-22', '26/11/22', '2026/13/1', '0000/1/1', ''] },
    time: { yes: ['00:00', '9:05', '23:59', '23:59:59'], no: ['24:00', '12:60', '12', '12:00:60', '12:0', ''] },
    email: { yes: ['a@b.co', 'first.last+tag@sub.example.org'], no: ['a@b', 'a b@c.de', '@b.co', 'a@b..co', 'a@@b.co', 'a@b.co ', ''] },
    hexColor: { yes: ['#fff', '#FFF8', '#0a0f1a', '#0a0f1aff'], no: ['fff', '#ff', '#fffff', '#ggg', '#0a0f1af', ''] },
    rgbColor: { yes: ['rgb(0,0,0)', 'rgb( 255 , 10 ,7 )'], no: ['rgb(256,0,0)', 'rgb(1,2)', 'rgba(1,2,3,1)', 'rgb(-1,0,0)', ''] },
    rgbaColor: {
      yes: ['rgba(0,0,0,0)', 'rgba(1,2,3,.5)', 'rgba(1,2,3, 50%)', 'rgba(1,2,3,1.0)'],
      no: ['rgba(1,2,3)', 'rgba(1,2,3,1.1)', 'rgba(1,2,3,101%)', ''],
    },
  };
  test.each(Object.entries(cases) as [FieldRule, { yes: string[]; no: string[] }][])('%s', (rule, { yes, no }) => {
    expect(yes.filter((text) => !FIELD_RULES[rule](text))).toEqual([]);
    expect(no.filter((text) => FIELD_RULES[rule](text))).toEqual([]);
  });
});

describe('what a mask makes of what is typed', () => {
  test('digits, letters, alphanumerics, with casing that no language bends', () => {
    expect(masked('digits', ' 12a-3 4\u00b2')).toBe('1234');
    expect(masked('letters', 'bit1coin şğ', 'upper')).toBe('BITCOINŞĞ');
    expect(masked('alphanumerics', 'aB-12_İ', 'lower')).toBe('ab12i̇');
    expect(masked('alphanumerics', 'ınfo-i9', 'upper')).toBe('INFOI9');
  });
  test.each([
    ['date', '20261122', '2026/11/22'],
    ['datetime', '202611220905', '2026/11/22 09:05'],
    ['time', '0905', '09:05'],
    ['fulltime', '090507', '09:05:07'],
    ['phone', '5551234567', '(555) 123 - 4567'],
    ['phone', '5551234', '(555) 123 - 4'],
    ['card', '4111111111111111', '4111 1111 1111 1111'],
    ['card', '41111', '4111 1'],
    ['time', 'abc', ''],
  ] as const)('%s of %s is %s', (preset, typed, shown) => expect(maskedAs(preset, typed)).toBe(shown));
  test('a mask changes nothing of what it wrote itself, and never writes more than its places', () => {
    const preset = fc.constantFrom(...(Object.keys(MASK_PRESETS) as MaskPreset[]));
    fc.assert(
      fc.property(preset, fc.string(), (each, text) => {
        const once = maskedAs(each, text);
        expect(maskedAs(each, once)).toBe(once);
        expect(once.length).toBeLessThanOrEqual(MASK_PRESETS[each].length);
      }),
    );
  });
});

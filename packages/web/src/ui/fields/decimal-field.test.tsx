// @vitest-environment happy-dom
import { ChakraProvider } from '@chakra-ui/react';
import { fireEvent, render, within } from '@testing-library/react';
import { useState } from 'react';
import { I18nextProvider } from 'react-i18next';
import { describe, expect, test } from 'vitest';
import { createTexts } from '../../platform/texts.ts';
import { SignedDecimal } from '../../prices/screener/operand-input.tsx';
import { system } from '../theme/theme.ts';
import { DecimalField, WholeField } from './decimal-field.tsx';

const Held = ({ whole, signed }: { whole: boolean; signed: boolean }) => {
  const [text, setText] = useState('');
  const [count, setCount] = useState<number | ''>('');
  if (signed) return <SignedDecimal label="How many" value={text} onChange={setText} aria-describedby={undefined} />;
  return whole ? (
    <WholeField label="How many" value={count} onChange={setCount} />
  ) : (
    <DecimalField label="How many" value={text} onChange={setText} />
  );
};

/** Types key by key, as a keyboard does; answers what the field holds and what it complains of. */
async function typed(
  keys: Iterable<string>,
  { whole = false, signed = false } = {},
): Promise<{
  held: string;
  said: string;
  erase: () => string;
  press: (key: string) => string;
  leave: () => string;
  type: (key: string) => string;
}> {
  const texts = await createTexts('tr', { all: true });
  const { container } = render(
    <ChakraProvider value={system}>
      <I18nextProvider i18n={texts}>
        <Held whole={whole} signed={signed} />
      </I18nextProvider>
    </ChakraProvider>,
  );
  const field = within(container).getByLabelText<HTMLInputElement>('How many');
  for (const key of keys) fireEvent.change(field, { target: { value: field.value + key } });
  const said = () => within(container).queryByRole('alert')?.textContent ?? '';
  return {
    held: field.value,
    said: said(),
    press: (key) => {
      fireEvent.keyDown(field, { key });
      return said();
    },
    leave: () => {
      fireEvent.blur(field);
      fireEvent.focus(field);
      return said();
    },
    type: (key) => {
      fireEvent.change(field, { target: { value: field.value + key } });
      return field.value;
    },
    erase: () => {
      fireEvent.change(field, { target: { value: field.value.slice(0, -1) } });
      return said();
    },
  };
}

const again = (why: string) => `${why}. Silme tuşuna (Backspace) basın, sonra sayıyı yeniden yazın`;

describe('a refused key is told, and not taken for another number', () => {
  test.each([
    ['12,5', '12.5', ''],
    ['1.234,5', '1.234', 'Tek ondalık nokta kullanın, binlik ayırıcı kullanmayın: 1234.5'],
    ['-5', '', again('Yalnızca rakam ve bir ondalık nokta')],
    ['1e9', '1', 'Yalnızca rakam ve bir ondalık nokta'],
    ['65,500', '65.500', ''],
    ['1,2,3', '1.2', 'Tek ondalık nokta kullanın, binlik ayırıcı kullanmayın: 1234.5'],
    ['70 500', '70', 'Yalnızca rakam ve bir ondalık nokta'],
  ])('a decimal: %s', async (keys, held, said) => expect(await typed(keys)).toMatchObject({ held, said }));
  test.each([
    ['15', '15', ''],
    ['-5', '', again('Yalnızca tam sayı; nokta ve işaret olmadan')],
    ['.5', '', again('Yalnızca tam sayı; nokta ve işaret olmadan')],
    ['1.5', '1', 'Yalnızca tam sayı; nokta ve işaret olmadan'],
    ['123456789', '1234567', 'En fazla yedi basamak'],
  ])('a whole number: %s', async (keys, held, said) => expect(await typed(keys, { whole: true })).toMatchObject({ held, said }));
  test.each([
    ['-12,5', '-12.5', ''],
    ['1.000.000', '1.000', 'Tek ondalık nokta kullanın, binlik ayırıcı kullanmayın: 1234.5'],
    ['-€5', '-', again('Yalnızca rakam ve bir ondalık nokta')],
    ['5-', '5', 'Yalnızca rakam ve bir ondalık nokta'],
  ])('what a rule of the screener compares with: %s', async (keys, held, said) =>
    expect(await typed(keys, { signed: true })).toMatchObject({ held, said }),
  );
  test.each([
    ['65,5', '65.5', ''],
    [' 65.5\u00a0', '65.5', ''],
    ['65,500', '', 'Tek ondalık nokta kullanın, binlik ayırıcı kullanmayın: 1234.5'],
    ['1.234,5', '', 'Tek ondalık nokta kullanın, binlik ayırıcı kullanmayın: 1234.5'],
    ['1,234,567', '', 'Yalnızca rakam ve bir ondalık nokta'],
    [' 65 500 ', '', 'Yalnızca rakam ve bir ondalık nokta'],
    ["70'000", '', 'Yalnızca rakam ve bir ondalık nokta'],
    ['€60000', '', 'Yalnızca rakam ve bir ondalık nokta'],
  ])('what comes at once, from a clipboard or a keyboard: %s', async (text, held, said) => {
    expect(await typed([text])).toMatchObject({ held, said });
  });
  test.each([{}, { whole: true }, { signed: true }])('an empty field stays shut until its complaint is answered: %j', async (kind) => {
    const key = 'signed' in kind ? '€' : '-';
    const first = await typed(`${key}5`, kind);
    expect([first.press('Tab'), first.type('5')]).toEqual([first.said, '']);
    expect([first.press('Backspace'), first.type('5')]).toEqual(['', '5']);
    const second = await typed(`${key}5`, kind);
    expect([second.leave(), second.type('7')]).toEqual(['', '7']);
  });
  test('what was refused at once leaves an empty field open: nothing stands where the next key comes', async () => {
    const { type, press } = await typed(['65,500']);
    expect([type('6'), press('5')]).toEqual(['6', '']);
  });
  test('taking something away again ends the complaint', async () => {
    const { erase } = await typed('1.2,');
    expect(erase()).toBe('');
  });
});

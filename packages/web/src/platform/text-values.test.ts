import type { Quantity } from '@pilotfish/core/money/figure';
import { formatQuantity } from '@pilotfish/core/money/format';
import i18next from 'i18next';
import { expect, test } from 'vitest';

test('a text takes no bare decimal', async () => {
  const i18n = i18next.createInstance();
  await i18n.init({ lng: 'en', resources: { en: { translation: { held: 'You hold {{quantity}}' } } } });
  const position: { readonly quantity: Quantity } = { quantity: '1234.50' };
  expect(i18n.t('held', { quantity: formatQuantity(position.quantity) })).toBe('You hold 1,234.5');
  // @ts-expect-error a figure that no formatter shows would stand as bare digits in a sentence
  expect(i18n.t('held', position)).toBe('You hold 1234.50');
  // @ts-expect-error also beside a count
  expect(i18n.t('held', { count: 1, quantity: position.quantity })).toBe('You hold 1234.50');
});

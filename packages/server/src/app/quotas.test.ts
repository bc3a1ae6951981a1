import { expect, test } from 'vitest';
import { createTexts } from '../http/texts.ts';
import { QUOTAS } from './quotas.ts';

const texts = createTexts();

test.each(['en', 'tr'] as const)('every limit has a name by which people know it (%s)', (language) => {
  const named = QUOTAS.filter((quota) => texts.find(language, `account.limits.kinds.${quota}`) !== undefined);
  expect(named).toEqual(QUOTAS);
});

import { decimal, ZERO } from '@pilotfish/core/money/decimal';
import { expect, test } from 'vitest';
import type { Difference } from './balance-check.ts';
import { examinedDifferences } from './examined-differences.ts';

const of = (asset: string, difference: string): Difference => ({ asset, balance: ZERO, known: ZERO, difference: decimal(difference) });
const assets = ({ fresh }: { fresh: readonly Difference[] }) => fresh.map(({ asset }) => asset);

test('a difference is looked into once, and again when it changes', () => {
  const examined = examinedDifferences();
  expect(examined.fresh('a', [of('ETH', '-1')], true)).toMatchObject({ isFirst: true, fresh: [{ asset: 'ETH' }] });
  expect(examined.fresh('a', [of('ETH', '-1')], true)).toMatchObject({ isFirst: false, fresh: [] });
  expect(assets(examined.fresh('a', [of('ETH', '-2'), of('SOL', '1')], true))).toEqual(['ETH', 'SOL']);
  expect(assets(examined.fresh('b', [of('ETH', '-2')], true))).toEqual(['ETH']);
});

test('what was found while a history is read is looked into when the reading has ended', () => {
  const examined = examinedDifferences();
  examined.fresh('a', [of('ETH', '-1'), of('BTC', '3')], false);
  expect(examined.fresh('a', [of('ETH', '-1')], true)).toMatchObject({ isFirst: true, fresh: [{ asset: 'ETH' }] });
  expect(assets(examined.fresh('a', [of('ETH', '-1')], true))).toEqual([]);
});

test('other keys begin anew', () => {
  const examined = examinedDifferences();
  examined.fresh('a', [of('ETH', '-1')], true);
  examined.forget('a');
  expect(examined.fresh('a', [of('ETH', '-1')], true)).toMatchObject({ isFirst: true, fresh: [{ asset: 'ETH' }] });
});

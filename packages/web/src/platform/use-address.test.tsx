// @vitest-environment happy-dom
import { act, render } from '@testing-library/react';
import { useEffect } from 'react';
import { BrowserRouter } from 'react-router-dom';
import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type Address, daysField, flagField, listField, pageField, readAddress, under, useAddress, writeAddress } from './use-address.ts';

const LISTED = {
  state: z.enum(['all', 'open', 'over']).default('all'),
  search: z.string().default(''),
  coin: under(
    ['coins'],
    z
      .string()
      .regex(/^[A-Z]+$/)
      .optional(),
  ),
  tags: listField(z.enum(['new', 'seed'])),
  unread: flagField,
  days: daysField('range', ['week', 'all'], 'week'),
  page: pageField,
};
const read = (text: string) => readAddress(LISTED, new URLSearchParams(text));
const USUAL = { state: 'all', search: '', coin: undefined, tags: [], unread: false, days: 'week', page: 1 };

describe('the text of an address', () => {
  test('what is written is read again, and what is as usual is not written', () => {
    const shown = {
      state: 'open',
      search: 'a & b',
      coin: 'BTC',
      tags: ['seed', 'new'],
      unread: true,
      days: { from: '2026-10-01', to: '2026-10-31' },
      page: 3,
    } as const satisfies Address<typeof LISTED>;
    const written = writeAddress(LISTED, new URLSearchParams(), shown);
    expect(readAddress(LISTED, written)).toEqual(shown);
    expect([...written.keys()].sort()).toEqual(['coins', 'from', 'page', 'search', 'state', 'tags', 'to', 'unread']);
    expect(writeAddress(LISTED, written, { ...shown, ...USUAL, state: 'all', days: 'week' }).toString()).toBe('');
    expect(writeAddress(LISTED, written, { ...shown, days: 'all' }).get('from')).toBeNull();
  });
  test('nonsense is as if it were not there, and takes nothing else along', () => {
    expect(read('')).toEqual(USUAL);
    expect(read('state=odd&coins=%3Cb%3E&tags=old,&unread=1&range=month&from=2026-02-30&to=2026-03-01&page=0')).toEqual(USUAL);
    expect(read('from=2026-03-02&to=2026-03-01').days).toBe('week');
    expect(['-1', '1.5', 'x', '100001'].map((page) => read(`page=${page}&state=over`))).toEqual(
      Array.from({ length: 4 }, () => ({ ...USUAL, state: 'over' })),
    );
    expect(read('tags=new,old,new,seed').tags).toEqual(['new', 'seed']);
  });
  test('another part of the page keeps its keys', () =>
    expect(writeAddress({ search: LISTED.search }, new URLSearchParams('page=2&x=1&search=a'), { search: '' }).toString()).toBe(
      'page=2&x=1',
    ));
  test('a list begins again at its first page when anything else of it changes', () => {
    const before = new URLSearchParams('search=a&page=4');
    expect(writeAddress(LISTED, before, { state: 'open' }).toString()).toBe('search=a&state=open');
    expect(writeAddress(LISTED, before, { page: 5 }).toString()).toBe('search=a&page=5');
  });
});

let shown: Address<typeof LISTED>;
let change: ReturnType<typeof useAddress<typeof LISTED>>[1];
function Page({ usually }: { usually?: 'push' }) {
  const address = useAddress(LISTED, usually);
  useEffect(() => {
    [shown, change] = address;
  }, [address]);
  return null;
}

describe('the address of a page', () => {
  const open = (page: React.ReactNode) => render(<BrowserRouter>{page}</BrowserRouter>);
  beforeEach(() => window.history.replaceState(null, '', '/list?x=1&page=2'));

  test('two changes in a row are both kept', () => {
    open(<Page />);
    act(() => {
      change({ search: 'eth' });
      change({ coin: 'ETH' });
    });
    expect(window.location.search).toBe('?x=1&search=eth&coins=ETH');
    expect(shown).toEqual({ ...USUAL, search: 'eth', coin: 'ETH' });
  });
  test('back undoes a change only where that is wished, and what changes nothing is no step', () => {
    open(<Page />);
    const before = window.history.length;
    act(() => change({ state: 'over' }));
    expect(window.history.length).toBe(before);
    act(() => change({ state: 'open' }, 'push'));
    act(() => change({ state: 'open' }, 'push'));
    expect(window.history.length).toBe(before + 1);
  });
  test('a page says once that each change is a step', () => {
    open(<Page usually="push" />);
    const before = window.history.length;
    act(() => change({ state: 'over' }));
    expect(window.history.length).toBe(before + 1);
  });
});

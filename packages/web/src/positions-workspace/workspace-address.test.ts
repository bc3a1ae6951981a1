import { expect, test } from 'vitest';
import { readAddress, writeAddress } from '../platform/use-address.ts';
import { ofMode, WORKSPACE } from './workspace-address.ts';

const ID = '0190a0b0-0000-7000-8000-000000000000';
const BOT = '0190a0b0-0000-7000-8000-00000000000b';

test('what is written is read again, and the usual is left out', () => {
  const changes = {
    mode: 'paper',
    position: ID,
    search: 'eth',
    bot: BOT,
    state: 'no-stop',
    sort: { by: 'atRisk', descending: false },
  } as const;
  const written = writeAddress(WORKSPACE, new URLSearchParams(), changes);
  expect(readAddress(WORKSPACE, written)).toEqual(changes);
  const usual = { search: '', bot: undefined, state: undefined, position: undefined, sort: { by: 'value', descending: true } } as const;
  expect(writeAddress(WORKSPACE, written, usual).toString()).toBe('mode=paper');
});

test('nonsense is as if it were not there', () => {
  const odd = new URLSearchParams('mode=test&position=%3Cb%3E&by=me&state=odd&sort=size');
  expect(readAddress(WORKSPACE, odd)).toEqual(readAddress(WORKSPACE, new URLSearchParams()));
});

test('the other money has no filter, no choice and no page of this one', () => {
  const query = new URLSearchParams(`position=${ID}&by=hand&coins=BTC&page=3&order=symbol-asc&sort=-result`);
  expect(ofMode(query, 'paper').toString()).toBe('order=symbol-asc&sort=-result&mode=paper');
  expect(ofMode(new URLSearchParams('mode=paper&bots=x'), 'live').toString()).toBe('');
});

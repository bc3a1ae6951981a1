import { expect, test } from 'vitest';
import { refusalOf } from './mail-refusal.ts';

/** As nodemailer tells it. */
const refused = (response: string, command = 'RCPT TO') =>
  refusalOf(
    'mail',
    Object.assign(new Error(response), { code: 'EENVELOPE', command, response, responseCode: Number(response.slice(0, 3)) }),
  );

test.each([
  ['550 no such user', { permanent: true, address: true }],
  ['550 5.1.1 user unknown', { permanent: true, address: true }],
  ['550-5.1.1 user unknown, in\r\n550 5.1.1 two lines', { permanent: true, address: true }],
  ['550 5.2.1 mailbox disabled', { permanent: true, address: true }],
  ['552 5.2.2 mailbox full', { permanent: true, address: false }],
  // What is thought of us waits for the operator, and is no word about the address of anybody.
  ['550 5.7.1 unable to relay', { permanent: false, address: false }],
  ['554 5.7.1 client host blocked', { permanent: false, address: false }],
  ['553-5.7.1 sender not owned by user', { permanent: false, address: false }],
  ['550 5.1.8 sender domain not found', { permanent: false, address: false }],
  ['504 5.5.2 sender needs a full name', { permanent: false, address: false }],
  ['450 4.1.8 later', { permanent: false, address: false }],
])('beside a receiver: %s', (response, refusal) => {
  expect(refused(response)).toEqual(refusal);
});

test('a text that is refused is refused for good, and its address stays good', () => {
  expect(refused('550 5.7.1 looks like spam', 'DATA')).toEqual({ permanent: true, address: false });
});

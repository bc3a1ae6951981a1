import { expect, test } from 'vitest';
import { readMail } from './read-mail.ts';

test('quoted-printable text, folded and encoded headers', () => {
  const source =
    'To: ada@example.com\r\nSubject: =?UTF-8?Q?Do=C4=9Frulama?=\r\n =?UTF-8?B?IGtvZHU=?=\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nMerhaba =C5=9Fey=\r\n!\r\n';
  const { headers, body } = readMail(source);
  expect(headers.get('subject')).toBe('Doğrulama kodu');
  expect(headers.get('to')).toBe('ada@example.com');
  expect(body).toBe('Merhaba şey!\n');
});
test('base64 and plain text', () => {
  expect(readMail('Content-Transfer-Encoding: base64\n\naGVsbG8=\n').body).toBe('hello');
  expect(readMail('X: y\n\nplain = text\n').body).toBe('plain = text\n');
});

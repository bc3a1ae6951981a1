import { expect, test } from 'vitest';
import { credentialsApart } from './url-credentials.ts';

test('credentials move from the URL into a header; other URLs stay as they are', () => {
  const { url, headers } = credentialsApart('https://us%40er:pa%3Ass@sms.example/send?x=1');
  expect(url).toBe('https://sms.example/send?x=1');
  expect(headers.authorization).toBe(`Basic ${Buffer.from('us@er:pa:ss').toString('base64')}`);
  expect(credentialsApart('https://u:100%@h/').headers.authorization).toBe(`Basic ${Buffer.from('u:100%').toString('base64')}`);
  expect(credentialsApart('https://sms.example/send')).toEqual({ url: 'https://sms.example/send', headers: {} });
});

import { expect, test } from 'vitest';
import { requireStrongPassword } from './password-strength.ts';

const own = ['captain', 'captain@example.com'];

test.each(['plain walking stick', 'x7#Kq!p9wz', 'göreceğiz bakalım'])('%s is accepted', async (password) => {
  await expect(requireStrongPassword(password, own, 'password')).resolves.toBeUndefined();
});

test.each([
  ['summer22', 'weak_password'],
  ['password', 'weak_password'],
  ['aaaaaaaaaaaaaaaa', 'weak_password'],
  ['captain@example.com', 'own_field'],
])('%s is refused as %s', async (password, code) => {
  await expect(requireStrongPassword(password, own, 'newPassword')).rejects.toMatchObject({
    code: 'weak-password',
    fields: [{ path: 'newPassword', code }],
  });
});

test('the longest password allowed is judged in a moment', async () => {
  await requireStrongPassword('warm up the lists', own, 'password');
  // By the time of the processor: a busy machine must not make a password too long.
  const started = process.cpuUsage();
  await requireStrongPassword(`plain walking stick ${'abc1!'.repeat(47)}`, own, 'password');
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(500);
});

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

test('is judged by its beginning: the estimate of a long one would take seconds', async () => {
  const strong = 'plain walking stick abc1!';
  await requireStrongPassword(`${strong} and more`, own, 'password');
  await expect(requireStrongPassword(`${'a'.repeat(40)}${strong}`, own, 'password')).rejects.toMatchObject({ code: 'weak-password' });
});

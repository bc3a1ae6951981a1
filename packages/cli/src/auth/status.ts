import { type Account, accountContract } from '@pilotfish/core/account/account-contract';
import { AppError } from '@pilotfish/core/http/problem';
import type { Context } from '../app/context.ts';
import { type Column, printOne } from '../ui/output.ts';

type Status = Pick<Account, 'username' | 'email' | 'exchanges'> & {
  url: string;
  profile: string;
  store: string;
  expiresAt: string | null;
  roles: string[];
};

const columns: readonly Column<Status>[] = [
  { key: 'username', value: ({ username }) => username, shown: ({ username }, paint) => paint.bold(username) },
  { key: 'email', value: ({ email }) => email },
  { key: 'roles', value: ({ roles }) => roles.join(' ') },
  {
    key: 'exchanges',
    value: ({ exchanges }) => exchanges.map(({ name, tradeEnabled }) => (tradeEnabled ? name : `${name} (read)`)).join(' '),
  },
  { key: 'url', value: ({ url }) => url },
  { key: 'profile', value: ({ profile }) => profile },
  { key: 'store', value: ({ store }) => store },
];

/** Who is signed in, where; exit code 4 when nobody is. */
export async function run(context: Context): Promise<void> {
  const live = await context.session();
  if (live.source === 'none') throw new AppError('unauthenticated');
  const client = await context.client(accountContract);
  const account = await client.getAccount();
  const { profile } = context;
  await printOne(
    context,
    { columns },
    {
      username: account.username,
      email: account.email,
      roles: account.claims.filter(({ name }) => name === 'role').map(({ value }) => value),
      exchanges: account.exchanges,
      url: profile.url,
      profile: profile.name,
      store: live.source === 'environment' ? 'PILOTFISH_TOKEN' : (profile.known()?.store ?? 'file'),
      expiresAt: live.stored()?.expiresAt ?? null,
    },
  );
}

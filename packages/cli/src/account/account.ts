import { writeFile } from 'node:fs/promises';
import { accountContract, type Limit, type StoredPreferences } from '@pilotfish/core/account/account-contract';
import { getRecoveryCodes, renewRecoveryCodes } from '@pilotfish/core/account/account-security-contract';
import { type Preferences, preferencesSchema } from '@pilotfish/core/account/preferences';
import { machineZone } from '../app/account-zone.ts';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, LocalFailure, UsageError } from '../app/failure.ts';
import { printOne, printRows, type Resource } from '../ui/output.ts';
import { confirm } from '../ui/prompt.ts';
import { localTime } from '../ui/times.ts';
import { type ProofOptions, proofHeader } from './step-up.ts';

type Shown = StoredPreferences & { username: string; email: string; emailConfirmed: boolean; roles: string; createdAt: string };

const accounts: Resource<Shown> = {
  empty: 'settings',
  columns: [
    { key: 'username', value: ({ username }) => username, shown: ({ username }, paint) => paint.bold(username) },
    { key: 'email', value: ({ email }) => email },
    { key: 'emailConfirmed', value: ({ emailConfirmed }) => String(emailConfirmed) },
    { key: 'roles', value: ({ roles }) => roles },
    { key: 'createdAt', value: ({ createdAt }) => createdAt, shown: ({ createdAt }) => localTime(createdAt) },
    ...(Object.keys(preferencesSchema.shape) as (keyof Preferences)[]).map((key) => ({
      key,
      // Only the time zone can be without a choice.
      value: (row: Shown) => String(row[key] ?? 'UTC'),
    })),
  ],
};

/** Who is signed in, and how the product looks and speaks to them. */
export async function show(context: Context): Promise<void> {
  const client = await context.client(accountContract);
  const [account, preferences] = await Promise.all([client.getAccount(), client.getPreferences()]);
  const roles = account.claims.flatMap(({ name, value }) => (name === 'role' ? [value] : [])).join(', ');
  await printOne(context, accounts, { ...account, ...preferences, roles });
}

/** What the account may have of each kind on this server, and has. */
export async function limits(context: Context): Promise<void> {
  const { items } = await (await context.client(accountContract)).listLimits();
  const t = await context.texts();
  const named: Resource<Limit> = {
    empty: 'entries',
    columns: [
      { key: 'quota', value: ({ quota }) => quota, shown: ({ quota }) => t(`account.limits.kinds.${quota}`, { defaultValue: quota }) },
      { key: 'used', value: ({ used }) => (used === null ? '' : String(used)), right: true },
      { key: 'limit', value: ({ limit }) => String(limit), right: true },
    ],
  };
  await printRows(context, named, items);
}

/** Changes one preference; `device` as the time zone is that of this machine. */
export async function set(context: Context, { key, value }: { key: string; value: string }): Promise<void> {
  const { shape } = preferencesSchema;
  if (!Object.hasOwn(shape, key)) throw new UsageError('unknownField', { field: key, fields: Object.keys(shape).join(', ') });
  const given = key === 'timeZone' && value === 'device' ? machineZone(context.env) : value;
  const client = await context.client(accountContract);
  await client.setPreferences({ body: { [key]: given } as Partial<Preferences> });
  await show(context);
}

const LOOK_MS = 300;

/** Everything the account owns, into a file or to stdout. */
export async function exportAll(context: Context, { file, ...proof }: ProofOptions & { file: string }): Promise<void> {
  const client = await context.client(accountContract);
  const headers = await proofHeader(context, proof);
  let status = await client.startAccountExport(undefined, { headers });
  while (status.state === 'running') {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    status = await client.getAccountExport();
  }
  if (status.state !== 'ready') throw new LocalFailure('exportFailed');
  const text = await client.downloadAccountExport();
  if (file === '-') context.stdout.write(text);
  else {
    await writeFile(file, text, { mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
      throw new LocalFailure('cannotWrite', { file, reason: error.code ?? '' });
    });
    await context.say('cli.account.exported', { file, rows: status.rows });
  }
  await client.deleteAccountExport();
}

/** Deletes the own account, after saying what that means. */
export async function remove(context: Context, proof: ProofOptions): Promise<void> {
  const client = await context.client(accountContract);
  const { username } = await client.getAccount();
  if (!(await confirm(context, 'cli.account.delete', { username }))) throw new Ended(EXIT.failed);
  const headers = await proofHeader(context, proof);
  await client.deleteAccount({ body: { username } }, { headers });
  await context.say('cli.account.deleted', { username });
}

type CodesLeft = { left: number; total: number; createdAt: string | null };
const codesLeft: Resource<CodesLeft> = {
  empty: 'settings',
  columns: [
    { key: 'left', value: ({ left }) => String(left), right: true },
    { key: 'total', value: ({ total }) => String(total), right: true },
    { key: 'createdAt', value: ({ createdAt }) => createdAt ?? '' },
  ],
};

/** How many are left; with `--renew` ten new ones, printed once. */
export async function recoveryCodes(context: Context, { renew, ...proof }: ProofOptions & { renew?: true }): Promise<void> {
  const client = await context.client({ getRecoveryCodes, renewRecoveryCodes });
  if (!renew) return printOne(context, codesLeft, await client.getRecoveryCodes());
  if (!(await confirm(context, 'cli.account.renew'))) throw new Ended(EXIT.failed);
  const headers = await proofHeader(context, proof, 'both');
  const answer = await client.renewRecoveryCodes(undefined, { headers });
  context.stdout.write(context.globals.json ? `${JSON.stringify(answer)}\n` : `${answer.recoveryCodes.join('\n')}\n`);
}

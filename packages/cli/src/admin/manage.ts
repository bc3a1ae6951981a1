import { readFile } from 'node:fs/promises';
import { type AdminAuditEntry, type AdminStats, type AdminUser, adminContract } from '@pilotfish/core/admin/admin-contract';
import { APP_SETTINGS, isSettingKey, SETTING_KEYS, type SettingValue } from '@pilotfish/core/admin/app-settings';
import { type AdminCurrency, type AdminTag, instanceContract, type ShownSetting } from '@pilotfish/core/admin/instance-contract';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, LocalFailure, UsageError } from '../app/failure.ts';
import { localTime, printOne, printRows, type Resource } from '../ui/output.ts';
import { confirm } from '../ui/prompt.ts';
import { wholeNumber } from '../ui/whole-number.ts';

const counts = (values: Record<string, number>) =>
  Object.entries(values)
    .map(([key, count]) => `${key} ${count}`)
    .join(', ');
const figures: Resource<AdminStats> = {
  empty: 'settings',
  columns: [
    ...(['users', 'activeSessions', 'ordersLastHour', 'alertsFired24h', 'streamLagMs', 'exchangeWeightUsed', 'databaseBytes'] as const).map(
      (key) => ({ key, value: (row: AdminStats) => String(row[key] ?? ''), right: true }),
    ),
    { key: 'botsByState', value: ({ botsByState }) => counts(botsByState) },
    { key: 'queueDepths', value: ({ queueDepths }) => counts(queueDepths) },
  ],
};
export async function stats(context: Context): Promise<void> {
  await printOne(context, figures, await (await context.client(adminContract)).getAdminStats());
}

const users: Resource<AdminUser> = {
  empty: 'settings',
  columns: [
    { key: 'username', value: ({ username }) => username, shown: ({ username }, paint) => paint.bold(username) },
    { key: 'email', value: ({ email }) => email },
    { key: 'roles', value: ({ roles }) => roles.join(', ') },
    { key: 'createdAt', value: ({ createdAt }) => createdAt, shown: ({ createdAt }) => localTime(createdAt) },
    {
      key: 'lastSeenAt',
      value: ({ lastSeenAt }) => lastSeenAt ?? '',
      shown: ({ lastSeenAt }) => (lastSeenAt ? localTime(lastSeenAt) : '–'),
    },
    { key: 'id', value: ({ id }) => id, shown: ({ id }, paint) => paint.dim(id) },
  ],
};
const pageOf = (page: string | undefined) => wholeNumber(page, '--page') ?? 1;

export async function listUsers(context: Context, { search, page }: { search?: string; page?: string }): Promise<void> {
  const client = await context.client(adminContract);
  const query = { page: pageOf(page), pageSize: 50, ...(search === undefined ? {} : { search }) };
  await printRows(context, users, (await client.listUsers({ query })).items);
}

/** The one user of that name, address or id. @throws LocalFailure `noSuchUser` (7) */
async function find(context: Context, wanted: string): Promise<AdminUser> {
  const client = await context.client(adminContract);
  const { items } = await client.listUsers({ query: { search: wanted, pageSize: 200 } });
  const same = (text: string) => text.toLowerCase() === wanted.toLowerCase();
  const found = items.find(({ id, username, email }) => same(username) || same(email) || same(id));
  if (found === undefined) throw new LocalFailure('noSuchUser', { wanted }, { exit: EXIT.notFound });
  return found;
}

/** Roles of a user, by commas; `none` takes them away. */
export async function setRoles(context: Context, { user, roles }: { user: string; roles?: string }): Promise<void> {
  const client = await context.client(adminContract);
  const found = await find(context, user);
  if (roles === undefined) return printOne(context, users, found);
  const wanted = roles === 'none' ? [] : roles.split(',').map((role) => role.trim());
  if (!(await confirm(context, 'cli.admin.setRoles', { user: found.username, roles }))) throw new Ended(EXIT.failed);
  await printOne(context, users, await client.setUserRoles({ params: { id: found.id }, body: { roles: wanted } }));
}

export async function removeUser(context: Context, { user }: { user: string }): Promise<void> {
  const client = await context.client(adminContract);
  const found = await find(context, user);
  if (!(await confirm(context, 'cli.admin.deleteUser', { user: found.username }))) throw new Ended(EXIT.failed);
  await client.deleteUser({ params: { id: found.id } });
  await context.say('cli.admin.userDeleted', { user: found.username });
}

const settings: Resource<ShownSetting> = {
  empty: 'settings',
  columns: [
    { key: 'key', value: ({ key }) => key, shown: ({ key }, paint) => paint.bold(key) },
    { key: 'value', value: ({ value }) => (Array.isArray(value) ? value.join(', ') : String(value)) },
    { key: 'default', value: (row) => (Array.isArray(row.default) ? row.default.join(', ') : String(row.default)) },
    { key: 'updatedAt', value: ({ updatedAt }) => updatedAt ?? '', shown: ({ updatedAt }) => (updatedAt ? localTime(updatedAt) : '') },
  ],
};
export async function listSettings(context: Context): Promise<void> {
  await printRows(context, settings, (await (await context.client(instanceContract)).listAppSettings()).items);
}

/** Sets one setting; lists take commas. Without a value its default is restored. */
export async function setSetting(context: Context, { key, value }: { key: string; value?: string }): Promise<void> {
  if (!isSettingKey(key)) throw new UsageError('unknownField', { field: key, fields: SETTING_KEYS.join(', ') });
  const client = await context.client(instanceContract);
  const { items } = await client.changeAppSettings({ body: { values: { [key]: value === undefined ? null : typed(key, value) } } });
  const changed = items.find((item) => item.key === key);
  if (changed) await printOne(context, settings, changed);
}

function typed(key: keyof typeof APP_SETTINGS, text: string): SettingValue {
  switch (APP_SETTINGS[key].kind) {
    case 'number':
      return Number(text);
    case 'switch':
      return /^(true|on|yes|1)$/i.test(text) ? true : /^(false|off|no|0)$/i.test(text) ? false : text;
    case 'urls':
      return text === '' ? [] : text.split(',').map((url) => url.trim());
    default:
      return text;
  }
}

const currencies: Resource<AdminCurrency> = {
  empty: 'settings',
  columns: [
    { key: 'code', value: ({ code }) => code, shown: ({ code }, paint) => paint.bold(code) },
    { key: 'name', value: ({ name }) => name },
    { key: 'precision', value: ({ precision }) => String(precision), right: true },
    { key: 'enabled', value: ({ enabled }) => String(enabled) },
    { key: 'sort', value: ({ sort }) => String(sort), right: true },
    { key: 'changed', value: ({ changed }) => String(changed) },
  ],
};
export async function listCurrencies(context: Context, { search, page }: { search?: string; page?: string }): Promise<void> {
  const client = await context.client(instanceContract);
  const query = { page: pageOf(page), pageSize: 50, ...(search === undefined ? {} : { search }) };
  await printRows(context, currencies, (await client.listAdminCurrencies({ query })).items);
}

type CurrencyOptions = {
  asset: string;
  label?: string;
  precision?: string;
  order?: string;
  enable?: true;
  disable?: true;
  icon?: string;
  reset?: true;
};
/** What this instance says of a currency. */
export async function setCurrency(context: Context, given: CurrencyOptions): Promise<void> {
  const client = await context.client(instanceContract);
  const code = given.asset.toUpperCase();
  if (given.reset) {
    await client.resetCurrency({ params: { code } });
    return context.say('cli.admin.currencyReset', { code });
  }
  const body = {
    ...(given.label === undefined ? {} : { name: given.label }),
    ...(given.precision === undefined ? {} : { precision: Number(given.precision) }),
    ...(given.order === undefined ? {} : { sort: Number(given.order) }),
    ...(given.enable || given.disable ? { enabled: given.enable === true } : {}),
  };
  if (Object.keys(body).length === 0 && given.icon === undefined) throw new UsageError('needsFlag', { flag: '--label' });
  let shown: AdminCurrency | undefined;
  if (Object.keys(body).length > 0) shown = await client.changeCurrency({ params: { code }, body });
  if (given.icon !== undefined) {
    const bytes = await readFile(given.icon).catch((error: NodeJS.ErrnoException) => {
      throw new LocalFailure('cannotRead', { file: given.icon ?? '', reason: error.code ?? '' });
    });
    shown = await client.setCurrencyIcon(
      { params: { code } },
      { file: new Blob([new Uint8Array(bytes)], { type: 'image/png' }), fileName: 'icon.png' },
    );
  }
  if (shown) await printOne(context, currencies, shown);
}

const tags: Resource<AdminTag> = {
  empty: 'settings',
  columns: [
    { key: 'key', value: ({ key }) => key, shown: ({ key }, paint) => paint.bold(key) },
    { key: 'labels', value: ({ labels }) => `${labels.en} / ${labels.tr}` },
    { key: 'builtIn', value: ({ builtIn }) => String(builtIn) },
    { key: 'assets', value: ({ assets }) => assets.join(' ') },
  ],
};
export async function listTags(context: Context): Promise<void> {
  await printRows(context, tags, (await (await context.client(instanceContract)).listAdminTags()).items);
}
type TagOptions = { tag: string; en?: string; tr?: string; coins?: string; remove?: true };
/** Adds a tag of this instance, changes what is named of it, or removes it. */
export async function setTag(context: Context, { tag: key, en, tr, coins, remove }: TagOptions): Promise<void> {
  const client = await context.client(instanceContract);
  if (remove) {
    await client.deleteTag({ params: { key } });
    return context.say('cli.admin.tagRemoved', { tag: key });
  }
  const known = (await client.listAdminTags()).items.find((each) => each.key === key && !each.builtIn);
  if (known === undefined && en === undefined) throw new UsageError('needsFlag', { flag: '--en' });
  const labels = { en: en ?? known?.labels.en ?? '', tr: tr ?? known?.labels.tr ?? en ?? '' };
  const assets =
    coins === undefined
      ? (known?.assets ?? [])
      : coins
          .toUpperCase()
          .split(/[\s,]+/)
          .filter((code) => code !== '');
  const changed = known
    ? await client.changeTag({ params: { key }, body: { labels, assets } })
    : await client.createTag({ body: { key, labels, assets } });
  await printOne(context, tags, changed);
}

const entries: Resource<AdminAuditEntry> = {
  empty: 'logs',
  columns: [
    { key: 'at', value: ({ at }) => at, shown: ({ at }) => localTime(at) },
    { key: 'account', value: ({ account }) => account ?? '' },
    { key: 'actor', value: ({ actor }) => actor ?? '' },
    { key: 'action', value: ({ action }) => action },
    { key: 'target', value: ({ target }) => target ?? '' },
    { key: 'outcome', value: ({ outcome }) => outcome },
    { key: 'address', value: ({ address }) => address },
    { key: 'details', value: ({ details }) => details ?? '', dataOnly: true },
  ],
};
export async function audit(context: Context, { search, page }: { search?: string; page?: string }): Promise<void> {
  const client = await context.client(adminContract);
  const query = { page: pageOf(page), pageSize: 50, ...(search === undefined ? {} : { user: search }) };
  await printRows(context, entries, (await client.listAdminAuditLog({ query })).items);
}

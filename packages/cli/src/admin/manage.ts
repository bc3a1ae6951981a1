import { readFile } from 'node:fs/promises';
import { type AdminStats, adminContract } from '@pilotfish/core/admin/admin-contract';
import { APP_SETTINGS, isSettingKey, SETTING_KEYS, type SettingValue } from '@pilotfish/core/admin/app-settings';
import { type AdminCurrency, type AdminTag, instanceContract, type ShownSetting } from '@pilotfish/core/admin/instance-contract';
import { fileForm } from '@pilotfish/core/http/file-form';
import { formatQuantity, UNKNOWN } from '@pilotfish/core/money/format';
import type { Context } from '../app/context.ts';
import { LocalFailure, UsageError } from '../app/failure.ts';
import type { Translate } from '../app/texts.ts';
import { counts, printOne, printRows, type Resource } from '../ui/output.ts';
import { count, pageOf, sayPage } from '../ui/paging.ts';
import { localTime } from '../ui/times.ts';

const figures = (t: Translate): Resource<AdminStats> => ({
  empty: 'settings',
  columns: [
    ...(['users', 'activeSessions', 'ordersLastHour', 'alertsFired24h', 'streamLagMs', 'exchangeWeightUsed', 'databaseBytes'] as const).map(
      (key) => ({
        key,
        value: (row: AdminStats) => String(row[key] ?? ''),
        shown: (row: AdminStats) => (row[key] === null ? UNKNOWN : formatQuantity(String(row[key]), 0)),
        right: true,
      }),
    ),
    {
      key: 'botsByState',
      value: ({ botsByState }) => counts(botsByState),
      shown: ({ botsByState }) => counts(botsByState, (state) => t(`botStates.${state}`)),
    },
    {
      key: 'queueDepths',
      value: ({ queueDepths }) => counts(queueDepths),
      shown: ({ queueDepths }) => counts(queueDepths, (queue) => t(`management.queue.${queue}`, { defaultValue: queue })),
    },
  ],
});
export async function stats(context: Context): Promise<void> {
  await printOne(context, figures(await context.texts()), await (await context.client(adminContract)).getAdminStats());
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

/** The value as its kind is written on the wire. @throws UsageError where the words cannot be one of that kind */
function typed(key: keyof typeof APP_SETTINGS, text: string): SettingValue {
  switch (APP_SETTINGS[key].kind) {
    case 'number':
      return count(text, key);
    case 'switch':
      if (/^(true|on|yes|1)$/i.test(text)) return true;
      if (/^(false|off|no|0)$/i.test(text)) return false;
      throw new UsageError('invalidValue', { word: key, allowed: 'on, off' });
    case 'urls':
      return text === '' ? [] : text.split(',').map((url) => url.trim());
    default:
      return text;
  }
}

const currencies: Resource<AdminCurrency> = {
  empty: 'currencies',
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
  const answer = await client.listAdminCurrencies({ query });
  await printRows(context, currencies, answer.items);
  await sayPage(context, answer);
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
  if (given.enable && given.disable) throw new UsageError('enableOrDisable');
  const body = {
    ...(given.label === undefined ? {} : { name: given.label }),
    ...(given.precision === undefined ? {} : { precision: count(given.precision, '--precision') }),
    ...(given.order === undefined ? {} : { sort: count(given.order, '--order') }),
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
      { form: fileForm(new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'icon.png') },
    );
  }
  if (shown) await printOne(context, currencies, shown);
}

const tags: Resource<AdminTag> = {
  empty: 'tags',
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

import {
  APP_SETTINGS,
  isSettingKey,
  SETTING_KEYS,
  type SettingKey,
  type SettingValue,
  type SettingValues,
} from '@pilotfish/core/admin/app-settings';
import type { ShownSetting } from '@pilotfish/core/admin/instance-contract';
import { AppError, type FieldError } from '@pilotfish/core/http/problem';
import type { Logger } from 'pino';
import type { AuthPolicy, Settings } from '../app/settings.ts';
import { foldName } from '../auth/accounts-store.ts';
import type { Database, Queries } from '../database/database.ts';

/** What holds where nothing was chosen, beside the table's own defaults: what the environment says. */
export type SettingDefaults = Partial<SettingValues>;

export const settingDefaults = ({ newsFeeds, auth }: Pick<Settings, 'newsFeeds' | 'auth'>): SettingDefaults => ({
  'news.feeds': [...newsFeeds],
  'sessions.accessMinutes': auth.accessTokenSeconds / 60,
  'sessions.signInDays': auth.refreshTokenSeconds / 86_400,
});

export type AppSettings = {
  /** The value in effect now. */
  get<Key extends SettingKey>(key: Key): SettingValues[Key];
  list(): ShownSetting[];
  /**
   * Stores what is named; null restores a default. Answers what was and what is, of what really changed.
   * @throws AppError `invalid` naming every value that does not fit
   */
  store(queries: Queries, values: Partial<Record<SettingKey, unknown>>, time: number): Promise<{ before: object; after: object }>;
  load(): Promise<void>;
};

export function appSettings(database: Database, defaults: SettingDefaults, log: Logger): AppSettings {
  let chosen = new Map<SettingKey, { value: SettingValue; updatedAt: number }>();
  const byDefault = (key: SettingKey): SettingValue => defaults[key] ?? APP_SETTINGS[key].default;
  const effective = (key: SettingKey): SettingValue => chosen.get(key)?.value ?? byDefault(key);
  return {
    get: (key) => effective(key) as never,
    list: () =>
      SETTING_KEYS.map((key) => {
        const updatedAt = chosen.get(key)?.updatedAt;
        return {
          key,
          value: effective(key),
          default: byDefault(key),
          updatedAt: updatedAt === undefined ? null : new Date(updatedAt).toISOString(),
        };
      }),
    store: async (queries, values, time) => {
      const given = (Object.entries(values) as [SettingKey, unknown][]).filter(([, value]) => value !== undefined);
      const fields: FieldError[] = [];
      const wanted = given.flatMap(([key, value]): [SettingKey, SettingValue | null][] => {
        if (value === null) return [[key, null]];
        const parsed = APP_SETTINGS[key].schema.safeParse(value);
        if (parsed.success) return [[key, parsed.data]];
        fields.push({ path: `values.${key}`, code: 'invalid_value', message: '', limit: boundsOf(key) });
        return [];
      });
      const asked = new Map(wanted);
      const mode = asked.get('registration.mode') ?? effective('registration.mode');
      const invite = asked.has('registration.inviteCode')
        ? (asked.get('registration.inviteCode') ?? '')
        : effective('registration.inviteCode');
      if (mode === 'invite' && String(invite).length < 8)
        fields.push({ path: 'values.registration.inviteCode', code: 'too_short', message: '', limit: '8' });
      const role = wanted.find(([key]) => key === 'registration.role');
      if (role !== undefined && role[1] !== null && role[1] !== '') {
        const roles = await queries.selectFrom('roles').select(['name', 'name_key']).orderBy('name_key').execute();
        const named = roles.find(({ name_key }) => name_key === foldName(String(role[1])));
        if (named) role[1] = named.name;
        else
          fields.push({
            path: 'values.registration.role',
            code: 'invalid_value',
            message: '',
            limit: roles.map(({ name }) => name).join(', ') || '–',
          });
      }
      if (fields.length > 0) throw new AppError('invalid', { fields });
      const [before, after]: Record<string, unknown>[] = [{}, {}];
      for (const [key, value] of wanted) {
        const next = value ?? byDefault(key);
        if (value !== null || chosen.has(key)) Object.assign(before ?? {}, { [key]: told(key, effective(key)) });
        if (value !== null || chosen.has(key)) Object.assign(after ?? {}, { [key]: told(key, next) });
        if (value === null) await queries.deleteFrom('app_settings').where('key', '=', key).execute();
        else {
          const row = { value: JSON.stringify(value), updated_at: time };
          await queries
            .insertInto('app_settings')
            .values({ key, ...row })
            .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
            .execute();
        }
      }
      return { before: before ?? {}, after: after ?? {} };
    },
    load: async () => {
      const next: typeof chosen = new Map();
      for (const { key, value, updated_at } of await database.queries.selectFrom('app_settings').selectAll().execute()) {
        const parsed = isSettingKey(key) ? APP_SETTINGS[key].schema.safeParse(JSON.parse(value)) : undefined;
        // A value of another version that no longer fits: the default holds, and the log says so.
        if (!isSettingKey(key) || !parsed?.success) log.warn({ key }, 'a stored setting is not known or does not fit; its default holds');
        else next.set(key, { value: parsed.data, updatedAt: updated_at });
      }
      chosen = next;
    },
  };
}

/** For the audit log: the invitation opens the door, and an address may carry a password. */
function told(key: SettingKey, value: SettingValue): SettingValue {
  if (key === 'registration.inviteCode' && value !== '') return '********';
  return Array.isArray(value) ? value.map((url) => url.replace(/\/\/[^/@]*@/, '//********@')) : value;
}

/** What is accepted, in a few characters. */
function boundsOf(key: SettingKey): string {
  const setting = APP_SETTINGS[key];
  switch (setting.kind) {
    case 'choice':
      return setting.choices.join(', ');
    case 'number':
      return `${setting.min}-${setting.max}`;
    case 'switch':
      return 'true, false';
    case 'text':
    case 'role':
      return `0-${setting.max}`;
    case 'urls':
      return `http, https × ${setting.max}`;
  }
}

/** The policy of sessions with what an Admin set for it, asked anew at each use. */
export const livePolicy = (policy: AuthPolicy, settings: Pick<AppSettings, 'get'>): AuthPolicy => ({
  ...policy,
  get accessTokenSeconds() {
    return Math.round(settings.get('sessions.accessMinutes') * 60);
  },
  get refreshTokenSeconds() {
    return Math.round(settings.get('sessions.signInDays') * 86_400);
  },
  get mostSessions() {
    return settings.get('quotas.sessions');
  },
  get idleSeconds() {
    return settings.get('sessions.idleHours') * 3600;
  },
});

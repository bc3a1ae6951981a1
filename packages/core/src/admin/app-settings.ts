import * as z from 'zod';
import { MOST_ALERTS } from '../price-alerts/price-alerts-contract.ts';

/** How a setting is asked for: what a form draws and a shell accepts. */
export type SettingKind =
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'number'; readonly min: number; readonly max: number }
  | { readonly kind: 'switch' }
  | { readonly kind: 'text'; readonly max: number; readonly long?: boolean }
  /** The name of a role that Admins made; empty for none. */
  | { readonly kind: 'role'; readonly max: number }
  | { readonly kind: 'urls'; readonly max: number };

export type AppSetting = SettingKind & {
  readonly schema: z.ZodType<SettingValue>;
  readonly default: SettingValue;
  /** Told to everybody by `GET /v1/app-config`. */
  readonly isPublic: boolean;
  /** True where a change counts only after the next start. */
  readonly needsRestart: boolean;
};
export type SettingValue = string | number | boolean | string[];

const more = { isPublic: false, needsRestart: false };
const choice = <const Choices extends readonly [string, ...string[]]>(choices: Choices, byDefault: Choices[number], isPublic = false) => ({
  ...more,
  kind: 'choice' as const,
  choices,
  schema: z.enum(choices),
  default: byDefault,
  isPublic,
});
const number = (min: number, max: number, byDefault: number) => ({
  ...more,
  kind: 'number' as const,
  min,
  max,
  schema: z.int().min(min).max(max),
  default: byDefault,
});
const text = (max: number, isPublic = false, long = false) => ({
  ...more,
  kind: 'text' as const,
  max,
  long,
  schema: z.string().trim().max(max),
  default: '',
  isPublic,
});

/**
 * Everything an Admin may set while the instance runs. The texts are `appSettings.<group>.<name>.label` and `.hint`.
 * Every one of them is in effect within seconds, in every process of the instance.
 */
export const APP_SETTINGS = {
  'registration.mode': choice(['open', 'invite', 'closed'], 'open', true),
  'registration.inviteCode': text(100),
  // As long as the names of roles.
  'registration.role': { ...text(40), kind: 'role' as const },
  // Apps refresh five minutes before the end, once a minute at most: shorter lives would end before their refresh.
  'sessions.accessMinutes': number(10, 1440, 720),
  'sessions.signInDays': number(1, 90, 30),
  'sessions.idleHours': number(0, 720, 0),
  'appearance.language': choice(['en', 'tr'], 'en', true),
  'appearance.theme': choice(['dark', 'light'], 'dark', true),
  'notice.en': text(500, true, true),
  'notice.tr': text(500, true, true),
  'news.feeds': {
    ...more,
    kind: 'urls' as const,
    max: 20,
    schema: z.array(z.url({ protocol: /^https?$/ }).max(500)).max(20),
    default: [] as string[],
  },
  'alerts.maxPerAccount': number(1, 100_000, MOST_ALERTS),
  'quotas.bots': number(1, 1000, 50),
  'quotas.coinsPerBot': number(1, 500, 200),
  'quotas.coins': number(1, 20_000, 1000),
  'quotas.wallets': number(1, 1000, 20),
  'quotas.coinFilters': number(1, 1000, 50),
  'quotas.botTemplates': number(1, 1000, 50),
  'quotas.imports': number(1, 10_000, 500),
  'quotas.importMegabytes': number(1, 100_000, 1000),
  'quotas.exportsPerDay': number(1, 100, 5),
  'quotas.pushBrowsers': number(1, 100, 10),
  'quotas.sessions': number(2, 1000, 50),
  'telegram.shown': { ...more, kind: 'switch' as const, schema: z.boolean(), default: true, isPublic: true },
  'retention.deletedAccountDays': number(30, 365, 30),
  'retention.botLogDays': number(0, 3650, 0),
} as const satisfies Record<string, AppSetting>;

export type SettingKey = keyof typeof APP_SETTINGS;
export type SettingValues = { [Key in SettingKey]: z.output<(typeof APP_SETTINGS)[Key]['schema']> };
export const SETTING_KEYS = Object.keys(APP_SETTINGS) as readonly SettingKey[];
export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(APP_SETTINGS, key);

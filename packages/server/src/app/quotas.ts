import type { Limit } from '@pilotfish/core/account/account-contract';
import type { SettingKey } from '@pilotfish/core/admin/app-settings';
import { AppError } from '@pilotfish/core/http/problem';
import type { Queries } from '../database/database.ts';
import type { Language } from '../http/texts.ts';
import type { AppContext } from './context.ts';

/** How many of a kind an account may have. Each is a setting that Admins change while the instance runs. */
const SETTING_OF = {
  bots: 'quotas.bots',
  coinsPerBot: 'quotas.coinsPerBot',
  coins: 'quotas.coins',
  wallets: 'quotas.wallets',
  coinFilters: 'quotas.coinFilters',
  botTemplates: 'quotas.botTemplates',
  alerts: 'alerts.maxPerAccount',
  imports: 'quotas.imports',
  importMb: 'quotas.importMegabytes',
  exports: 'quotas.exportsPerDay',
  browsers: 'quotas.pushBrowsers',
  sessions: 'quotas.sessions',
} as const satisfies Record<string, SettingKey>;
export type Quota = keyof typeof SETTING_OF;
export const QUOTAS = Object.keys(SETTING_OF) as readonly Quota[];

/** Where the rows of a quota are counted. */
const TABLE_OF = {
  bots: 'auto_trades',
  wallets: 'wallets',
  coinFilters: 'coin_filters',
  botTemplates: 'bot_templates',
  alerts: 'price_alerts',
  imports: 'import_batches',
  browsers: 'push_subscriptions',
} as const satisfies Partial<Record<Quota, string>>;
export type CountedQuota = keyof typeof TABLE_OF;

export type Quotas = ReturnType<typeof createQuotas>;

/** The quotas of accounts: what is there stays, what would go beyond is refused with the limit and the number in use. */
export function createQuotas({ instance, texts }: Pick<AppContext, 'instance' | 'texts'>) {
  const most = (quota: Quota): number => instance.settings.get(SETTING_OF[quota]);

  const refusal = (quota: Quota, used: number, language: Language): AppError => {
    const values = { limit: String(most(quota)), used: String(used) };
    const detail = texts.text(language, `quotas.${quota}`, values);
    // Forms show what is said of fields, others the detail: the sentence stands in both.
    return new AppError('quota-reached', {
      detail,
      fields: [{ path: '', code: 'quota', message: detail, limit: values.limit, actual: values.used }],
    });
  };
  /** @param more what is asked for besides @throws AppError `quota-reached` */
  const requireWithin = (quota: Quota, used: number, language: Language, more = 0): void => {
    if (used + more > most(quota)) throw refusal(quota, used, language);
  };

  const countIn = async (queries: Queries, accountId: string, quota: CountedQuota): Promise<number> => {
    const { count } = await queries
      .selectFrom(TABLE_OF[quota])
      .select((e) => e.fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    return Number(count);
  };
  /** Quotas of what is not simply rows of an account, counted by whoever keeps it. */
  const counters = new Map<Quota, (accountId: string) => number | Promise<number>>();

  return {
    most,
    requireWithin,
    /** Says how many of a kind an account has, where that is not the rows of a table. */
    countBy: (quota: Exclude<Quota, CountedQuota>, count: (accountId: string) => number | Promise<number>): void => {
      counters.set(quota, count);
    },
    /** Every quota with what the account has of it. */
    of: (queries: Queries, accountId: string): Promise<Limit[]> =>
      Promise.all(
        QUOTAS.map(async (quota) => ({
          quota,
          used:
            quota in TABLE_OF
              ? await countIn(queries, accountId, quota as CountedQuota)
              : ((await counters.get(quota)?.(accountId)) ?? null),
          limit: most(quota),
        })),
      ),
    /**
     * Room for one more, in the transaction that adds it: of two at once one is refused.
     * @throws AppError `quota-reached`
     */
    requireRoom: async (queries: Queries, accountId: string, quota: CountedQuota, language: Language): Promise<void> => {
      // Whoever writes the account's row first goes first: the count below is then of everything before.
      await queries
        .updateTable('accounts')
        .set((e) => ({ id: e.ref('id') }))
        .where('id', '=', accountId)
        .execute();
      const used = await countIn(queries, accountId, quota);
      if (used >= most(quota)) throw refusal(quota, used, language);
    },
  };
}

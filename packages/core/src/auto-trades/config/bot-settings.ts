import type * as z from 'zod';
import { autoTradeConfigSchema } from './auto-trade-config.ts';

/** What presets and templates leave to the person: which bot it is, whose money it moves, and in what. */
const OWN = { name: true, walletId: true, coins: true } as const;

/** The settings of a bot that fit every name, wallet and coin. */
export const botSettingsSchema = autoTradeConfigSchema.omit(OWN);
export type BotSettings = z.infer<typeof botSettingsSchema>;
export type BotSettingsInput = z.input<typeof botSettingsSchema>;

type Amounts = {
  readonly entry: { readonly size: { readonly mode: string; readonly value?: unknown } };
  readonly maxExposurePerCoin?: unknown;
  readonly protections?: { readonly dailyLoss?: { readonly amount: unknown } | null | undefined } | undefined;
};

/** Sums of money among settings, by what they limit; percentages fit every wallet. */
const amountsOf = ({ entry: { size }, maxExposurePerCoin, protections }: Amounts): readonly unknown[] => [
  size.mode === 'fixed' ? size.value : null,
  maxExposurePerCoin,
  protections?.dailyLoss?.amount,
];

/**
 * Whether a bot would take over a sum of money as one of another currency: 5,000 TRY an entry must not become 5,000 USDT.
 * @param template what its settings came from
 * @param currency that of the wallet
 */
export function takesForeignAmounts(
  settings: Amounts,
  template: { readonly currency: string | null; readonly settings: BotSettings | null },
  currency: string,
): boolean {
  if (template.settings === null || template.currency === null || template.currency === currency) return false;
  const theirs = amountsOf(template.settings);
  return amountsOf(settings).some((amount, index) => amount != null && amount !== '' && amount === theirs[index]);
}

/** The settings of a bot or of a draft without its name, wallet and coins. */
export function botSettingsOf<Config extends { name: unknown; walletId: unknown; coins: unknown }>(
  config: Config,
): Omit<Config, keyof typeof OWN> {
  const { name: _name, walletId: _wallet, coins: _coins, ...settings } = config;
  return settings;
}

import type * as z from 'zod';
import { autoTradeConfigSchema } from './auto-trade-config.ts';

/** What presets and templates leave to the person: which bot it is, whose money it moves, and in what. */
const OWN = { name: true, walletId: true, coins: true } as const;

/** The settings of a bot that fit every name, wallet and coin. */
export const botSettingsSchema = autoTradeConfigSchema.omit(OWN);
export type BotSettings = z.infer<typeof botSettingsSchema>;
export type BotSettingsInput = z.input<typeof botSettingsSchema>;

/** The settings of a bot or of a draft without its name, wallet and coins. */
export function botSettingsOf<Config extends { name: unknown; walletId: unknown; coins: unknown }>(
  config: Config,
): Omit<Config, keyof typeof OWN> {
  const { name: _name, walletId: _wallet, coins: _coins, ...settings } = config;
  return settings;
}

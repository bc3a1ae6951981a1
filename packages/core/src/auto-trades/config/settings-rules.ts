import type { ScreenerKnowledge } from '../../prices/screener-rules.ts';
import type { AutoTradeConfig } from './auto-trade-config.ts';
import { type BotSettings, botSettingsSchema } from './bot-settings.ts';
import { violatedRules } from './config-rules.ts';
import { type RuleFacts, type RuleViolation, STANDARD_TAKER_FEE } from './rule-facts.ts';

/** Of the name, the wallet and the coins: settings alone have none. */
const isOfSettings = ({ path }: RuleViolation): boolean => Object.hasOwn(botSettingsSchema.shape, path.split('.')[0] ?? '');

/** No coin, no wallet: rules about prices, lots and budgets find nothing to judge. */
const NO_FACTS: RuleFacts = {
  pair: () => undefined,
  price: () => undefined,
  takerFee: () => STANDARD_TAKER_FEE,
  wallet: undefined,
};

/**
 * Every rule that settings break for whatever wallet and coins they are used with later.
 * @param knowledge what conditions may ask; without it they are not checked
 */
export function violatedSettingsRules(settings: BotSettings, knowledge?: ScreenerKnowledge): RuleViolation[] {
  const config: AutoTradeConfig = { ...settings, name: '-', walletId: '', coins: { symbols: [], coinFilterIds: [] } };
  return violatedRules(config, knowledge === undefined ? NO_FACTS : { ...NO_FACTS, knowledge }).filter(isOfSettings);
}

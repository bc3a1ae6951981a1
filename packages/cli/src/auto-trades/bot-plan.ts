import type { AutoTrade, PositionChange } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { AutoTradeConfig } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { autoTradeConfigSchema } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import type { Translate } from '../app/texts.ts';
import { type Checked, checkBot } from './bot-check.ts';
import { type Names, type Problem, toFile } from './bot-names.ts';
import type { BotSource, Draft } from './bot-source.ts';
import type { BotsClient } from './find-bot.ts';
import { type SettingChange, settingsDiff } from './settings-diff.ts';

/** What has to be done so that one bot of the server is as its file says. */
export type PlannedBot = {
  readonly name: string;
  readonly file: string;
  readonly action: 'create' | 'change' | 'nothing';
  readonly bot: AutoTrade | undefined;
  readonly config: AutoTradeConfig;
  readonly diff: readonly SettingChange[];
  readonly openPositions: readonly PositionChange[];
};

export type Plan = {
  readonly bots: readonly PlannedBot[];
  /** Bots of the server that no file names. */
  readonly unlisted: readonly AutoTrade[];
  readonly wrong: readonly { source: BotSource; problems: readonly Problem[] }[];
};

/** Settings that a new bot has unless its file says otherwise; what must be chosen is not among them. */
function usualSettings(config: AutoTradeConfig, names: Names): Draft {
  const { walletId, coins } = config;
  const usual = autoTradeConfigSchema.parse({ name: 'x', walletId, coins, entry: {}, stopLoss: { mode: 'none' } });
  const { name: _name, wallet: _wallet, walletId: _id, coins: _coins, stopLoss: _stop, ...others } = toFile(usual, names);
  return others;
}

/** Compares files with the bots of the server. A bot is known by its name; the files' order is kept. */
export async function planBots(
  client: BotsClient,
  sources: readonly BotSource[],
  { names, t, applyToOpen }: { names: Names; t: Translate; applyToOpen: boolean },
): Promise<Plan> {
  const existing = await client.listAutoTrades();
  const files = new Map<string, BotSource>();
  const wrong: { source: BotSource; problems: readonly Problem[] }[] = [];
  const bots: PlannedBot[] = [];
  for (const source of sources) {
    const name = typeof source.draft.name === 'string' ? source.draft.name.trim() : '';
    const twin = files.get(name);
    if (name !== '' && twin) {
      const message = t('cli.bots.nameTwice', { name, file: twin.file, line: twin.lineOf('name') });
      wrong.push({ source, problems: [{ path: 'name', code: 'nameTwice', message }] });
      continue;
    }
    files.set(name, source);
    const bot = existing.find((each) => each.name === name);
    const checked = await checkBot(client, source.draft, { names, t, bot, applyToOpen });
    if (checked.config) bots.push(planned(source, checked, checked.config, bot, names));
    else wrong.push({ source, problems: checked.problems });
  }
  return { bots, unlisted: existing.filter(({ name }) => !files.has(name)), wrong };
}

function planned(source: BotSource, checked: Checked, config: AutoTradeConfig, bot: AutoTrade | undefined, names: Names): PlannedBot {
  const before = bot ? toFile(bot.config, names) : usualSettings(config, names);
  const diff = settingsDiff(before, toFile(config, names));
  // Positions that were opened under older settings can differ although the settings do not.
  const isSame = diff.length === 0 && checked.openPositions.length === 0;
  const action = bot === undefined ? 'create' : isSame ? 'nothing' : 'change';
  return {
    name: config.name,
    file: source.file,
    action,
    bot,
    config,
    diff,
    openPositions: checked.openPositions,
  };
}

import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { createAutoTrade, enableAutoTrade, getAutoTrade, updateAutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { newDraft } from '@pilotfish/core/auto-trades/config/bot-draft';
import { botDraftActors } from '@pilotfish/core/auto-trades/config/bot-draft-api';
import { botDraftMachine } from '@pilotfish/core/auto-trades/config/bot-draft-machine';
import { listPairs } from '@pilotfish/core/prices/prices-contract';
import { listCoinFilters } from '@pilotfish/core/prices/screener-contract';
import { walletsContract } from '@pilotfish/core/wallets/wallets-contract';
import type { Context } from '../../app/context.ts';
import { EXIT } from '../../app/exit-codes.ts';
import { LocalFailure } from '../../app/failure.ts';
import { loadOptions } from '../../screen/screen-question.ts';
import { ask } from '../../ui/prompt.ts';
import { unchecked } from '../../ui/unchecked.ts';
import { loadTemplates } from '../bot-templates.ts';
import type { Facts } from './create-questions.ts';
import { CreateBotWizard } from './create-wizard.tsx';

const CALLS = { createAutoTrade, updateAutoTrade, getAutoTrade, enableAutoTrade };

/** `start`: the person wants it to trade; it is saved, not yet enabled. */
export type MadeBot = { readonly bot: AutoTrade; readonly start: boolean };

/**
 * Asks for the settings of a new bot and saves it, disabled. Undefined for a dry run.
 * @throws LocalFailure `noWallet` where there is none to trade with
 */
export async function askForBot(context: Context, isDryRun: boolean): Promise<MadeBot | undefined> {
  const [facts, client] = await Promise.all([loadFacts(context), context.client(CALLS)]);
  const [wallet] = facts.wallets;
  if (!wallet) throw new LocalFailure('noWallet', {}, { exit: EXIT.conflict });
  const machine = botDraftMachine.provide({ actors: botDraftActors(client) });
  const initial = newDraft(wallet.id, []);
  return ask<MadeBot | undefined>(context, (ending) => <CreateBotWizard {...ending} {...{ context, machine, initial, facts, isDryRun }} />);
}

async function loadFacts(context: Context): Promise<Facts> {
  const client = await context.client({ listWallets: walletsContract.listWallets, listCoinFilters, listPairs: unchecked(listPairs) });
  const [wallets, filters, pairs, options, templates] = await Promise.all([
    client.listWallets(),
    client.listCoinFilters(),
    client.listPairs(),
    loadOptions(context),
    loadTemplates(context),
  ]);
  return {
    wallets,
    filters,
    templates,
    pairs: new Set(pairs.map(({ symbol }) => symbol)),
    options,
    words: {
      language: context.language,
      names: new Map([...wallets, ...filters].map(({ id, name }) => [id, name])),
      options: new Map(options.filter.map((option) => [option.key, option])),
    },
  };
}

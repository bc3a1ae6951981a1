import { autoTradeActionsContract } from '@pilotfish/core/auto-trades/auto-trade-actions-contract';
import { type AutoTrade, autoTradesContract } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { botFiguresContract } from '@pilotfish/core/auto-trades/bot-figures-contract';
import { botTemplatesContract } from '@pilotfish/core/auto-trades/bot-templates-contract';
import type { Client } from '@pilotfish/core/http/client';
import type { Context } from '../app/context.ts';
import { findByName } from '../app/find.ts';

const botCalls = { ...autoTradesContract, ...botFiguresContract, ...botTemplatesContract, ...autoTradeActionsContract };
export type BotsClient = Client<typeof botCalls>;
export const botsClient = (context: Context): Promise<BotsClient> => context.client(botCalls);

/** The bot meant by a name, an id or the beginning of one. */
export async function findBot(client: BotsClient, wanted: string): Promise<AutoTrade> {
  return findByName('bot', await client.listAutoTrades(), wanted);
}

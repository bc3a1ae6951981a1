import { type MarketChoice, marketToRest } from '@pilotfish/core/admin/market-choice-contract';
import { AppError } from '@pilotfish/core/http/problem';
import type { AppContext } from '../app/context.ts';
import { restsByMarket } from '../database/market-rests.ts';
import type { Handlers } from '../http/endpoint-handler.ts';
import type { Market } from './market.ts';

/** Which market the server works with, and the way to another. The guard has asked for the role before this runs. */
export function marketChoice(
  { audit, database, instance, log, marketDecision, marketSource }: AppContext,
  market: Pick<Market, 'loaded' | 'trouble'>,
): Pick<Handlers, 'getMarketChoice' | 'chooseMarket'> {
  const shown = async (): Promise<MarketChoice> => ({
    market: marketSource,
    decidedBy: marketDecision.by,
    reachable: market.loaded,
    ...(market.trouble && { trouble: market.trouble }),
    changingTo: marketDecision.changingTo,
    rests: await restsByMarket(database, marketSource),
  });
  return {
    getMarketChoice: shown,
    chooseMarket: async ({ body: { market: chosen, rest }, account, origin }) => {
      if (marketDecision.by === 'environment') throw new AppError('not-possible-now', { parameters: { context: 'market_fixed' } });
      if (marketDecision.changingTo !== null) throw new AppError('not-possible-now', { parameters: { context: 'market_changing' } });
      const left = rest ? undefined : marketToRest(await shown(), chosen);
      if (left) {
        const { runningBots: bots, liveOpenPositions: positions } = left;
        throw new AppError('in-use', { parameters: { context: 'market', bots, positions } });
      }
      await database.transaction(async (queries) => {
        await marketDecision.store(chosen, queries);
        await instance.bump('settings', queries);
        const details = { market: chosen, before: marketSource, rest };
        await audit.record({ accountId: account.id, action: 'admin.change-market', origin, details }, queries);
      });
      log.info({ market: chosen, before: marketSource }, 'an Admin chose the market');
      marketDecision.settle(chosen);
      await instance.refresh();
      return shown();
    },
  };
}

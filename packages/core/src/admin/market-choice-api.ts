import { fromPromise } from 'xstate';
import type { Client } from '../http/client.ts';
import { AppError, toAppError } from '../http/problem.ts';
import type { MarketSource } from '../prices/prices-contract.ts';
import type { Timers } from '../time/timers.ts';
import type { MarketChoice, marketChoiceContract } from './market-choice-contract.ts';

const LOOK_MS = 500;
/** A server begins again within seconds. One that does not come back by then is looked at by a person. */
const LOOKS = 120;
/** Prices of an exchange are there within seconds, or it is not reached. */
const LOOKS_FOR_PRICES = 30;

/** The calls of the market-choice machine, as its `provide({ actors })` wants them. */
export const marketChoiceActors = (client: Client<typeof marketChoiceContract>, timers: Pick<Timers, 'wait'>) => ({
  getChoice: fromPromise<MarketChoice>(({ signal }) => client.getMarketChoice(undefined, { signal })),
  chooseMarket: fromPromise<MarketChoice, { market: MarketSource; rest: boolean }>(({ input, signal }) =>
    client.chooseMarket({ body: input }, { signal }),
  ),
  awaitServer: fromPromise<MarketChoice, { market: MarketSource }>(async ({ input, signal }) => {
    let waited = 0;
    for (let look = 1; ; look += 1) {
      await timers.wait(LOOK_MS);
      signal.throwIfAborted();
      try {
        const choice = await client.getMarketChoice(undefined, { signal, quiet: true });
        if (choice.market === input.market && choice.changingTo === null) {
          waited += 1;
          if (choice.reachable || waited >= LOOKS_FOR_PRICES) return choice;
        }
      } catch (error) {
        // It refuses connections while it begins again.
        if (look >= LOOKS) throw toAppError(error);
      }
      if (look >= LOOKS) throw new AppError('timeout');
    }
  }),
});

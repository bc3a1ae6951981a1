import { marketChoiceActors } from '@pilotfish/core/admin/market-choice-api';
import { type MarketChoice, marketChoiceContract, marketToRest } from '@pilotfish/core/admin/market-choice-contract';
import { marketChoiceMachine } from '@pilotfish/core/admin/market-choice-machine';
import { AppError } from '@pilotfish/core/http/problem';
import type { MarketSource } from '@pilotfish/core/prices/prices-contract';
import { createActor, waitFor } from 'xstate';
import { confirm } from '../ui/prompt.ts';
import type { Context } from './context.ts';
import { EXIT } from './exit-codes.ts';
import { Ended, ShownFailure } from './failure.ts';

/**
 * Lets the server work with another market and waits until it is back with it. The question before that names the bots and
 * live positions that are left at the present market; where there are none it is left out if the market `isAgreed`.
 * @throws Ended where the answer is no
 * @throws AppError `not-possible-now` where PILOTFISH_EXCHANGE decides, ShownFailure where the server refuses or stays away
 */
export async function changeMarket(context: Context, market: MarketSource, { isAgreed = false } = {}): Promise<MarketChoice> {
  const [t, client] = await Promise.all([context.texts(), context.client(marketChoiceContract)]);
  const wait = (milliseconds: number) => new Promise<void>((resolve) => void context.timers.setTimeout(resolve, milliseconds));
  const actor = createActor(marketChoiceMachine.provide({ actors: marketChoiceActors(client, { wait }) }));
  const settled = () => waitFor(actor, (snapshot) => !snapshot.hasTag('busy'));
  const nameOf = (each: MarketSource) => t(`exchange.${each}.name`);
  let isChanged = false;
  actor.on('market.changed', () => {
    isChanged = true;
  });
  actor.subscribe((snapshot) => {
    if (snapshot.matches('restarting')) void context.say('cli.market.restarting', { market: nameOf(market) });
  });
  actor.start();
  try {
    let snapshot = await settled();
    for (let isRestKnown = false; ; ) {
      const { choice, problem } = snapshot.context;
      if (!choice || snapshot.matches('unknown')) throw new ShownFailure(problem ?? { code: 'internal' });
      const left = marketToRest(choice, market);
      // Bots that began to run after the question are asked for once more.
      const isAskedAgain = problem?.code === 'in-use' && left !== undefined && !isRestKnown;
      if (problem && !isAskedAgain) throw new ShownFailure(problem);
      if (isChanged || (choice.market === market && choice.decidedBy !== 'default')) return choice;
      if (choice.decidedBy === 'environment')
        throw new AppError('not-possible-now', { detail: t('errors.not-possible-now.detail_market_fixed') });
      const present = nameOf(choice.market);
      const isSure = left
        ? await confirm(context, 'cli.market.leaves', {
            market: nameOf(market),
            present,
            bots: left.runningBots,
            positions: left.liveOpenPositions,
          })
        : isAgreed || choice.market === market || (await confirm(context, 'cli.market.change', { market: nameOf(market), present }));
      if (!isSure) throw new Ended(EXIT.failed);
      isRestKnown = left !== undefined;
      actor.send({ type: 'market.chosen', market });
      if (actor.getSnapshot().matches('confirming')) actor.send({ type: 'change.confirmed' });
      snapshot = await settled();
    }
  } finally {
    actor.stop();
  }
}

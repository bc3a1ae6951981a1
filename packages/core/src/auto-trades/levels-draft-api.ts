import { fromPromise } from 'xstate';
import type { Client } from '../http/client.ts';
import type { moveAutoTradePositionLevels } from './auto-trade-actions-contract.ts';
import { askedOf } from './levels-draft.ts';
import type { LevelsAnswer, LevelsCheckInput, LevelsMoveInput } from './levels-draft-machine.ts';

type Calls = { moveAutoTradePositionLevels: typeof moveAutoTradePositionLevels };

/** The calls of the levels draft, as its `provide({ actors })` wants them. A check changes nothing. */
export function levelsDraftActors(client: Client<Calls>, botId: string) {
  const send = (
    { level: { positionId, field }, price }: LevelsCheckInput,
    how: { validateOnly: true } | { sellNow: boolean },
    signal?: AbortSignal,
  ): Promise<LevelsAnswer> =>
    client.moveAutoTradePositionLevels(
      { params: { id: botId, positionId }, body: { ...askedOf(field, price), ...how } as never },
      { quiet: true, check: 'validateOnly' in how, ...(signal && { signal }) },
    );
  return {
    check: fromPromise<LevelsAnswer, LevelsCheckInput>(({ input, signal }) => send(input, { validateOnly: true }, signal)),
    // No abort signal: a level that was sent may have moved, whether somebody waits or not.
    move: fromPromise<LevelsAnswer, LevelsMoveInput>(({ input }) => send(input, { sellNow: input.sellNow })),
  };
}

import { fromPromise } from 'xstate';
import type { Client } from '../../http/client.ts';
import type { AutoTrade, createAutoTrade, enableAutoTrade, getAutoTrade, updateAutoTrade } from '../auto-trades-contract.ts';
import { askable } from './bot-draft.ts';
import type { BotDraftInput, BotDraftSaveInput, SavedBot } from './bot-draft-machine.ts';

type Calls = {
  createAutoTrade: typeof createAutoTrade;
  updateAutoTrade: typeof updateAutoTrade;
  getAutoTrade: typeof getAutoTrade;
  enableAutoTrade: typeof enableAutoTrade;
};
type Given = BotDraftInput & Partial<BotDraftSaveInput>;

/** The calls of the bot-draft machine, as its `provide({ actors })` wants them. A draft is judged without being saved. */
export function botDraftActors(client: Client<Calls>) {
  const send = ({ draft, editing, sellNow = false, idempotencyKey }: Given, signal?: AbortSignal): Promise<SavedBot> => {
    // A draft is looser than the contract on purpose: what is wrong with it is the server's to say.
    const body = askable(draft).body as never;
    const check = idempotencyKey === undefined;
    const query = { validateOnly: flag(check) };
    const ways = { quiet: true, check, ...(signal && { signal }) };
    return editing
      ? client.updateAutoTrade(
          {
            params: { id: editing.id },
            query: { ...query, version: editing.version, applyToOpen: flag(editing.applyToOpen), sellNow: flag(sellNow) },
            body,
          },
          ways,
        )
      : client.createAutoTrade({ query, body }, { ...ways, ...(idempotencyKey !== undefined && { idempotencyKey }) });
  };
  return {
    check: fromPromise<SavedBot, BotDraftInput>(({ input, signal }) => send(input, signal)),
    // No abort signal: a save that was sent may have happened, whether somebody waits or not.
    save: fromPromise<SavedBot, BotDraftSaveInput>(({ input }) => send(input)),
    getNewest: fromPromise<AutoTrade, { id: string }>(({ input, signal }) =>
      client.getAutoTrade({ params: input }, { signal, quiet: true }),
    ),
    // No abort signal here either. What would be sold at once is not agreed to: the bot's own page asks for that.
    start: fromPromise<AutoTrade, { id: string; version: number }>(({ input: { id, version } }) =>
      client.enableAutoTrade({ params: { id }, body: { acknowledge: false, version } }, { quiet: true }),
    ),
  };
}

const flag = (is: boolean) => String(is) as 'true' | 'false';

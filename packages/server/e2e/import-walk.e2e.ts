import { type MachinePath, title } from '@pilotfish/core/testing/machine-paths';
import { TIER } from '@pilotfish/core/testing/tiers';
import { importFileText, pathsOfAnImport, pathsOfEachImportStep } from '@pilotfish/core/testing/trade-import-paths';
import { type ImportAnswer, importQueryOf } from '@pilotfish/core/trade-import/trade-import-contract';
import { type TradeImportInput, tradeImportMachine } from '@pilotfish/core/trade-import/trade-import-machine';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createActor, fromPromise } from 'xstate';
import type { SignedInUser } from '../src/app/testing/test-server.ts';
import { type ExchangeStage, startExchangeStage } from './exchange-stage.ts';

// Every path of an import, by the machine that both apps run, against a real server: what the machine takes for stored
// is what is stored, and no step but a commit and its undoing changes that.

describe('the paths of an import', () => {
  let stage: ExchangeStage;
  let user: SignedInUser;
  beforeAll(async () => {
    stage = await startExchangeStage(12);
    user = await stage.server.register();
  });
  afterAll(() => stage?.close());

  const BINANCE = '/bff/v2/import-trades/Binance';
  async function post({ file, commit, acceptPartial, uploadId, zone, mapping, operations }: TradeImportInput): Promise<ImportAnswer> {
    const body = new FormData();
    body.append('file', new Blob([importFileText(file.name)]), file.name);
    const query = new URLSearchParams(importQueryOf({ preview: !commit, acceptPartial, uploadId, zone, mapping, operations }));
    const answer = await user.call<ImportAnswer>(`${BINANCE}?${query.toString()}`, { method: 'POST', body });
    expect(answer.status).toBe(200);
    return answer.body;
  }

  const stored = async () => (await user.call<{ id: string }[]>(BINANCE)).body;

  const paths = TIER === 'deep' ? pathsOfAnImport : pathsOfEachImportStep;
  test.each(paths.map((path): [string, MachinePath] => [title(path), path]))('%s', async (_, path) => {
    let end: ((isHeard: boolean) => void) | undefined;
    /** A call goes out when the path says how it ends: its answer comes, or is lost. */
    const held = <Answer>(call: () => Promise<Answer>, isSentAnyway: boolean) =>
      new Promise<boolean>((heard) => {
        end = heard;
      }).then(async (isHeard) => {
        const answer = isHeard || isSentAnyway ? await call() : undefined;
        if (!isHeard) throw new Error('the answer was lost');
        return answer as Answer;
      });
    const actor = createActor(
      tradeImportMachine.provide({
        actors: {
          read: fromPromise(({ input }) => held(() => post(input), false)),
          commit: fromPromise(({ input }) => held(() => post(input), true)),
          undo: fromPromise(({ input }) =>
            held(async () => {
              expect((await user.call(`${BINANCE}/${input.batchId}`, { method: 'DELETE' })).status).toBe(204);
            }, false),
          ),
        },
      }),
      { input: { newId: () => crypto.randomUUID() } },
    );
    actor.start();
    let isStored = false;
    const ends = (isHeard: boolean) => async () => {
      const before = actor.getSnapshot();
      isStored ||= before.matches('committing');
      if (before.matches('undoing') && isHeard) isStored = false;
      end?.(isHeard);
      await vi.waitFor(() => expect(actor.getSnapshot().hasTag('busy')).toBe(false));
    };
    const settled = {
      'xstate.done.actor.read': ends(true),
      'xstate.error.actor.read': ends(false),
      'xstate.done.actor.commit': ends(true),
      'xstate.error.actor.commit': ends(false),
      'xstate.done.actor.undo': ends(true),
      'xstate.error.actor.undo': ends(false),
    };
    const events = Object.fromEntries(
      path.steps.map(({ event: { type } }) => [
        type,
        settled[type as keyof typeof settled] ??
          (async ({ event }: { event: object }) => {
            if (type !== 'xstate.init') actor.send(event as never);
          }),
      ]),
    );
    await path.test({
      events,
      states: {
        '*': async (state) => {
          expect(actor.getSnapshot().value).toBe(state.value);
          expect(await stored()).toHaveLength(isStored ? 1 : 0);
          expect((await user.call<{ total: number }>('/bff/v2/positions/closed')).body.total).toBe(isStored ? 1 : 0);
        },
      },
    });
    actor.stop();
    for (const { id } of await stored()) await user.call(`${BINANCE}/${id}`, { method: 'DELETE' });
    // Calls of an account are counted a minute.
    await stage.time.advance(60_000);
  });
});

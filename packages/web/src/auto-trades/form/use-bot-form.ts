import type { AutoTradeDetail, PositionChange } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { askable, type BotDraft } from '@pilotfish/core/auto-trades/config/bot-draft';
import { botDraftActors } from '@pilotfish/core/auto-trades/config/bot-draft-api';
import { type BotDraftEmitted, type BotEditing, botDraftMachine } from '@pilotfish/core/auto-trades/config/bot-draft-machine';
import type { FieldError, ShownProblem } from '@pilotfish/core/http/problem';
import { useSelector } from '@xstate/react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createActor } from 'xstate';
import { useApp } from '../../platform/app-context.tsx';
import { showToast } from '../../ui/toasts.ts';
import { staleAfterChange } from '../use-auto-trades.ts';

export type Validation = {
  /** By path in the contract. */
  errors: ReadonlyMap<string, FieldError>;
  ladder: AutoTradeDetail['ladder'] | null;
  /** The ladder belongs to an earlier draft: this one cannot be planned. */
  isLadderOld: boolean;
  /** What open positions would change, when the settings are to apply to them. */
  changes: readonly PositionChange[];
  /** False while an answer for the present draft is awaited. */
  settled: boolean;
  valid: boolean;
  /** The server could not be asked. */
  problem: ShownProblem | undefined;
};

export type Saved = Pick<BotDraftEmitted, 'bot' | 'notStarted'>;

/** The machine of the draft that this form shows: it has the server judge every change, and saves. */
export function useBotForm(draft: BotDraft, editing?: BotEditing) {
  const app = useApp();
  const { t, i18n } = useTranslation();
  // Not `useActorRef`: the page that everybody loads first would carry it for this one.
  const [actor] = useState(() =>
    createActor(botDraftMachine.provide({ actors: botDraftActors(app.client) }), {
      input: { newId: () => crypto.randomUUID(), draft, editing },
    }),
  );
  const snapshot = useSelector(actor, (now) => now);
  useEffect(() => {
    app.busy.watch(actor);
    actor.start();
    return () => void actor.stop();
  }, [app, actor]);
  const key = JSON.stringify([draft, editing ?? null]);
  const latest = useRef({ key, draft, editing });
  useLayoutEffect(() => {
    if (latest.current.key === key) return;
    latest.current = { key, draft, editing };
    actor.send({ type: 'draft.changed', draft, editing });
  });
  // What is wrong is said in the language of whoever asks.
  const spoken = useRef(i18n.language);
  useEffect(() => {
    if (spoken.current !== i18n.language) actor.send({ type: 'check.asked' });
    spoken.current = i18n.language;
  }, [actor, i18n.language]);

  const { context } = snapshot;
  const errors = new Map(context.errors.map((error) => [error.path, error]));
  // What only a person can fill in is told in our own words, beside what the server found.
  for (const path of askable(draft).missing) errors.set(path, { path, code: 'required', message: t(`autoTrades.form.missing.${path}`) });
  const validation: Validation = {
    errors,
    ladder: context.ladder,
    isLadderOld: context.isLadderOld,
    changes: context.changes,
    settled: !snapshot.hasTag('unsettled'),
    valid: context.isAccepted && errors.size === 0,
    problem: context.problem,
  };
  /**
   * The bot once it is saved, and why it could not be started where that was asked for; undefined where it is not saved, for
   * a reason that is shown.
   */
  const save = ({ sellNow = false, start = false }: { sellNow?: boolean; start?: boolean } = {}): Promise<Saved | undefined> =>
    new Promise((resolve) => {
      const asked = { type: 'save.asked', sellNow, start } as const;
      if (!actor.getSnapshot().can(asked)) return resolve(undefined);
      const done = actor.on('bot.saved', ({ bot, notStarted }) => {
        app.queries.invalidate(...staleAfterChange(bot.id), `versions:${bot.id}`);
        if (start && !notStarted) void showToast('success', t('autoTrades.done.enable', { name: bot.name }));
        resolve({ bot, notStarted });
      });
      actor.send(asked);
      const left = actor.subscribe({
        next: (now) => {
          if (now.hasTag('busy')) return;
          left.unsubscribe();
          done.unsubscribe();
          resolve(undefined);
        },
      });
    });
  return {
    validation,
    saving: snapshot.hasTag('busy'),
    save,
    /** What was saved last was to be started. */
    starts: context.start,
    elsewhere: context.elsewhere,
    clearElsewhere: () => actor.send({ type: 'conflict.resolved' }),
    sale: context.sale,
    clearSale: () => actor.send({ type: 'sale.declined' }),
  };
}

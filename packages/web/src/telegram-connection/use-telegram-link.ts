import { telegramLinkActors } from '@pilotfish/core/telegram-connection/telegram-link-api';
import { telegramLinkMachine } from '@pilotfish/core/telegram-connection/telegram-link-machine';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { type ActorRefFrom, createActor } from 'xstate';
import { useApp } from '../platform/app-context.tsx';
import { problemHeadline, showToast } from '../ui/toasts.ts';

export type TelegramLinkActor = ActorRefFrom<typeof telegramLinkMachine>;

/** The link of this page. A page opened from the chat with `?code=…` sends the code once, out of the address. */
export function useTelegramLink(): TelegramLinkActor {
  const { t } = useTranslation();
  const app = useApp();
  const [query, setQuery] = useSearchParams();
  const code = query.get('code');
  const [first] = useState(code);
  // Not `useActorRef`: the page that everybody loads first would carry it for this one.
  const [actor] = useState(() =>
    createActor(telegramLinkMachine.provide({ actors: telegramLinkActors(app.client) }), {
      input: { now: app.browser.now, code: code ?? undefined },
    }),
  );
  useEffect(() => {
    app.busy.watch(actor);
    actor.start();
    return () => void actor.stop();
  }, [app, actor]);
  useEffect(() => {
    if (code === null) return;
    if (code !== first) actor.send({ type: 'code.brought', code });
    setQuery({}, { replace: true });
  }, [actor, code, first, setQuery]);
  useEffect(() => {
    const refused = actor.on('link.failed', ({ problem }) => void showToast('error', problemHeadline(problem, t)));
    const changed = actor.on('link.changed', ({ linked }) => {
      app.queries.invalidate('account', 'notification-settings');
      void showToast('success', t(linked ? 'telegramConnect.linked' : 'telegramConnect.unlinked'));
    });
    const told = app.live.on('notifications', ({ item }) => {
      if (item?.code !== 'security-telegram-connected') return;
      app.queries.invalidate('account', 'notification-settings');
      actor.send({ type: 'link.asked' });
    });
    return () => {
      refused.unsubscribe();
      changed.unsubscribe();
      told();
    };
  }, [actor, app, t]);
  return actor;
}

/** Unlinks the chat. Rejects with the reason when it was not done, for the dialog that asked. */
export const unlink = (actor: TelegramLinkActor): Promise<void> =>
  new Promise((resolve, reject) => {
    actor.send({ type: 'disconnect.asked' });
    // Not `waitFor` of XState: it would be the only use of it, and part of the first page.
    const left = actor.subscribe((snapshot) => {
      if (snapshot.matches('disconnecting')) return;
      left.unsubscribe();
      if (snapshot.context.problem) reject(snapshot.context.problem);
      else resolve();
    });
  });

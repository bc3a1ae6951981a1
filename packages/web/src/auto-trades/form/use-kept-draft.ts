import { type BotDraft, readDraft } from '@pilotfish/core/auto-trades/config/bot-draft';
import { useEffect, useRef, useState } from 'react';
import { useApp } from '../../platform/app-context.tsx';

const PAUSE_MS = 300;

/**
 * A draft that survives a reload of the page: written to this browser after a pause, gone once it is saved or given up.
 * @param key which form: a new bot, or a bot and the version that is being changed
 */
export function useKeptDraft(key: string, initial: BotDraft) {
  const { storage } = useApp().browser;
  const name = `bot_draft:${key}`;
  const [held, setHeld] = useState(() => {
    try {
      const kept = readDraft(JSON.parse(storage.get(name) ?? 'null'));
      if (kept && JSON.stringify(kept) !== JSON.stringify(initial)) return { draft: kept, isKept: true };
    } catch {
      // Nonsense in storage is no draft.
    }
    return { draft: initial, isKept: false };
  });
  const text = JSON.stringify(held.draft);
  const first = JSON.stringify(initial);
  const isDone = useRef(false);
  useEffect(() => {
    if (text === first) return;
    const timer = setTimeout(() => isDone.current || storage.set(name, text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [storage, name, text, first]);
  return {
    draft: held.draft,
    /** It is one of an earlier visit. */
    isKept: held.isKept,
    setDraft: (change: (draft: BotDraft) => BotDraft) => setHeld((before) => ({ ...before, draft: change(before.draft) })),
    /** Forgets what is kept and begins anew. */
    discard: () => {
      storage.remove(name);
      setHeld({ draft: initial, isKept: false });
    },
    /** The draft has done its work. */
    forget: () => {
      // What was typed last may not be written yet, and would be after this.
      isDone.current = true;
      storage.remove(name);
    },
  };
}

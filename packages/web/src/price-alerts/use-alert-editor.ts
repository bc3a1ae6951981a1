import type { FieldError } from '@pilotfish/core/http/problem';
import type { ParsedAlert } from '@pilotfish/core/price-alerts/alert-grammar';
import type { AlertLanguage } from '@pilotfish/core/price-alerts/alert-numbers';
import type { PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../platform/app-context.tsx';
import { useAction } from '../platform/use-action.ts';
import { useOnce } from '../platform/use-once.ts';
import { usePairs } from '../prices/use-prices.ts';
import { type AlertDraft, checkDraft, draftOf, EMPTY_DRAFT } from './alert-draft.ts';
import { lineOf, readLine, readLineFor } from './alert-line.ts';

/** What the editor begins with: a line, or fields of the form. */
export type EditorStart = { readonly line: string; readonly draft?: AlertDraft };

export type AlertEditor = ReturnType<typeof useAlertEditor>;

/**
 * One alert being written, as a line and as a form at once: what is typed in one is seen in the other. Saves it as a
 * new one, or in place of `editing`.
 * @param symbol of the pair that a line without a coin is meant for
 */
export function useAlertEditor(start: EditorStart, editing: PriceAlert | undefined, onSaved: () => void, symbol?: string) {
  const app = useApp();
  const { t, i18n } = useTranslation();
  const language: AlertLanguage = i18n.language === 'tr' ? 'tr' : 'en';
  const pairs = usePairs();
  const symbols = useMemo(() => [...(pairs?.keys() ?? [])], [pairs]);
  const [line, setLine] = useState(start.line);
  const [draft, setDraft] = useState<AlertDraft>(start.draft ?? EMPTY_DRAFT);
  /** Which of the two the person used last: errors are told there. */
  const [view, setView] = useState<'line' | 'form'>(start.draft ? 'form' : 'line');
  const [tried, setTried] = useState(false);
  const { busy: saving, problem, run, forget } = useAction();
  const once = useOnce();

  const read = (text: string): ParsedAlert => {
    const options = { symbols, language, now: app.browser.now() };
    return symbol === undefined ? readLine(text, options) : readLineFor(symbol, text, options);
  };
  const parsed = view === 'line' && line.trim() !== '' && symbols.length > 0 ? read(line) : undefined;
  const checked = checkDraft(draft);

  const typeLine = (text: string) => {
    setLine(text);
    setView('line');
    setTried(false);
    forget();
    const found = symbols.length > 0 && text.trim() !== '' ? read(text) : undefined;
    if (found?.ok) setDraft((before) => draftOf(found.body, { ...before, snoozedUntil: null }));
  };
  const change = (next: AlertDraft) => {
    setDraft(next);
    setView('form');
    forget();
    setLine(lineOf(checkDraft(next).body, language));
  };
  // A line that came with the address waits for the pairs.
  const [waiting, setWaiting] = useState(start.draft === undefined && start.line.trim() !== '');
  if (waiting && symbols.length > 0) {
    setWaiting(false);
    const found = read(line);
    if (found.ok) setDraft((before) => draftOf(found.body, before));
  }

  const body = view === 'line' ? (parsed?.ok ? checked.body : undefined) : checked.body;
  const save = async (): Promise<boolean> => {
    setTried(true);
    if (body === undefined) return false;
    const { input } = checked;
    const send = (): Promise<unknown> =>
      editing
        ? app.client.updatePriceAlert({ params: { id: editing.id }, body: input }, { quiet: true })
        : once(input, (idempotencyKey) => app.client.createPriceAlert({ body: input }, { quiet: true, idempotencyKey }));
    return run(send, {
      stale: ['price-alerts'],
      said: t(editing ? 'alerts.page.saved' : 'alerts.page.created'),
      onDone: () => {
        reset();
        onSaved();
      },
    });
  };
  /** What is wrong with a field: told by the server, or, once saving was tried, by our own look at it. */
  const errorOf = (path: string): string | undefined => {
    const told = problem?.fields?.find((field: FieldError) => field.path === path);
    if (told) return told.message;
    const own = tried || (draft.parameters[path.replace('condition.', '')] ?? '') !== '' ? checked.errors.get(path) : undefined;
    return own && t(`validation.${own.code}`, { limit: own.limit ?? '' });
  };
  const reset = (next: EditorStart = { line: '' }) => {
    setLine(next.line);
    setDraft(next.draft ?? EMPTY_DRAFT);
    setView(next.draft ? 'form' : 'line');
    setTried(false);
    forget();
  };
  return { line, draft, view, parsed, body, pairs, saving, tried, problem, typeLine, change, save, errorOf, reset };
}

import { type ShownProblem, shownProblem } from '@pilotfish/core/http/problem';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showToast, toastText } from '../ui/toasts.ts';
import { useApp } from './app-context.tsx';

/** What a toast says of what was done. */
type Said<Value> = string | ((value: Value) => string) | undefined;

/**
 * Sends a change with the bar on. Done or not, the named queries load again: it may be the answer alone that was lost.
 * Rejects when it was not done.
 * @param toasts failures too: for calls that are quiet, where no dialog says them
 */
export function useDeed({ toasts = false } = {}) {
  const { t } = useTranslation();
  const app = useApp();
  return async <Value>(work: Promise<Value>, stale: readonly string[], said?: Said<NoInfer<Value>>): Promise<Value> => {
    try {
      const value = await app.busy.during(work);
      if (said !== undefined) void showToast('success', typeof said === 'string' ? said : said(value));
      return value;
    } catch (thrown) {
      if (toasts) void showToast('error', toastText(shownProblem(thrown), t));
      throw thrown;
    } finally {
      app.queries.invalidate(...stale);
    }
  };
}

type After<Value> = {
  readonly stale?: readonly string[];
  readonly said?: Said<Value>;
  readonly onDone?: (value: Value) => void;
  readonly onFailed?: (problem: ShownProblem) => void;
};

/**
 * What a press asks for, one at a time: while it runs another press does nothing. Why it was not done is its `problem` until
 * the next try, to be said where the reader looks.
 */
export function useAction() {
  const deed = useDeed();
  const [state, setState] = useState<{ busy: boolean; problem?: ShownProblem }>({ busy: false });
  // A second press may come before the first is drawn.
  const running = useRef(false);
  /** Answers whether it was done. */
  const run = async <Value>(
    work: () => Promise<Value>,
    { stale = [], said, onDone, onFailed }: After<NoInfer<Value>> = {},
  ): Promise<boolean> => {
    if (running.current) return false;
    const end = (problem?: ShownProblem) => {
      running.current = false;
      setState({ busy: false, ...(problem && { problem }) });
    };
    running.current = true;
    setState({ busy: true });
    let value: Value;
    try {
      value = await deed(work(), stale, said);
    } catch (thrown) {
      const problem = shownProblem(thrown);
      end(problem);
      onFailed?.(problem);
      return false;
    }
    end();
    onDone?.(value);
    return true;
  };
  return { ...state, run, forget: () => setState({ busy: running.current }) };
}

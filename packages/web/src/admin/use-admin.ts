import { shownProblem } from '@pilotfish/core/http/problem';
import { useTranslation } from 'react-i18next';
import { useApp } from '../app/app-context.tsx';
import { showToast, toastText } from '../ui/toasts.ts';

/** Does something, says how it went, and has the named lists load again. Rejects when it was not done. */
export function useDeed() {
  const { t } = useTranslation();
  const app = useApp();
  return async <Value>(work: Promise<Value>, lists: readonly string[], said?: string): Promise<Value> => {
    try {
      const value = await app.busy.during(work);
      app.queries.invalidate(...lists);
      if (said !== undefined) void showToast('success', said);
      return value;
    } catch (thrown) {
      void showToast('error', toastText(shownProblem(thrown), t));
      throw thrown;
    }
  };
}

/** The same for a dialog, which closes when it is done. */
export function useFinish(lists: readonly string[], onClose: () => void) {
  const deed = useDeed();
  return async (work: Promise<unknown>, said: string): Promise<void> => {
    await deed(work, lists, said).then(onClose, () => undefined);
  };
}

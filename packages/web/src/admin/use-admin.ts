import { shownProblem } from '@pilotfish/core/http/problem';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { useApp } from '../app/app-context.tsx';
import { showToast, toastText } from '../ui/toasts.ts';

/** What a list shows, in the address: a copied link shows the same. A new search begins at the first page. */
export function useAddress() {
  const [search, setSearch] = useSearchParams();
  return {
    get: (name: string): string => search.get(name) ?? '',
    page: Math.max(1, Number(search.get('page')) || 1),
    set: (values: Readonly<Record<string, string>>) =>
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          if (!('page' in values)) next.delete('page');
          for (const [name, value] of Object.entries(values)) {
            if (value === '' || (name === 'page' && value === '1')) next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace: true },
      ),
  };
}

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

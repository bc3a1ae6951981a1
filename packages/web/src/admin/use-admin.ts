import { useDeed } from '../platform/use-action.ts';

/** For a dialog, which closes when it is done; why it was not is said by a toast. */
export function useFinish(lists: readonly string[], onClose: () => void) {
  const deed = useDeed({ toasts: true });
  return async (work: Promise<unknown>, said: string): Promise<void> => {
    await deed(work, lists, said).then(onClose, () => undefined);
  };
}

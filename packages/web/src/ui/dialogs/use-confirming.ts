import { type ShownProblem, shownProblem } from '@pilotfish/core/http/problem';
import { useState } from 'react';

/**
 * Runs what a dialog asked about. The dialog stays until it is done: one that closed at the press would let a halt that
 * never reached the server look like one that did.
 * @param work rejects when it was not done
 */
export function useConfirming(onClose: () => void) {
  const [state, setState] = useState<{ busy: boolean; problem?: ShownProblem }>({ busy: false });
  const close = () => {
    setState({ busy: false });
    onClose();
  };
  const confirm = async (work: () => Promise<unknown>) => {
    setState({ busy: true });
    try {
      await work();
      close();
    } catch (thrown) {
      setState({ busy: false, problem: shownProblem(thrown) });
    }
  };
  return { ...state, close, confirm: (work: () => Promise<unknown>) => void confirm(work) };
}

/** For what a toast has said already and nobody waits for. */
export const said = (work: Promise<unknown>): void => void work.catch(() => undefined);

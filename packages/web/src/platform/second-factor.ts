import { createStore } from './store.ts';

/** The one question for a code of the authenticator that calls wait for; its dialog is drawn by the frame. */
export function createSecondFactor() {
  const asked = createStore(false);
  let answer: ((given: boolean) => void) | undefined;
  return {
    asked,
    /** Resolves with true once a code was accepted, and with false when the person gives up. */
    ask: (): Promise<boolean> =>
      new Promise((resolve) => {
        answer = resolve;
        asked.set(true);
      }),
    answer: (given: boolean): void => {
      asked.set(false);
      answer?.(given);
      answer = undefined;
    },
  };
}

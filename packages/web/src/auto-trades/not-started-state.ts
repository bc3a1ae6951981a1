import type { ShownProblem } from '@pilotfish/core/http/problem';

/** What the form hands on to the page of a bot that is saved and could not be started: the state of the address there. */
export type NotStarted = { readonly notStarted: ShownProblem };

export const notStartedState = (problem: ShownProblem | undefined): { state: NotStarted } | undefined =>
  problem && { state: { notStarted: problem } };

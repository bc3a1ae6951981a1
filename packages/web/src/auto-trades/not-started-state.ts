import type { ShownProblem } from '@pilotfish/core/http/problem';

/** What the form hands on to the page of a bot that is saved and could not be started: the state of the address there. */
export type NotStarted = { readonly notStarted: Pick<ShownProblem, 'code' | 'detail'> };

/** The browser keeps a copy of the state, and of an error it copies the message alone: its code and its words go by themselves. */
export const notStartedState = (problem: ShownProblem | undefined): { state: NotStarted } | undefined =>
  problem && { state: { notStarted: { code: problem.code, detail: problem.detail } } };

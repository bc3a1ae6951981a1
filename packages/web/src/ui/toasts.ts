import type { AppError, ShownProblem } from '@pilotfish/core/http/problem';

export type ToastKind = 'success' | 'error' | 'warning' | 'info';
export const TOAST_MS = 3000;

let container: Promise<typeof import('./toast-container.tsx')> | undefined;

/** Shows a toast; the library and its container come with the first one. Equal texts are shown once at a time. */
export async function showToast(kind: ToastKind, text: string): Promise<void> {
  container ??= import('./toast-container.tsx');
  const { toast } = await container;
  toast[kind](text, { toastId: `${kind}:${text}` });
}

/** What a toast says of an error: its detail, or the one sentence for everything else. */
export const problemText = (problem: AppError | ShownProblem, t: (key: string) => string): string =>
  problem.detail ?? t(`errors.${problem.code}.detail`);

/** What a toast says of a call that failed: also which fields were refused, wherever no form shows them. */
export function toastText(problem: AppError | ShownProblem, t: (key: string) => string): string {
  const fields = problem.fields?.map(({ path, message }) => `${path}: ${message}`).join(' · ');
  return fields ? `${problemText(problem, t)} ${fields}` : problemText(problem, t);
}

/** Title and detail, for the connection screens. */
export function problemHeadline(problem: ShownProblem, t: (key: string) => string): string {
  const title = problem.title ?? t(`errors.${problem.code}.title`);
  const detail = problemText(problem, t);
  return title === detail ? title : `${title}: ${detail}`;
}

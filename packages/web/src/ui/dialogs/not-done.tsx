import type { ShownProblem } from '@pilotfish/core/http/problem';
import { useTranslation } from 'react-i18next';
import { Notice } from '../controls.tsx';
import { problemText } from '../toasts.ts';

/** Inside a dialog: what was asked for did not happen, and why. Nothing tries again by itself. */
export function NotDone({ problem }: { problem: ShownProblem | undefined }) {
  const { t } = useTranslation();
  if (!problem) return null;
  const why = problem.code === 'offline' ? t('ui.serverOffline') : problemText(problem, t);
  const fields = problem.fields?.map(({ message }) => message).join(' ');
  return (
    <Notice tone="error" title={t('ui.notDone')}>
      {fields ? `${why} ${fields}` : why}
    </Notice>
  );
}

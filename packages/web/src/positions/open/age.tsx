import { useTranslation } from 'react-i18next';
import { Notice } from '../../ui/controls.tsx';
import { useMoment } from '../../ui/use-moment.ts';

/** How old the figures are, once newer ones cannot be had. */
export function Age({ query }: { query: { isStale: boolean; loadedAt: number | undefined } }) {
  const { t } = useTranslation();
  const moment = useMoment();
  if (!query.isStale || query.loadedAt === undefined) return null;
  return <Notice tone="warning">{t('positions.stale', { time: moment(query.loadedAt, 'second') })}</Notice>;
}

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PageHeader } from '../ui/page-header.tsx';
import { SectionTabs } from '../ui/section-tabs.tsx';

const PLACES = [
  ['/management', 'admin'],
  ['/management/market', 'market'],
  ['/management/users', 'users'],
  ['/management/localization-resources', 'localizationResources'],
  ['/management/currencies', 'currencies'],
  ['/management/app-settings', 'appSettings'],
] as const;

/** What all screens of the administration share: their title and the way between them. */
export function ManagementFrame({
  title,
  lead,
  actions,
  children,
}: {
  title: string;
  lead?: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={title} lead={lead} actions={actions} />
      <SectionTabs
        label={t('management.places')}
        tabs={PLACES.map(([to, page]) => ({ to, label: t(page === 'admin' ? 'management.overview' : `routes.${page}`) }))}
      />
      {children}
    </>
  );
}

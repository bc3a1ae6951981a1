import { useTranslation } from 'react-i18next';
import { LinkButton, Panel } from '../ui/controls.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { EmptyState } from '../ui/state-panels.tsx';

export default function NotFoundPage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t('routes.notFound')} />
      <Panel>
        <EmptyState
          icon="search"
          title={t('notFound.title')}
          action={
            <LinkButton to="/prices" colorPalette="brand">
              {t('notFound.search')}
            </LinkButton>
          }
        >
          {t('notFound.lead')}
        </EmptyState>
      </Panel>
    </>
  );
}

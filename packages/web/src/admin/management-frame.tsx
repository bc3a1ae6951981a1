import { Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router-dom';
import { PageHeader } from '../ui/page-header.tsx';
import { Button } from '../ui/primitives.tsx';

const PLACES = [
  ['/management', 'admin'],
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
      <Flex as="nav" aria-label={t('management.places')} gap="1" mb="5" overflowX="auto" pb="1">
        {PLACES.map(([to, page]) => (
          <Button
            key={to}
            asChild
            size="sm"
            variant="ghost"
            color="fg.muted"
            css={{ '&[aria-current=page]': { color: 'brand.fg', bg: 'brand.subtle' } }}
          >
            <NavLink to={to} end>
              {t(page === 'admin' ? 'management.overview' : `routes.${page}`)}
            </NavLink>
          </Button>
        ))}
      </Flex>
      {children}
    </>
  );
}

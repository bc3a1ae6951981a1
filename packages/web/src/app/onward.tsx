import { Box } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DETOUR_KEY } from '../platform/app.ts';
import { useServices, useStore } from '../platform/app-context.tsx';
import { entryOf } from '../platform/route-table.ts';
import { LinkButton } from '../ui/controls.tsx';

/** Where somebody was going when they were asked to sign in, or begins by their own choice; until they leave this page. */
export function Onward() {
  const { t } = useTranslation();
  const { app, preferences } = useServices();
  const { tabStorage } = app.browser;
  const [detour] = useState(() => tabStorage.get(DETOUR_KEY));
  const chosen = useStore(preferences.onward);
  useEffect(
    () => () => {
      tabStorage.remove(DETOUR_KEY);
      preferences.onward.set(undefined);
    },
    [tabStorage, preferences],
  );
  const to = detour ?? chosen;
  if (to === undefined || to === '/') return null;
  const { page } = entryOf(to.split('?')[0] ?? '');
  return (
    <Box>
      <LinkButton to={to} colorPalette="brand">
        {t('landing.onward', { screen: t(`routes.${page}`) })}
      </LinkButton>
    </Box>
  );
}

import { Box } from '@chakra-ui/react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { useApp } from '../platform/app-context.tsx';
import { allTexts } from '../platform/texts.ts';
import { useQuery } from '../platform/use-query.ts';
import { IconButton } from '../ui/controls.tsx';
import { useDismissal } from '../ui/dialogs/use-dismissal.ts';

const Panel = lazy(async () => {
  const [loaded] = await Promise.all([import('./notifications-panel.tsx'), allTexts()]);
  return loaded;
});
const MOST_SHOWN = 99;

/** The bell of the top bar: how many are unread, live; the list behind it arrives when it is first opened. */
export default function NotificationsBell() {
  const { t } = useTranslation();
  const app = useApp();
  const { pathname } = useLocation();
  // Open on one screen: another one closes it.
  const [openOn, setOpenOn] = useState<string>();
  const open = openOn === pathname;
  /** What the stream said since the count was loaded. */
  const [heard, setHeard] = useState<{ unread: number; since: number | undefined }>();
  const box = useDismissal(open, () => setOpenOn(undefined));
  const { data, loadedAt } = useQuery(
    'notifications-unread',
    (client, _: null, signal) => client.listNotifications({ query: { pageSize: 1 } }, { signal, quiet: true }),
    null,
  );
  useEffect(
    () =>
      app.live.on('notifications', ({ unread, item }) => {
        setHeard({ unread, since: loadedAt });
        app.queries.invalidate('notifications');
        if (item && !item.read) void import('./announce.ts').then(({ announce }) => announce(item));
      }),
    [app, loadedAt],
  );
  const told = heard && heard.since === loadedAt ? heard.unread : undefined;
  const unread = told ?? data?.unread ?? 0;
  return (
    <Box ref={box} position="relative">
      <IconButton
        icon="alerts"
        label={unread === 0 ? t('ui.bell') : t('ui.bellUnread', { count: unread })}
        aria-expanded={open}
        aria-haspopup="dialog"
        onClick={() => setOpenOn(open ? undefined : pathname)}
      />
      {unread > 0 && (
        <Box
          aria-hidden="true"
          position="absolute"
          top="0"
          insetEnd="-2px"
          minW="18px"
          h="18px"
          px="1"
          borderRadius="full"
          bg="brand.solid"
          color="brand.contrast"
          fontSize="11px"
          fontWeight="700"
          lineHeight="18px"
          textAlign="center"
          pointerEvents="none"
        >
          {unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread}
        </Box>
      )}
      <span className="visually-hidden" role="status">
        {told !== undefined && told > 0 ? t('ui.bellUnread', { count: told }) : ''}
      </span>
      {open && (
        <Suspense fallback={null}>
          <Panel onClose={() => setOpenOn(undefined)} />
        </Suspense>
      )}
    </Box>
  );
}

import { Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { useIsAdmin, useSignedIn } from '../../platform/use-session.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { AccountItems, AppearanceItems, MenuLink } from './account-items.tsx';
import { NAV_ADMIN, NAV_MORE } from './navigation.tsx';

/** What the bar of a phone has no room for. */
export default function MoreSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const isAdmin = useIsAdmin();
  const signedIn = useSignedIn();
  return (
    <Dialog open={open} title={t('nav.more')} onClose={onClose}>
      <Flex direction="column">
        {[...NAV_MORE, ...(isAdmin ? [NAV_ADMIN] : [])].map(({ to, icon, label }) => (
          <MenuLink key={to} to={to} icon={icon} onGo={onClose}>
            {t(label)}
          </MenuLink>
        ))}
        {signedIn ? <AccountItems onGo={onClose} /> : <AppearanceItems />}
      </Flex>
    </Dialog>
  );
}

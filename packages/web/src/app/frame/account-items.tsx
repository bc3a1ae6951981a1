import { Box, chakra, Text } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router-dom';
import { useApp, useServices, useStore } from '../../platform/app-context.tsx';
import { useAccount } from '../../platform/use-session.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';

const ITEM = {
  display: 'flex',
  alignItems: 'center',
  gap: '10px',
  w: '100%',
  minH: { base: '11', md: '9' },
  px: '3',
  borderRadius: 'control',
  cursor: 'pointer',
  _hover: { bg: 'bg.raised' },
  textAlign: 'start',
} as const;

export const MenuLink = ({ to, icon, children, onGo }: { to: string; icon: IconName; children: string; onGo: () => void }) => (
  <Box asChild {...ITEM}>
    <NavLink to={to} onClick={onGo}>
      <Icon name={icon} size={18} />
      {children}
    </NavLink>
  </Box>
);

const MenuButton = ({ icon, lang, children, onClick }: { icon: IconName; lang?: string; children: string; onClick: () => void }) => (
  <chakra.button type="button" lang={lang} {...ITEM} onClick={onClick}>
    <Icon name={icon} size={18} />
    {children}
  </chakra.button>
);

const SETTINGS = [
  ['/user/my-account', 'user', 'routes.myAccount'],
  ['/user/exchange-connect', 'key', 'routes.exchangeConnect'],
  ['/user/notifications', 'alerts', 'routes.notifications'],
  ['/user/telegram-connect', 'external', 'routes.telegramConnect'],
  ['/user/security', 'admin', 'routes.security'],
] as const;

/** Theme and language, for guests and for who is signed in. */
export function AppearanceItems() {
  const { t, i18n } = useTranslation();
  const { appearance, setLanguage } = useServices();
  const theme = useStore(appearance.theme);
  const language = i18n.language === 'tr' ? 'en' : 'tr';
  return (
    <>
      <MenuButton icon={theme === 'dark' ? 'sun' : 'moon'} onClick={() => appearance.setTheme(theme === 'dark' ? 'light' : 'dark')}>
        {t(theme === 'dark' ? 'ui.toLight' : 'ui.toDark')}
      </MenuButton>
      <MenuButton icon="language" lang={language} onClick={() => setLanguage(language)}>
        {language === 'tr' ? 'Türkçe' : 'English'}
      </MenuButton>
    </>
  );
}

/** Who is signed in, the way to their settings, and out. */
export function AccountItems({ onGo }: { onGo: () => void }) {
  const { t } = useTranslation();
  const app = useApp();
  const account = useAccount();
  return (
    <>
      {account && (
        <Box px="3" py="2" mb="1" borderBottomWidth="1px" borderColor="border.subtle">
          <Text fontWeight="600" truncate>
            {account.username}
          </Text>
          <Text color="fg.muted" fontSize="13px" truncate>
            {account.email}
          </Text>
        </Box>
      )}
      {SETTINGS.map(([to, icon, label]) => (
        <MenuLink key={to} to={to} icon={icon} onGo={onGo}>
          {t(label)}
        </MenuLink>
      ))}
      <AppearanceItems />
      <MenuButton icon="logout" onClick={() => app.session.send({ type: 'logout.requested' })}>
        {t('auth.signOut')}
      </MenuButton>
    </>
  );
}

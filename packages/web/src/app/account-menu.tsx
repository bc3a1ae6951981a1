import { Box, chakra, Text } from '@chakra-ui/react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { IconButton } from '../ui/controls.tsx';
import { Icon } from '../ui/icons.tsx';
import { useDismissal } from '../ui/use-dismissal.ts';
import { useApp } from './app-context.tsx';
import { useAccount } from './use-session.ts';

/** Who is signed in, the way to their settings, and out. */
export default function AccountMenu() {
  const { t } = useTranslation();
  const app = useApp();
  const account = useAccount();
  const [open, setOpen] = useState(false);
  const id = useId();
  const box = useDismissal(open, () => setOpen(false));
  const item = {
    display: 'flex',
    alignItems: 'center',
    gap: '10px',
    w: '100%',
    px: '3',
    py: '2.5',
    borderRadius: 'control',
    _hover: { bg: 'bg.raised' },
    textAlign: 'start',
  } as const;
  return (
    <Box ref={box} position="relative">
      <IconButton icon="user" label={t('nav.account')} aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)} />
      <Box
        id={id}
        hidden={!open}
        position="absolute"
        insetEnd="0"
        top="calc(100% + 6px)"
        w="240px"
        p="2"
        bg="bg.panel"
        borderWidth="1px"
        borderColor="border"
        borderRadius="panel"
        boxShadow="0 12px 32px rgb(0 0 0 / 35%)"
      >
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
        {(
          [
            ['/user/my-account', 'user', 'routes.myAccount'],
            ['/user/exchange-connect', 'key', 'routes.exchangeConnect'],
            ['/user/notifications', 'alerts', 'routes.notifications'],
            ['/user/telegram-connect', 'external', 'routes.telegramConnect'],
            ['/user/security', 'admin', 'routes.security'],
          ] as const
        ).map(([to, icon, label]) => (
          <Box key={to} asChild {...item}>
            <Link to={to}>
              <Icon name={icon} size={18} />
              {t(label)}
            </Link>
          </Box>
        ))}
        <chakra.button type="button" {...item} cursor="pointer" onClick={() => app.session.send({ type: 'logout.requested' })}>
          <Icon name="logout" size={18} />
          {t('auth.signOut')}
        </chakra.button>
      </Box>
    </Box>
  );
}

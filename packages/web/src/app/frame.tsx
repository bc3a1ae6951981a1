import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { lazy, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, NavLink, useLocation } from 'react-router-dom';
import { Badge, IconButton, LinkButton, Notice } from '../ui/controls.tsx';
import { BrandMark, Icon, type IconName } from '../ui/icons.tsx';
import { Button } from '../ui/primitives.tsx';
import { useApp, useServices, useStore } from './app-context.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { entryOf } from './route-table.ts';
import { Shortcuts } from './shortcuts.tsx';
import { isLanguage, textsMissing } from './texts.ts';
import { useConfig, useIsAdmin, useSignedIn } from './use-session.ts';

const SecondFactorDialog = lazy(() => import('../account/second-factor-dialog.tsx'));
const AccountMenu = lazy(() => import('./account-menu.tsx'));
const NotificationsBell = lazy(() => import('../notifications/notifications-bell.tsx'));

type NavItem = { to: string; icon: IconName; label: string };
const NAV: readonly NavItem[] = [
  { to: '/', icon: 'home', label: 'nav.home' },
  { to: '/prices', icon: 'prices', label: 'nav.prices' },
  { to: '/positions', icon: 'positions', label: 'nav.positions' },
  { to: '/auto-trade', icon: 'bots', label: 'nav.autoTrades' },
  { to: '/price-alerts', icon: 'alerts', label: 'nav.alerts' },
];
const ADMIN_ITEM: NavItem = { to: '/management', icon: 'admin', label: 'nav.management' };

export function Frame({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const entry = entryOf(pathname);
  const isAdmin = useIsAdmin();
  const bare = entry.access === 'guest';
  return (
    <>
      <a className="skip-link" href="#main">
        {t('ui.skip')}
      </a>
      <Flex minH="100dvh" align="stretch">
        {!bare && <Rail items={isAdmin ? [...NAV, ADMIN_ITEM] : NAV} />}
        <Flex direction="column" flex="1" minW="0">
          <TopBar back={!entry.tabBar && !bare} bare={bare} />
          <chakra.main
            id="main"
            tabIndex={-1}
            outline="none"
            flex="1"
            minW="0"
            w="100%"
            maxW={entry.page === 'prices' ? 'none' : '1280px'}
            mx="auto"
            px={{ base: 4, md: 6 }}
            py={{ base: 4, md: 6 }}
            pb={{ base: entry.tabBar ? '92px' : 8, md: 10 }}
          >
            <MissingNotice />
            <InstanceNotice />
            {children}
            <LoadingBar />
            <SecondFactor />
          </chakra.main>
        </Flex>
      </Flex>
      {entry.tabBar && <TabBar />}
    </>
  );
}

/** What could not be loaded, and what stands in its place. */
const MissingNotice = () => {
  const { t } = useTranslation();
  const texts = useStore(textsMissing);
  const session = useStore(useApp().sessionSetAside);
  return texts || session ? (
    <Box mb="4">
      <Notice tone="warning">
        <Text>
          {texts && t('ui.missing.texts')} {session && t('ui.missing.session')} {t('ui.missing.reload')}
        </Text>
        <Button size="sm" variant="outline" mt="2" color="fg" onClick={() => window.location.reload()}>
          {t('ui.broken.reload')}
        </Button>
      </Notice>
    </Box>
  ) : null;
};

/** What the Admin wants everybody to read. */
const InstanceNotice = () => {
  const { i18n } = useTranslation();
  const text = useConfig()?.notice?.[isLanguage(i18n.language) ? i18n.language : 'en'];
  return text ? (
    <Box mb="4">
      <Notice tone="warning">{text}</Notice>
    </Box>
  ) : null;
};

const railLink = {
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  gap: '4px',
  width: '100%',
  padding: '10px 4px',
  borderRadius: '8px',
  fontSize: '12px',
  fontWeight: 550,
} as const;

const NavEntry = ({ item }: { item: NavItem }) => {
  const { t } = useTranslation();
  return (
    <Box
      asChild
      color="fg.muted"
      textAlign="center"
      lineHeight="1.25"
      _hover={{ color: 'fg', bg: 'bg.raised' }}
      css={{ '&[aria-current=page]': { color: 'brand.fg', bg: 'brand.subtle' } }}
    >
      <NavLink to={item.to} end={item.to === '/'} style={railLink}>
        <Icon name={item.icon} size={22} />
        {t(item.label)}
      </NavLink>
    </Box>
  );
};

const Rail = ({ items }: { items: readonly NavItem[] }) => {
  const { t } = useTranslation();
  return (
    <chakra.nav
      aria-label={t('nav.label')}
      display={{ base: 'none', md: 'flex' }}
      flexDirection="column"
      alignItems="center"
      gap="1"
      w="92px"
      flexShrink="0"
      px="2"
      py="3"
      bg="bg.panel"
      borderEndWidth="1px"
      borderColor="border.subtle"
      position="sticky"
      top="0"
      h="100dvh"
    >
      <Box mb="3" asChild borderRadius="control" p="1">
        <Link to="/" aria-label="Pilotfish">
          <BrandMark size={36} />
        </Link>
      </Box>
      {items.map((item) => (
        <NavEntry key={item.to} item={item} />
      ))}
    </chakra.nav>
  );
};

const TabBar = () => {
  const { t } = useTranslation();
  return (
    <chakra.nav
      aria-label={t('nav.label')}
      display={{ base: 'grid', md: 'none' }}
      gridTemplateColumns="repeat(5, minmax(0, 1fr))"
      position="fixed"
      insetX="0"
      bottom="0"
      zIndex="1000"
      bg="bg.panel"
      borderTopWidth="1px"
      borderColor="border"
      px="1"
      pb="max(6px, env(safe-area-inset-bottom))"
      pt="2px"
    >
      {NAV.map((item) => (
        <NavEntry key={item.to} item={item} />
      ))}
    </chakra.nav>
  );
};

function TopBar({ back, bare }: { back: boolean; bare: boolean }) {
  const { t } = useTranslation();
  const { appearance } = useServices();
  const theme = useStore(appearance.theme);
  const signedIn = useSignedIn();
  const config = useConfig();
  const { pathname } = useLocation();
  const parent = pathname.split('/').length > 2 && pathname !== '/auto-trade' ? '/auto-trade' : '/';
  return (
    <chakra.header
      display="flex"
      alignItems="center"
      gap={{ base: 1, md: 2 }}
      h="14"
      px={{ base: 2, md: 6 }}
      borderBottomWidth="1px"
      borderColor="border.subtle"
      bg="bg.panel"
      position="sticky"
      top="0"
      zIndex="900"
    >
      {back && (
        <Box display={{ base: 'block', md: 'none' }}>
          <LinkButton to={parent} variant="ghost" size="sm" px="1" color="fg" aria-label={t('ui.back')}>
            <Icon name="back" />
          </LinkButton>
        </Box>
      )}
      <Flex asChild align="center" gap="2" display={bare ? 'flex' : { base: back ? 'none' : 'flex', md: 'none' }}>
        <Link to="/" aria-label="Pilotfish">
          <BrandMark />
          {bare && (
            <Text fontWeight="650" fontSize="16px">
              Pilotfish
            </Text>
          )}
        </Link>
      </Flex>
      {back && (
        // Where the arrow leads; what this screen is called stands right below, and at length.
        <Text fontWeight="600" truncate minW="0" aria-hidden="true" display={{ base: 'block', md: 'none' }}>
          {t(parent === '/' ? 'nav.home' : 'nav.autoTrades')}
        </Text>
      )}
      <Box flex="1" />
      {config && config.exchange !== 'binance' && (
        <Badge tone="secondary" title={t(`exchange.${config.exchange}.hint`)}>
          <Box w="6px" h="6px" borderRadius="full" bg="secondary.solid" />
          <Box as="span" display={{ base: 'none', sm: 'inline' }}>
            {t(`exchange.${config.exchange}.name`)}
          </Box>
          <Box as="span" display={{ base: 'inline', sm: 'none' }}>
            {t(`exchange.${config.exchange}.short`)}
          </Box>
        </Badge>
      )}
      {!bare && <StreamDot />}
      {!bare && <Shortcuts />}
      {signedIn && !bare && (
        <ErrorBoundary instead={null}>
          <Suspense fallback={<Box w="9" h="9" />}>
            <NotificationsBell />
          </Suspense>
        </ErrorBoundary>
      )}
      {/* Whoever is signed in finds both in the account and the palette, too: a phone has no room for them here. */}
      <Flex gap="2" align="center" display={signedIn ? { base: 'none', sm: 'flex' } : 'flex'}>
        <IconButton
          icon={theme === 'dark' ? 'sun' : 'moon'}
          label={theme === 'dark' ? t('ui.toLight') : t('ui.toDark')}
          onClick={() => appearance.setTheme(theme === 'dark' ? 'light' : 'dark')}
        />
        <LanguageSwitch />
      </Flex>
      {signedIn ? (
        <ErrorBoundary key={pathname} instead={null}>
          <Suspense fallback={<Box w="9" h="9" />}>
            <AccountMenu />
          </Suspense>
        </ErrorBoundary>
      ) : (
        !bare && (
          <LinkButton to="/auth/login" size="sm" colorPalette="brand">
            {t('auth.signIn')}
          </LinkButton>
        )
      )}
    </chakra.header>
  );
}

function LanguageSwitch() {
  const { t, i18n } = useTranslation();
  const { setLanguage } = useServices();
  return (
    <Box position="relative" display="inline-flex">
      <chakra.select
        name="language"
        aria-label={t('ui.language')}
        value={i18n.language}
        onChange={(event) => isLanguage(event.currentTarget.value) && setLanguage(event.currentTarget.value)}
        appearance="none"
        bg="transparent"
        color="fg.muted"
        fontSize="13px"
        fontWeight="600"
        h="9"
        px="2"
        borderRadius="control"
        cursor="pointer"
        _hover={{ bg: 'bg.raised', color: 'fg' }}
        css={{ '& option': { background: 'var(--chakra-colors-bg-panel)', color: 'var(--chakra-colors-fg)' } }}
      >
        <option value="en" lang="en">
          EN
        </option>
        <option value="tr" lang="tr">
          TR
        </option>
      </chakra.select>
    </Box>
  );
}

/** Whether what is on screen is live: a dot and, when it is not, the word for it. */
function StreamDot() {
  const { t } = useTranslation();
  const status = useStore(useApp().live.status);
  if (status === 'idle') return null;
  const color = status === 'live' ? 'gain' : status === 'offline' ? 'loss' : 'warning';
  return (
    <Flex role="status" align="center" gap="1.5" px="1" fontSize="12px" color="fg.muted">
      <Box w="8px" h="8px" borderRadius="full" bg={color} />
      <Box as="span" className={status === 'live' ? 'visually-hidden' : undefined}>
        {t(`stream.${status}`)}
      </Box>
    </Flex>
  );
}

/** Over whatever screen made the call that needs it. */
function SecondFactor() {
  const asked = useStore(useApp().secondFactor.asked);
  return asked ? (
    <Suspense>
      <SecondFactorDialog />
    </Suspense>
  ) : null;
}

function LoadingBar() {
  const { t } = useTranslation();
  const busy = useStore(useApp().busy.count) > 0;
  return busy ? <div className="loading-bar" role="progressbar" aria-label={t('ui.loading')} /> : null;
}

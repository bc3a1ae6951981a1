import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { lazy, type Ref, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router-dom';
import { useApp, useServices, useStore } from '../../platform/app-context.tsx';
import { entryOf } from '../../platform/route-table.ts';
import { isLanguage, withTexts } from '../../platform/texts.ts';
import { useConfig, useSignedIn } from '../../platform/use-session.ts';
import { Badge, IconButton, LinkButton } from '../../ui/controls.tsx';
import { BrandMark, Icon } from '../../ui/icons.tsx';
import { ModeBadge } from '../../ui/kit/badges.tsx';
import { ErrorBoundary } from '../error-boundary.tsx';
import { Shortcuts } from '../palette/shortcuts.tsx';

const NotificationsBell = lazy(() => import('../../notifications/notifications-bell.tsx'));
const StopAll = lazy(() => withTexts(import('./stop-all.tsx')));
const Pulse = lazy(() => withTexts(import('./pulse.tsx')));

/** Pages that begin with the figures of the account themselves. */
const WITH_FIGURES: readonly string[] = [
  'landing',
  'autoTrades',
  'positions',
  'openPositions',
  'closedPositions',
  'positionDetail',
  'performance',
];

/**
 * Where you are, the way to everything else, and the one stop of all bots.
 * @param back the page has no tab bar on phones: an arrow leads out of it
 * @param bare a page of signing in, without places
 * @param titleRef where pages put their title
 */
export function TopBar({ back, bare, titleRef }: { back: boolean; bare: boolean; titleRef: Ref<HTMLDivElement> }) {
  const signedIn = useSignedIn();
  const { t } = useTranslation();
  const { page, access } = entryOf(useLocation().pathname);
  return (
    <chakra.header
      display="flex"
      alignItems="center"
      gap={{ base: 1, md: 3.5 }}
      h={{ base: '52px', md: '48px' }}
      ps={{ base: 3, md: 5 }}
      pe={{ base: 2, md: 4 }}
      borderBottomWidth="1px"
      borderColor="border.subtle"
      bg="bg.panel"
      position="sticky"
      top="0"
      zIndex="900"
    >
      <Way back={back} bare={bare} />
      {!bare && <Title titleRef={titleRef} />}
      {!bare && <Shortcuts />}
      <Box flex="1" />
      {signedIn && !bare && access !== 'admin' && !WITH_FIGURES.includes(page) && (
        <Box display={{ base: 'none', md: 'block' }}>
          <ErrorBoundary instead={null}>
            <Suspense fallback={null}>
              <Pulse />
            </Suspense>
          </ErrorBoundary>
        </Box>
      )}
      {!bare && <StreamState />}
      <Market />
      {signedIn && !bare ? (
        <>
          <ErrorBoundary instead={null}>
            <Suspense fallback={<Box w={{ base: '11', md: '9' }} h="9" />}>
              <NotificationsBell />
            </Suspense>
          </ErrorBoundary>
          <ErrorBoundary instead={null}>
            <Suspense fallback={<Box w={{ base: '11', md: '92px' }} h="8" />}>
              <StopAll />
            </Suspense>
          </ErrorBoundary>
        </>
      ) : (
        <>
          {/* On phones under More; pages of signing in have none. */}
          <Flex align="center" gap="1" display={bare ? 'flex' : { base: 'none', sm: 'flex' }}>
            <ThemeSwitch />
            <LanguageSwitch />
          </Flex>
          {!bare && (
            <LinkButton to="/auth/login" size="sm" colorPalette="brand">
              {t('auth.signIn')}
            </LinkButton>
          )}
        </>
      )}
    </chakra.header>
  );
}

/** Home for who has no rail beside it: the mark of the app, or the arrow out of a page without tab bar. */
function Way({ back, bare }: { back: boolean; bare: boolean }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const parent = pathname.split('/').length > 2 && pathname !== '/auto-trade' ? '/auto-trade' : '/';
  return back ? (
    <Box display={{ base: 'block', md: 'none' }}>
      <LinkButton to={parent} variant="ghost" size="sm" px="1" color="fg" aria-label={t('ui.back')}>
        <Icon name="back" />
      </LinkButton>
    </Box>
  ) : (
    <Flex asChild align="center" gap="2" display={bare ? 'flex' : { base: 'flex', md: 'none' }}>
      <Link to="/" aria-label="Pilotfish">
        <BrandMark size={26} />
        {bare && (
          <Text fontWeight="650" fontSize="16px">
            Pilotfish
          </Text>
        )}
      </Link>
    </Flex>
  );
}

/** The title that the page puts here; until it does, or where it has its own, the name of the route. */
function Title({ titleRef }: { titleRef: Ref<HTMLDivElement> }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  return (
    <Box minW="0" flexShrink="1" ps={{ base: 1, md: 0 }} css={{ '& > :first-of-type:not(:empty) + *': { display: 'none' } }}>
      <Box ref={titleRef} minW="0" />
      <Text textStyle="bar" truncate aria-hidden="true">
        {t(`routes.${entryOf(pathname).page}`)}
      </Text>
    </Box>
  );
}

/** Which market this is: real money is never taken for practice. */
function Market() {
  const { t } = useTranslation();
  const signedIn = useSignedIn();
  const config = useConfig();
  if (!config) return null;
  // In words too narrow for a phone, where the bell and the stop come first.
  if (config.exchange === 'binance')
    return signedIn ? (
      <Box display={{ base: 'none', md: 'block' }}>
        <ModeBadge money="live" filled />
      </Box>
    ) : null;
  return (
    <Badge tone="secondary" title={t(`exchange.${config.exchange}.hint`)}>
      <Box w="6px" h="6px" borderRadius="full" bg="secondary.solid" />
      <Box as="span" display={{ base: 'none', sm: 'inline' }}>
        {t(`exchange.${config.exchange}.name`)}
      </Box>
      <Box as="span" display={{ base: 'inline', sm: 'none' }}>
        {t(`exchange.${config.exchange}.short`)}
      </Box>
    </Badge>
  );
}

function ThemeSwitch() {
  const { t } = useTranslation();
  const { appearance } = useServices();
  const theme = useStore(appearance.theme);
  return (
    <IconButton
      icon={theme === 'dark' ? 'sun' : 'moon'}
      label={theme === 'dark' ? t('ui.toLight') : t('ui.toDark')}
      onClick={() => appearance.setTheme(theme === 'dark' ? 'light' : 'dark')}
    />
  );
}

function LanguageSwitch() {
  const { t, i18n } = useTranslation();
  const { setLanguage } = useServices();
  return (
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
      h={{ base: '11', md: '9' }}
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
  );
}

/** Whether what is on screen is live: a dot and, when it is not, the word for it. */
function StreamState() {
  const { t } = useTranslation();
  const status = useStore(useApp().live.status);
  const config = useConfig();
  if (status === 'idle') return null;
  const color = status === 'live' ? 'gain' : status === 'offline' ? 'loss' : 'warning';
  return (
    <Flex role="status" align="center" gap="1.5" fontSize="12px" color="fg.muted" whiteSpace="nowrap">
      <Box w="7px" h="7px" borderRadius="full" bg={color} />
      <Box as="span" className={status === 'live' ? 'visually-hidden' : undefined}>
        {t(`stream.${status}`)}
      </Box>
      {status === 'live' && config?.exchange === 'binance' && (
        <Box as="span" display={{ base: 'none', md: 'inline' }}>
          {t('exchange.binance.name')}
        </Box>
      )}
    </Flex>
  );
}

import { Box, chakra, Flex } from '@chakra-ui/react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, NavLink } from 'react-router-dom';
import { useApp, useStore } from '../../platform/app-context.tsx';
import { withTexts } from '../../platform/texts.ts';
import { useIsAdmin, useSignedIn } from '../../platform/use-session.ts';
import { BrandMark, Icon, type IconName } from '../../ui/icons.tsx';
import { ErrorBoundary } from '../error-boundary.tsx';
import { railOf } from './rail-width.ts';

const AccountMenu = lazy(() => withTexts(import('./account-menu.tsx')));
const MoreSheet = lazy(() => withTexts(import('./more-sheet.tsx')));

export type NavItem = { readonly to: string; readonly icon: IconName; readonly label: string };
const NAV: readonly NavItem[] = [
  { to: '/', icon: 'home', label: 'nav.home' },
  { to: '/prices', icon: 'prices', label: 'nav.prices' },
  { to: '/auto-trade', icon: 'bots', label: 'nav.autoTrades' },
  { to: '/positions', icon: 'positions', label: 'nav.positions' },
];
/** Places that the bar of a phone has no room for. */
export const NAV_MORE: readonly NavItem[] = [
  { to: '/performance', icon: 'trend', label: 'nav.performance' },
  { to: '/price-alerts', icon: 'alerts', label: 'nav.alerts' },
];
export const NAV_ADMIN: NavItem = { to: '/management', icon: 'admin', label: 'nav.management' };

const entry = {
  position: 'relative',
  display: 'flex',
  alignItems: 'center',
  gap: '3',
  w: '100%',
  h: '10',
  px: '2.5',
  borderRadius: 'panel',
  color: 'fg.subtle',
  fontWeight: '550',
  cursor: 'pointer',
  _hover: { color: 'fg', bg: 'bg.raised' },
} as const;
/** Where you are: a raised tile with a mark of the brand at the edge of the screen. */
const HERE = {
  '&[aria-current=page]': {
    color: 'fg',
    background: 'var(--chakra-colors-bg-raised)',
    _before: {
      content: '""',
      position: 'absolute',
      insetInlineStart: '-8px',
      width: '3px',
      height: '20px',
      borderRadius: '0 3px 3px 0',
      background: 'var(--chakra-colors-brand-solid)',
    },
  },
} as const;

/** The label of an entry: beside its icon in the wide rail, else a tooltip for pointer and keyboard. */
const Label = ({ wide, children }: { wide: boolean; children: ReactNode }) => (
  <Box as="span" className={wide ? undefined : 'rail-tip'} truncate>
    {children}
  </Box>
);

/** The places of the app at the left edge of a desktop. */
export function Rail() {
  const { t } = useTranslation();
  const rail = railOf(useApp());
  const wide = useStore(rail.wide);
  const isAdmin = useIsAdmin();
  const signedIn = useSignedIn();
  const items = [...NAV, ...NAV_MORE, ...(isAdmin ? [NAV_ADMIN] : [])];
  return (
    <chakra.nav
      aria-label={t('nav.label')}
      display={{ base: 'none', md: 'flex' }}
      flexDirection="column"
      gap="1"
      w={wide ? '184px' : '56px'}
      flexShrink="0"
      px="2"
      pt="10px"
      pb="3"
      bg="bg.panel"
      borderEndWidth="1px"
      borderColor="border.subtle"
      position="sticky"
      top="0"
      h="100dvh"
      zIndex="950"
    >
      <Box asChild mb="2" px="5px" py="1" borderRadius="control" w="fit-content">
        <Link to="/" aria-label="Pilotfish">
          <BrandMark size={30} />
        </Link>
      </Box>
      {items.map(({ to, icon, label }) => (
        <Box key={to} asChild {...entry} css={HERE}>
          <NavLink to={to} end={to === '/'}>
            <Icon name={icon} />
            <Label wide={wide}>{t(label)}</Label>
          </NavLink>
        </Box>
      ))}
      <Box flex="1" />
      <chakra.button type="button" {...entry} aria-pressed={wide} aria-keyshortcuts="[" onClick={rail.toggle}>
        <Icon name="rail" />
        <Label wide={wide}>{t('nav.labels')}</Label>
      </chakra.button>
      {signedIn && (
        <ErrorBoundary instead={null}>
          <Suspense fallback={<Box h="10" />}>
            <AccountMenu entry={entry} label={(text) => <Label wide={wide}>{text}</Label>} />
          </Suspense>
        </ErrorBoundary>
      )}
    </chakra.nav>
  );
}

const tab = {
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  justifyContent: 'center',
  gap: '3px',
  h: '60px',
  minW: '0',
  fontSize: '12px',
  lineHeight: '14px',
  fontWeight: '550',
  color: 'fg.muted',
  cursor: 'pointer',
} as const;

/** The places of the app at the lower edge of a phone; what has no room there is under More. */
export function TabBar() {
  const { t } = useTranslation();
  const [more, setMore] = useState<'open' | 'closed'>();
  const close = () => setMore('closed');
  return (
    <>
      <chakra.nav
        aria-label={t('nav.label')}
        display={{ base: 'grid', md: 'none' }}
        gridTemplateColumns={`repeat(${NAV.length + 1}, minmax(0, 1fr))`}
        position="fixed"
        insetX="0"
        bottom="0"
        zIndex="1000"
        bg="bg.panel"
        borderTopWidth="1px"
        borderColor="border"
        pb="env(safe-area-inset-bottom)"
      >
        {NAV.map(({ to, icon, label }) => (
          <Box key={to} asChild {...tab} css={{ '&[aria-current=page]': { color: 'var(--chakra-colors-brand-fg)' } }}>
            <NavLink to={to} end={to === '/'}>
              <Icon name={icon} size={21} />
              {t(label)}
            </NavLink>
          </Box>
        ))}
        <chakra.button type="button" {...tab} aria-haspopup="dialog" onClick={() => setMore('open')}>
          <Icon name="more" size={21} />
          {t('nav.more')}
        </chakra.button>
      </chakra.nav>
      <Flex display="contents">
        <Suspense fallback={null}>{more !== undefined && <MoreSheet open={more === 'open'} onClose={close} />}</Suspense>
      </Flex>
    </>
  );
}

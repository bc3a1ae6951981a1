import { Box, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import { type ComponentType, type ReactNode, Suspense, useDeferredValue } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { useConfig, useSignedIn } from '../platform/use-session.ts';
import { LinkButton, Panel, Segments } from '../ui/controls.tsx';
import { BrandMark, Icon } from '../ui/icons.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { LANDING_INTERVALS, type LandingInterval, MoversPanel, NewsPanel } from './market-panels.tsx';

/** What the panels of the account show: `query` is that of the address, `put` changes it. */
export type ChosenViews = {
  interval: LandingInterval;
  query: URLSearchParams;
  put: (key: string, value: string) => void;
  /** What everybody sees of the market. */
  market: ReactNode;
};

/** What moves, and for who is signed in what they own. Every panel loads and fails alone; those of the account come from outside. */
export function LandingPage({ Account }: { Account: ComponentType<ChosenViews> }) {
  const { t } = useTranslation();
  const signedIn = useSignedIn();
  // A guest reads what this is, and may go on, before the market below it is drawn.
  const withMarket = useDeferredValue(true, false);
  const [query, setQuery] = useSearchParams();
  const interval: LandingInterval = LANDING_INTERVALS.find((each) => each === query.get('interval')) ?? '24h';
  const put = (key: string, value: string) =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before);
        next.set(key, value);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  const market = (
    <>
      <Flex justify="space-between" align="center" gap="3" wrap="wrap">
        <Heading as="h2" textStyle="title">
          {t('landing.market')}
        </Heading>
        <Segments
          label={t('landing.interval')}
          value={interval}
          options={LANDING_INTERVALS.map((value) => ({ value, label: t(`landing.intervals.${value}`) }))}
          onChange={(value) => put('interval', value)}
        />
      </Flex>
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', md: 'repeat(auto-fit, minmax(300px, 1fr))' }} gap="3" alignItems="start">
        <MoversPanel kind="gainers" interval={interval} />
        <MoversPanel kind="losers" interval={interval} />
        <MoversPanel kind="newListings" interval={interval} />
      </Grid>
      <NewsPanel />
    </>
  );
  return signedIn ? (
    // One boundary around all of it: figures that came early must not be pushed down by those above them.
    <Suspense fallback={<div className="skeleton" style={{ height: '80dvh' }} />}>
      <Flex direction="column" gap="3">
        <PageTitle>{t('routes.landing')}</PageTitle>
        <Account interval={interval} query={query} put={put} market={market} />
      </Flex>
    </Suspense>
  ) : (
    <Flex direction="column" gap="5">
      <GuestPanel />
      {withMarket && market}
    </Flex>
  );
}

/** What the app is, honestly, and the way in. */
function GuestPanel() {
  const { t } = useTranslation();
  const config = useConfig();
  return (
    <Panel p={{ base: 5, md: 10 }} overflow="hidden" position="relative">
      <Box position="absolute" insetEnd="-30px" top="-20px" opacity="0.07" aria-hidden="true" display={{ base: 'none', md: 'block' }}>
        <BrandMark size={340} />
      </Box>
      <Flex direction="column" gap="5" maxW="640px" position="relative">
        <Heading as="h1" textStyle="display" fontSize={{ base: '28px', md: '34px' }} lineHeight="1.15">
          {t('landing.guest.title')}
        </Heading>
        <Text color="fg.muted" fontSize="16px">
          {t('landing.guest.lead')}
        </Text>
        <Flex as="ul" direction="column" gap="2.5" listStyleType="none">
          {(['explain', 'yours', 'safe'] as const).map((point) => (
            <Flex as="li" key={point} gap="3">
              <Box color="brand.fg" flexShrink="0" pt="1px">
                <Icon name="check" size={18} />
              </Box>
              {t(`landing.guest.${point}`)}
            </Flex>
          ))}
        </Flex>
        <Flex gap="3" wrap="wrap">
          <LinkButton to="/auth/login" colorPalette="brand" size="lg">
            {t('auth.signIn')}
          </LinkButton>
          <LinkButton to="/auth/register" variant="outline" color="fg" size="lg">
            {t('auth.createAccount')}
          </LinkButton>
        </Flex>
        {/* Its room is kept, into the padding: which exchange this is comes after the page. */}
        <Text color="secondary.fg" fontSize="14px" minH={{ base: '42px', md: '21px' }} mb={{ base: '-3', md: '-6' }}>
          {config?.exchange === 'simulated' && t('landing.guest.simulated')}
        </Text>
      </Flex>
    </Panel>
  );
}

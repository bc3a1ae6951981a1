import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { useApp, useStore } from '../../platform/app-context.tsx';
import { entryOf } from '../../platform/route-table.ts';
import { isLanguage, textsMissing } from '../../platform/texts.ts';
import { useConfig } from '../../platform/use-session.ts';
import { Notice } from '../../ui/controls.tsx';
import { PageTitlePlace } from '../../ui/page-title.tsx';
import { Button } from '../../ui/primitives.tsx';
import { Rail, TabBar } from './navigation.tsx';
import { TopBar } from './top-bar.tsx';

const SecondFactorDialog = lazy(() => import('../../account/second-factor-dialog.tsx'));

/** What stands around every page: rail or tab bar, top bar, and what concerns all pages. */
export function Frame({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const entry = entryOf(pathname);
  const bare = entry.access === 'guest';
  const [place, setPlace] = useState<HTMLElement | null>(null);
  return (
    <PageTitlePlace value={bare ? undefined : place}>
      <a className="skip-link" href="#main">
        {t('ui.skip')}
      </a>
      <Flex minH="100dvh" align="stretch">
        {!bare && <Rail />}
        <Flex direction="column" flex="1" minW="0">
          <TopBar back={!entry.tabBar && !bare} bare={bare} titleRef={setPlace} />
          <chakra.main
            id="main"
            tabIndex={-1}
            outline="none"
            flex="1"
            minW="0"
            w="100%"
            px={{ base: 2.5, md: 4 }}
            pt={{ base: 2.5, md: 3.5 }}
            pb={{ base: entry.tabBar ? '84px' : 6, md: 5 }}
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
    </PageTitlePlace>
  );
}

/** What could not be loaded, and what stands in its place. */
const MissingNotice = () => {
  const { t } = useTranslation();
  const texts = useStore(textsMissing);
  const session = useStore(useApp().sessionSetAside);
  return texts || session ? (
    <Box mb="3">
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
    <Box mb="3">
      <Notice tone="warning">{text}</Notice>
    </Box>
  ) : null;
};

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

import { Box, Flex, Heading, Text } from '@chakra-ui/react';
import { shownProblem } from '@pilotfish/core/http/problem';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../platform/app-context.tsx';
import { useQuery } from '../platform/use-query.ts';
import { IconButton, Panel } from '../ui/controls.tsx';
import { Button } from '../ui/primitives.tsx';
import { problemText, showToast } from '../ui/toasts.ts';
import { useMoment } from '../ui/use-moment.ts';
import { type PushBrowser, type PushSupport, realPushBrowser } from './browser-push.ts';

/** Browsers that are told while no page is open, this one among them or not. */
export function BrowserPanel({ browser = realPushBrowser }: { browser?: PushBrowser }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const app = useApp();
  const [support, setSupport] = useState<PushSupport>(browser.support);
  const [isHere, setIsHere] = useState(false);
  const [busy, setBusy] = useState(false);
  const { data } = useQuery('push-browsers', (client, _: null, signal) => client.getPushKey(undefined, { signal, quiet: true }), null);
  const hasOthers = (data?.browsers.length ?? 0) > 0;
  useEffect(() => {
    if (support !== 'supported') return;
    let left = false;
    browser.subscribed().then(
      (endpoint) => !left && setIsHere(endpoint !== undefined),
      () => undefined,
    );
    return () => {
      left = true;
    };
  }, [browser, support]);
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    try {
      await app.busy.during(work());
    } catch (thrown) {
      // What the browser itself refuses (no push service reachable, say) is none of ours.
      const isOurs = typeof thrown === 'object' && thrown !== null && 'family' in thrown;
      void showToast('error', isOurs ? problemText(shownProblem(thrown), t) : t('notifications.push.refused'));
    }
    setBusy(false);
    setSupport(browser.support());
    app.queries.invalidate('push-browsers', 'notification-settings');
  };
  const subscribe = () =>
    attempt(async () => {
      if (!data || (await browser.ask()) !== 'granted') return;
      const body = await browser.subscribe(data.publicKey);
      await app.client.addPushSubscription({ body }, { quiet: true });
      setIsHere(true);
      void showToast('success', t('notifications.push.on'));
    });
  const forget = (id: string) =>
    attempt(async () => {
      await app.client.removePushSubscription({ params: { id } }, { quiet: true });
      // The last one known to the server was this one, if this one was.
      if (isHere && data?.browsers.length === 1) {
        await browser.unsubscribe();
        setIsHere(false);
      }
    });
  return (
    <Panel id="push">
      <Heading as="h2" textStyle="title" mb="1">
        {t('notifications.push.title')}
      </Heading>
      <Text fontSize="13px" color="fg.muted" mb="3">
        {t('notifications.push.lead')}
      </Text>
      {support === 'supported' ? (
        <Button size="sm" colorPalette="brand" disabled={busy || !data} onClick={() => void subscribe()}>
          {t(isHere && hasOthers ? 'notifications.push.again' : 'notifications.push.subscribe')}
        </Button>
      ) : (
        <Text fontSize="14px">{t(`notifications.push.support.${support}`)}</Text>
      )}
      {hasOthers && (
        <Flex as="ul" direction="column" listStyleType="none" mt="3">
          {data?.browsers.map(({ id, device, createdAt }) => (
            <Flex as="li" key={id} justify="space-between" align="center" gap="3" py="2" borderTopWidth="1px" borderColor="border.subtle">
              <Box minW="0">
                <Text fontSize="14px" truncate title={device}>
                  {device}
                </Text>
                <Text fontSize="12px" color="fg.muted">
                  {moment(createdAt)}
                </Text>
              </Box>
              <IconButton icon="trash" label={t('notifications.push.forget', { device })} onClick={() => void forget(id)} />
            </Flex>
          ))}
        </Flex>
      )}
    </Panel>
  );
}

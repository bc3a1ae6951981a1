import { Box, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import { shownProblem } from '@pilotfish/core/http/problem';
import type { TelegramLink } from '@pilotfish/core/telegram-connection/telegram-link-machine';
import { formatCountdown } from '@pilotfish/core/time/duration';
import { useSelector } from '@xstate/react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NextStep, useNextStep } from '../app/next-step/next-step.tsx';
import { useRemembered } from '../app/next-step/use-first-days.ts';
import { useApp } from '../platform/app-context.tsx';
import { useIsAdmin } from '../platform/use-session.ts';
import { Badge, IconButton, LinkButton, Notice, Panel } from '../ui/controls.tsx';
import { ConfirmAction } from '../ui/dialogs/confirm-dialog.tsx';
import { Icon } from '../ui/icons.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Button } from '../ui/primitives.tsx';
import { QrCode } from '../ui/qr-code.tsx';
import { EmptyState, ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { problemText, showToast } from '../ui/toasts.ts';
import { useMoment } from '../ui/use-moment.ts';
import { type TelegramLinkActor, unlink, useTelegramLink } from './use-telegram-link.ts';

type Link = { link: string; code: string; botName: string; expiresAt: string };

/** Links a Telegram chat: the bot's deep link, and the way back with the bot's own code in the address. */
export default function TelegramConnectPage() {
  const { t } = useTranslation();
  const actor = useTelegramLink();
  return (
    <>
      <PageHeader title={t('routes.telegramConnect')} lead={t('telegramConnect.lead')} />
      <TelegramLinkPanel actor={actor} />
    </>
  );
}

/** What is known of the link, and what its machine takes now. */
export function TelegramLinkPanel({ actor }: { actor: TelegramLinkActor }) {
  const { t } = useTranslation();
  const snapshot = useSelector(actor, (each) => each);
  const { link, problem } = snapshot.context;
  const ask = () => actor.send({ type: 'link.asked' });
  const [isNew, setNew] = useState(false);
  if (link?.connected === false && !isNew) setNew(true);
  if (snapshot.matches('unknown'))
    return (
      <Panel>
        <ErrorPanel problem={problem} onRetry={ask} />
      </Panel>
    );
  return (
    <>
      {problem && !snapshot.can({ type: 'disconnect.asked' }) && (
        <Box mb="4">
          <Notice tone="error" title={t('telegramConnect.failed')}>
            {problemText(problem, t)}
          </Notice>
        </Box>
      )}
      {!link || (snapshot.hasTag('busy') && !link.connected) ? (
        <Panel>
          <Skeleton rows={6} height={32} />
        </Panel>
      ) : link.connected ? (
        <Connected actor={actor} link={link} isNew={isNew} />
      ) : link.link && link.code && link.expiresAt ? (
        <Connect
          key={link.code}
          link={{ link: link.link, code: link.code, botName: link.botName ?? '', expiresAt: link.expiresAt }}
          isOver={snapshot.matches('over')}
          onAgain={ask}
        />
      ) : (
        <NoBot reason={link.reason ?? 'not-configured'} onRetry={ask} />
      )}
    </>
  );
}

function NoBot({ reason, onRetry }: { reason: 'not-configured' | 'unreachable'; onRetry: () => void }) {
  const { t } = useTranslation();
  const isAdmin = useIsAdmin();
  return (
    <Panel>
      <EmptyState
        icon="alerts"
        title={t(`telegramConnect.none.${reason}.title`)}
        action={
          reason === 'unreachable' ? (
            <Button colorPalette="brand" onClick={onRetry}>
              {t('ui.retry')}
            </Button>
          ) : (
            <LinkButton to="/user/notifications?tab=settings" colorPalette="brand">
              {t('telegramConnect.otherWays')}
            </LinkButton>
          )
        }
      >
        <Text>{t(`telegramConnect.none.${reason}.${isAdmin ? 'admin' : 'user'}`)}</Text>
      </EmptyState>
    </Panel>
  );
}

/** Three steps, the code in each of its forms, and how long it works. */
function Connect({ link: { link, code, botName, expiresAt }, isOver, onAgain }: { link: Link; isOver: boolean; onAgain: () => void }) {
  const { t } = useTranslation();
  const left = useSecondsLeft(expiresAt);
  return (
    <Panel>
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', md: 'auto minmax(0, 1fr)' }} gap="6" alignItems="start">
        <Box opacity={isOver ? 0.25 : 1} justifySelf="center">
          <QrCode text={link} label={t('telegramConnect.qr')} size={208} />
        </Box>
        <Flex direction="column" gap="4" minW="0">
          <Heading as="h2" textStyle="title">
            {t('telegramConnect.title', { bot: `@${botName}` })}
          </Heading>
          <Flex as="ol" direction="column" gap="2" ps="5" listStyleType="decimal">
            <li>{t('telegramConnect.step.open')}</li>
            <li>{t('telegramConnect.step.start')}</li>
            <li>{t('telegramConnect.step.back')}</li>
          </Flex>
          {isOver ? (
            <Flex direction="column" gap="3" align="flex-start">
              <Notice tone="warning">{t('telegramConnect.over')}</Notice>
              <Button colorPalette="brand" onClick={onAgain}>
                <Icon name="refresh" size={18} />
                {t('telegramConnect.again')}
              </Button>
            </Flex>
          ) : (
            <>
              <Button asChild colorPalette="brand" alignSelf="flex-start">
                <a href={link} target="_blank" rel="noreferrer noopener">
                  <Icon name="external" size={18} />
                  {t('telegramConnect.open')}
                </a>
              </Button>
              <Box>
                <Text fontSize="13px" color="fg.muted">
                  {t('telegramConnect.type')}
                </Text>
                <Flex gap="2" align="center">
                  <Text as="code" overflowWrap="anywhere" translate="no">
                    /start {code}
                  </Text>
                  <IconButton
                    icon="copy"
                    label={t('ui.copy')}
                    onClick={() => void navigator.clipboard.writeText(`/start ${code}`).then(() => showToast('success', t('ui.copied')))}
                  />
                </Flex>
              </Box>
              <Text fontSize="13px" color="fg.muted" role="timer" css={{ fontVariantNumeric: 'tabular-nums' }}>
                {t('telegramConnect.left', { time: formatCountdown(left * 1000) })}
              </Text>
            </>
          )}
        </Flex>
      </Grid>
    </Panel>
  );
}

/** Whole seconds until a moment, counting down. */
function useSecondsLeft(until: string): number {
  const { now } = useApp().browser;
  const end = Date.parse(until);
  const [left, setLeft] = useState(() => Math.max(0, Math.ceil((end - now()) / 1000)));
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((end - now()) / 1000))), 1000);
    return () => clearInterval(timer);
  }, [end, now]);
  return left;
}

/** @param isNew it was linked while this page was open */
function Connected({ actor, link, isNew }: { actor: TelegramLinkActor; link: TelegramLink; isNew: boolean }) {
  const { botName, connectedAt, mutedUntil, available: works } = link;
  const { t } = useTranslation();
  const app = useApp();
  const remember = useRemembered();
  const canDisconnect = useSelector(actor, (each) => each.can({ type: 'disconnect.asked' }));
  const moment = useMoment();
  const refused = (thrown: unknown) => void showToast('error', problemText(shownProblem(thrown), t));
  const test = () =>
    app.busy.during(app.client.sendTestNotification({ body: { channel: 'telegram' } }, { quiet: true })).then(({ delivered, failure }) => {
      if (delivered) {
        remember('test');
        void showToast('success', t('notifications.testSent'));
      } else void showToast('error', t(`notifications.failures.${failure ?? 'failed'}`, { defaultValue: failure ?? '' }));
      actor.send({ type: 'link.asked' });
    }, refused);
  const isTestNext = useNextStep('channel', { isNew })?.id === 'test';
  const testButton = (
    <Button
      {...(isTestNext ? { size: 'sm', colorPalette: 'brand' } : { variant: 'outline', color: 'fg' })}
      disabled={!works}
      onClick={() => void test()}
    >
      {t('notifications.sendTest')}
    </Button>
  );
  return (
    <>
      <NextStep after="channel" isNew={isNew} doneHere={({ id }) => (id === 'test' ? testButton : undefined)} />
      <Panel>
        <Flex direction="column" gap="4" align="flex-start">
          <Flex gap="2" align="center" wrap="wrap">
            <Heading as="h2" textStyle="title">
              {t('telegramConnect.connected')}
            </Heading>
            <Badge tone={works ? 'brand' : 'danger'}>{t(works ? 'notifications.works' : 'notifications.worksNot')}</Badge>
          </Flex>
          <Text color="fg.muted">
            {connectedAt && t('telegramConnect.since', { at: moment(connectedAt) })}
            {botName && ` · @${botName}`}
          </Text>
          {mutedUntil && <Notice tone="warning">{t('telegramConnect.muted', { until: moment(mutedUntil) })}</Notice>}
          <Text>{t('telegramConnect.can')}</Text>
          <Flex gap="2" wrap="wrap">
            {!isTestNext && testButton}
            <LinkButton to="/user/notifications?tab=settings" variant="outline" color="fg">
              {t('notifications.whatWhere')}
            </LinkButton>
            <ConfirmAction
              variant="outline"
              disabled={!canDisconnect}
              title={t('telegramConnect.disconnectTitle')}
              label={t('telegramConnect.disconnect')}
              danger
              onConfirm={() => unlink(actor)}
            >
              {t('telegramConnect.disconnectLead')}
            </ConfirmAction>
          </Flex>
        </Flex>
      </Panel>
    </>
  );
}

import { Flex, Heading, Text } from '@chakra-ui/react';
import type { NotificationSettings as Settings } from '@pilotfish/core/notifications/notifications-contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../platform/app-context.tsx';
import { useAction } from '../platform/use-action.ts';
import { IconButton, Notice, Panel, TextField } from '../ui/controls.tsx';
import { Button } from '../ui/primitives.tsx';
import { problemText, showToast } from '../ui/toasts.ts';
import { choicesOf } from './use-notifications.ts';

/** The address that is called for whatever is routed to it. Its key is shown once. */
export function WebhookPanel({ settings }: { settings: Settings }) {
  const { t } = useTranslation();
  const { client } = useApp();
  const [url, setUrl] = useState('');
  const [secret, setSecret] = useState<string>();
  const { problem, run } = useAction();
  const target = settings.channels.find(({ channel }) => channel === 'webhook')?.target ?? null;
  const save = (change: { webhookUrl?: string | null; newWebhookSecret?: boolean }) =>
    run(() => client.saveNotificationSettings({ body: { ...choicesOf(settings), ...change } }, { quiet: true }), {
      stale: ['notification-settings'],
      onDone: ({ webhookSecret }) => {
        setSecret(webhookSecret ?? undefined);
        setUrl('');
      },
    });
  return (
    <Panel id="webhook">
      <Heading as="h2" textStyle="title" mb="1">
        {t('notifications.webhook.title')}
      </Heading>
      <Text fontSize="13px" color="fg.muted" mb="3">
        {t('notifications.webhook.lead')}
      </Text>
      {target !== null && (
        <Flex justify="space-between" align="center" gap="3" wrap="wrap" mb="3">
          <Text overflowWrap="anywhere">{t('notifications.webhook.goesTo', { host: target })}</Text>
          <Flex gap="2" wrap="wrap">
            <Button size="xs" variant="outline" color="fg" onClick={() => void save({ newWebhookSecret: true })}>
              {t('notifications.webhook.newKey')}
            </Button>
            <Button size="xs" variant="outline" color="fg" onClick={() => void save({ webhookUrl: null })}>
              {t('notifications.webhook.remove')}
            </Button>
          </Flex>
        </Flex>
      )}
      {secret !== undefined && (
        <Notice tone="warning" title={t('notifications.webhook.keyOnce')}>
          <Flex gap="2" align="center" mt="1">
            <Text as="code" overflowWrap="anywhere" fontSize="13px">
              {secret}
            </Text>
            <IconButton
              icon="copy"
              label={t('ui.copy')}
              onClick={() => void navigator.clipboard.writeText(secret).then(() => showToast('success', t('ui.copied')))}
            />
          </Flex>
        </Notice>
      )}
      <Flex
        as="form"
        direction="column"
        gap="3"
        mt="3"
        onSubmit={(event) => {
          event.preventDefault();
          if (url.trim() !== '') void save({ webhookUrl: url.trim() });
        }}
      >
        <TextField
          label={t(target === null ? 'notifications.webhook.address' : 'notifications.webhook.other')}
          type="url"
          inputMode="url"
          value={url}
          placeholder="https://"
          maxLength={2000}
          error={problem && (problem.fields?.map(({ message }) => message).join(' ') || problemText(problem, t))}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <Button type="submit" size="sm" alignSelf="flex-start" colorPalette="brand" disabled={url.trim() === ''}>
          {t('notifications.webhook.save')}
        </Button>
      </Flex>
    </Panel>
  );
}

import { Flex, Heading, Text } from '@chakra-ui/react';
import { SESSION_KEY } from '@pilotfish/core/session/stored-session';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../platform/app-context.tsx';
import { useAction } from '../platform/use-action.ts';
import { Notice, Panel, TextField } from '../ui/controls.tsx';
import { Decision, Dialog } from '../ui/dialogs/dialog.tsx';
import { Button } from '../ui/primitives.tsx';
import { problemText } from '../ui/toasts.ts';
import { useStepUp } from './step-up.tsx';

/** The way out: what it takes along is said before, and the name is typed so that no slip does it. */
export function LeavePanel({ username }: { username: string }) {
  const { t } = useTranslation();
  const app = useApp();
  const { ask, dialog } = useStepUp();
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const { problem, run } = useAction();
  const matches = typed.trim().toLowerCase() === username.toLowerCase();
  const leave = async () => {
    setOpen(false);
    const headers = await ask('any', t('stepUp.why.leave'));
    if (!headers) return;
    await run(() => app.client.deleteAccount({ body: { username: typed.trim() } }, { headers, quiet: true }), {
      onDone: () => {
        // There is nobody to sign out any more: a full load forgets everything that was held of the account.
        app.browser.storage.remove(SESSION_KEY);
        app.browser.load('/auth/login');
      },
    });
  };
  return (
    <Panel>
      <Heading as="h2" textStyle="title" mb="1">
        {t('account.leave.title')}
      </Heading>
      <Text color="fg.muted" mb="4">
        {t('account.leave.lead')}
      </Text>
      {problem && (
        <Flex mb="3">
          <Notice tone="error">{problemText(problem, t)}</Notice>
        </Flex>
      )}
      <Button variant="outline" colorPalette="danger" onClick={() => setOpen(true)}>
        {t('account.leave.start')}
      </Button>
      <Dialog
        open={open}
        title={t('account.leave.title')}
        onClose={() => setOpen(false)}
        actions={
          <Decision
            confirm={t('account.leave.confirm')}
            danger
            disabled={!matches}
            onConfirm={() => void leave()}
            onCancel={() => setOpen(false)}
          />
        }
      >
        <Flex as="ul" direction="column" gap="2" mb="4" ps="5">
          {(['bots', 'keys', 'sessions', 'trades'] as const).map((point) => (
            <li key={point}>{t(`account.leave.${point}`)}</li>
          ))}
        </Flex>
        <TextField
          label={t('account.leave.type', { username })}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </Dialog>
      {dialog}
    </Panel>
  );
}

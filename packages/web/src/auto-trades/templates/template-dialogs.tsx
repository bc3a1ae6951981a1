import { chakra, Text } from '@chakra-ui/react';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { type BotTemplate, TEMPLATE_NAME_LENGTH } from '@pilotfish/core/auto-trades/bot-templates-contract';
import type { AutoTradeConfigInput } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { botSettingsOf } from '@pilotfish/core/auto-trades/config/bot-settings';
import { nameKey } from '@pilotfish/core/fields/name-key';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice, TextField } from '../../ui/controls.tsx';
import { Dialog, FormEnd } from '../../ui/dialogs/dialog.tsx';
import { NotDone } from '../../ui/dialogs/not-done.tsx';
import { useConfirming } from '../../ui/dialogs/use-confirming.ts';
import { problemText } from '../../ui/toasts.ts';
import { useBotTemplates, useTemplateChanges } from './use-templates.ts';

/**
 * Saves settings as a template. A name that a template already has replaces its settings; the dialog warns first.
 * @param config the bot or draft whose settings they are
 * @param currency of its wallet
 * @param suggested the name to begin with
 */
export function SaveTemplateDialog({
  open,
  config,
  currency,
  suggested,
  onClose,
}: {
  open: boolean;
  config: AutoTradeConfigInput;
  currency: string;
  suggested: string;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  return (
    <Dialog open={open} title={t('autoTrades.templates.save')} onClose={onClose}>
      <SaveForm config={config} currency={currency} suggested={suggested} onClose={onClose} />
    </Dialog>
  );
}

/** The same for the menu of a bot: `dialog` stands beside the menu, which closes. */
export function useSaveAsTemplate({ config, currency, name }: Pick<AutoTrade, 'config' | 'currency' | 'name'>) {
  const [open, setOpen] = useState(false);
  const dialog = <SaveTemplateDialog open={open} config={config} currency={currency} suggested={name} onClose={() => setOpen(false)} />;
  return { dialog, ask: () => setOpen(true) };
}

type Saved = { readonly config: AutoTradeConfigInput; readonly currency: string; readonly suggested: string };

function SaveForm({ config, currency, suggested, onClose }: Saved & { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const templates = useBotTemplates().data ?? [];
  const { create, replace } = useTemplateChanges();
  const [name, setName] = useState(suggested.slice(0, TEMPLATE_NAME_LENGTH).trim());
  const old = templates.find((each) => nameKey(each.name) === nameKey(name));
  return (
    <NameForm
      name={name}
      onName={setName}
      lead={t('autoTrades.templates.saveLead')}
      note={old && <Notice tone="warning">{t('autoTrades.templates.exists')}</Notice>}
      confirm={t(old ? 'autoTrades.templates.replace' : 'autoTrades.templates.submit')}
      work={() => (old ? replace(old, botSettingsOf(config), currency) : create(name.trim(), botSettingsOf(config), currency))}
      onClose={onClose}
    />
  );
}

/** @param template the one to rename; closed without one */
export function RenameTemplateDialog({ template, onClose }: { template: BotTemplate | undefined; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog open={template !== undefined} title={t('autoTrades.templates.renameTitle')} onClose={onClose}>
      {template && <RenameForm template={template} onClose={onClose} />}
    </Dialog>
  );
}

function RenameForm({ template, onClose }: { template: BotTemplate; onClose: () => void }) {
  const { t } = useTranslation();
  const { rename } = useTemplateChanges();
  const [name, setName] = useState(template.name);
  // As it is after a refusal because somebody else changed it.
  const newest = useBotTemplates().data?.find(({ id }) => id === template.id) ?? template;
  return (
    <NameForm
      name={name}
      onName={setName}
      confirm={t('autoTrades.templates.rename')}
      work={() => rename(newest, name.trim())}
      onClose={onClose}
    />
  );
}

/** The one field of both dialogs; a name that is taken is an error of the field. */
function NameForm({
  name,
  onName,
  lead,
  note,
  confirm,
  work,
  onClose,
}: {
  name: string;
  onName: (name: string) => void;
  lead?: string;
  note?: ReactNode;
  confirm: string;
  /** Rejects when it was not done. */
  work: () => Promise<unknown>;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const { busy, problem, close, confirm: run } = useConfirming(onClose);
  const isTaken = problem?.code === 'name-taken';
  return (
    <chakra.form
      display="flex"
      flexDirection="column"
      gap="4"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '' && !busy) run(work);
      }}
    >
      {lead !== undefined && (
        <Text color="fg.muted" fontSize="14px" lineHeight="20px">
          {lead}
        </Text>
      )}
      <TextField
        label={t('autoTrades.templates.name')}
        value={name}
        maxLength={TEMPLATE_NAME_LENGTH}
        required
        autoFocus
        autoComplete="off"
        error={isTaken ? problemText(problem, t) : undefined}
        onChange={(event) => onName(event.currentTarget.value)}
      />
      {note}
      <NotDone problem={isTaken ? undefined : problem} />
      <FormEnd confirm={confirm} disabled={name.trim() === '' || busy} onCancel={close} />
    </chakra.form>
  );
}

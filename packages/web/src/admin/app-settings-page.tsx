import { Flex, Grid, Heading, Text, Textarea } from '@chakra-ui/react';
import { APP_SETTINGS, SETTING_KEYS, type SettingKey, type SettingValue } from '@pilotfish/core/admin/app-settings';
import type { ShownSetting } from '@pilotfish/core/admin/instance-contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../platform/app-context.tsx';
import { useDeed } from '../platform/use-action.ts';
import { useQuery } from '../platform/use-query.ts';
import { Badge, Field, Panel, TextField } from '../ui/controls.tsx';
import { said } from '../ui/dialogs/use-confirming.ts';
import { SelectField } from '../ui/fields/select-field.tsx';
import { SwitchField } from '../ui/fields/switch-field.tsx';
import { Button } from '../ui/primitives.tsx';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { ManagementFrame } from './management-frame.tsx';
import { useRoles } from './roles-panel.tsx';

const GROUPS = [...new Set(SETTING_KEYS.map((key) => key.split('.')[0] ?? ''))];
type Draft = Partial<Record<SettingKey, SettingValue | null>>;

/** What an Admin may set while the instance runs; everything is checked, audited, and in effect within seconds. */
export default function AppSettingsPage() {
  const { t } = useTranslation();
  const app = useApp();
  const deed = useDeed({ toasts: true });
  const [draft, setDraft] = useState<Draft>({});
  const { data, hasFailed, problem, retry } = useQuery(
    'app-settings',
    (client, _: null, signal) => client.listAppSettings(undefined, { signal, quiet: true }),
    null,
  );
  const dirty = Object.keys(draft).length > 0;
  const save = async () => {
    await deed(
      app.client.changeAppSettings({ body: { values: draft } }, { quiet: true }),
      ['app-settings', 'admin-audit', 'config'],
      t('management.settings.saved'),
    );
    setDraft({});
  };
  return (
    <ManagementFrame
      title={t('routes.appSettings')}
      lead={t('management.settings.lead')}
      actions={
        <>
          {dirty && (
            <Button variant="ghost" color="fg" onClick={() => setDraft({})}>
              {t('ui.cancel')}
            </Button>
          )}
          <Button colorPalette="brand" disabled={!dirty} onClick={() => said(save())}>
            {t('management.save')}
          </Button>
        </>
      }
    >
      {!data ? (
        hasFailed ? (
          <ErrorPanel problem={problem} onRetry={retry} />
        ) : (
          <Skeleton rows={8} height={56} />
        )
      ) : (
        <Grid templateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) minmax(0, 1fr)' }} gap="5" alignItems="start">
          {GROUPS.map((group) => (
            <Panel key={group}>
              <Heading as="h2" textStyle="title" mb="4">
                {t(`management.settings.group.${group}`)}
              </Heading>
              <Flex direction="column" gap="5">
                {data.items
                  .filter(({ key }) => key.startsWith(`${group}.`))
                  .map((setting) => (
                    <Setting
                      key={setting.key}
                      setting={setting}
                      draft={draft[setting.key]}
                      onChange={(value) => setDraft((before) => ({ ...before, [setting.key]: value }))}
                    />
                  ))}
              </Flex>
            </Panel>
          ))}
        </Grid>
      )}
    </ManagementFrame>
  );
}

function Setting({
  setting,
  draft,
  onChange,
}: {
  setting: ShownSetting;
  draft: SettingValue | null | undefined;
  onChange: (value: SettingValue | null) => void;
}) {
  const { t } = useTranslation();
  const { key } = setting;
  const kind = APP_SETTINGS[key];
  const value = draft === undefined ? setting.value : (draft ?? setting.default);
  const label = t(`appSettings.${key}.label`);
  const hint = t(`appSettings.${key}.hint`);
  const canRestore = draft === undefined ? setting.updatedAt !== null : draft !== null;
  return (
    <Flex direction="column" gap="2" align="stretch">
      {control()}
      <Flex gap="2" align="center" wrap="wrap" fontSize="13px" color="fg.muted">
        {draft !== undefined && <Badge tone="secondary">{t('management.settings.unsaved')}</Badge>}
        {canRestore && (
          <Button
            aria-label={`${t('management.settings.restore', { value: shown(setting.default) })}: ${label}`}
            size="xs"
            variant="ghost"
            color="fg.muted"
            onClick={() => onChange(null)}
          >
            {t('management.settings.restore', { value: shown(setting.default) })}
          </Button>
        )}
      </Flex>
    </Flex>
  );

  function shown(text: SettingValue): string {
    if (kind.kind === 'choice') return t(`management.settings.choice.${String(text)}`);
    return (Array.isArray(text) ? text.join(', ') : String(text)) || '–';
  }

  function control(): ReactNode {
    switch (kind.kind) {
      case 'choice':
        return (
          <SelectField
            label={label}
            hint={hint}
            value={String(value)}
            options={kind.choices.map((choice) => ({ value: choice, label: t(`management.settings.choice.${choice}`) }))}
            onChange={onChange}
          />
        );
      case 'switch':
        return <SwitchField label={label} hint={hint} checked={value === true} onChange={onChange} />;
      case 'number':
        return (
          <TextField
            label={label}
            hint={`${hint} (${kind.min}–${kind.max})`}
            type="number"
            inputMode="numeric"
            min={kind.min}
            max={kind.max}
            value={String(value)}
            onChange={(event) => onChange(event.currentTarget.valueAsNumber || 0)}
          />
        );
      case 'urls':
        return (
          <Lines
            label={label}
            hint={hint}
            value={(value as string[]).join('\n')}
            onChange={(text) => onChange(text === '' ? [] : text.split('\n').map((line) => line.trim()))}
          />
        );
      case 'role':
        return <RoleField label={label} hint={hint} value={String(value)} onChange={onChange} />;
      case 'text':
        return kind.long ? (
          <Lines label={label} hint={hint} value={String(value)} onChange={onChange} />
        ) : (
          <TextField
            label={label}
            hint={hint}
            maxLength={kind.max}
            value={String(value)}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        );
    }
  }
}

/** One of the roles that Admins made; Admin itself is given by hand only. */
function RoleField({ value, ...field }: { label: string; hint: string; value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation();
  const made = useRoles().data?.filter(({ id }) => id !== null) ?? [];
  const names = [...new Set([...(value === '' ? [] : [value]), ...made.map(({ name }) => name)])];
  const options = [{ value: '', label: t('management.settings.noRole') }, ...names.map((name) => ({ value: name, label: name }))];
  return <SelectField {...field} value={value} options={options} />;
}

const Lines = ({ label, hint, value, onChange }: { label: string; hint: string; value: string; onChange: (text: string) => void }) => (
  <Field label={label} hint={<Text as="span">{hint}</Text>}>
    {(control) => <Textarea {...control} value={value} rows={3} onChange={(event) => onChange(event.currentTarget.value)} />}
  </Field>
);

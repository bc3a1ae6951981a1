import { chakra, Flex, Grid, Text, Textarea } from '@chakra-ui/react';
import { IMPORT_ENTRIES, type LocalizationResource, textsDocumentSchema } from '@pilotfish/core/admin/localization-contract';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { useApp } from '../platform/app-context.tsx';
import { useDeed } from '../platform/use-action.ts';
import { pageField, useAddress } from '../platform/use-address.ts';
import { useQuery } from '../platform/use-query.ts';
import { Badge, Field, Panel, Segments, TextField } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { said } from '../ui/dialogs/use-confirming.ts';
import { Icon } from '../ui/icons.tsx';
import { Button, Input } from '../ui/primitives.tsx';
import { PagedTable } from '../ui/tables/paged-table.tsx';
import { showToast } from '../ui/toasts.ts';
import { EditButton, EditorActions } from './editor-parts.tsx';
import { ManagementFrame } from './management-frame.tsx';
import { useFinish } from './use-admin.ts';

const STATES = ['all', 'missing', 'changed', 'same'] as const;
const LISTED = { filter: z.string().default(''), page: pageField, state: z.enum(STATES).default('all') };
const LISTS = ['admin-texts', 'admin-audit'];
/** Every text of the product, in both languages side by side; what is changed here is seen everywhere within seconds. */
export default function LocalizationResourcesPage() {
  const { t } = useTranslation();
  const app = useApp();
  const [params, change] = useAddress(LISTED);
  const { state } = params;
  const deed = useDeed({ toasts: true });
  const file = useRef<HTMLInputElement>(null);
  const [editing, setEditing] = useState<LocalizationResource | 'new'>();
  const query = useQuery(
    'admin-texts',
    (client, asked: typeof params, signal) =>
      client.listLocalizationResources({ query: { ...asked, pageSize: 20 } }, { signal, quiet: true }),
    params,
  );
  const { counts } = query.data ?? {};

  const save = async () => {
    const scope = state === 'changed' || (counts?.changed ?? 0) > 0 ? 'changed' : 'all';
    const answer = await deed(app.client.exportLocalizationResources({ query: { scope } }, { quiet: true }), []);
    const url = URL.createObjectURL(new Blob([`${JSON.stringify(answer, null, 2)}\n`], { type: 'application/json' }));
    Object.assign(document.createElement('a'), { href: url, download: 'pilotfish-texts.json' }).click();
    URL.revokeObjectURL(url);
  };
  const take = async (chosen: File) => {
    let parsed: ReturnType<typeof textsDocumentSchema.parse>;
    try {
      parsed = textsDocumentSchema.parse(JSON.parse(await chosen.text()));
    } catch {
      void showToast('error', t('management.texts.badFile'));
      return;
    }
    const entries = Object.entries(parsed.texts);
    const sum = { added: 0, changed: 0, unchanged: 0 };
    for (let from = 0; from < entries.length; from += IMPORT_ENTRIES) {
      const texts = Object.fromEntries(entries.slice(from, from + IMPORT_ENTRIES));
      const part = await deed(app.client.importLocalizationResources({ body: { format: parsed.format, texts } }, { quiet: true }), LISTS);
      sum.added += part.added;
      sum.changed += part.changed;
      sum.unchanged += part.unchanged;
    }
    void showToast('success', t('management.texts.imported', sum));
  };

  return (
    <ManagementFrame
      title={t('routes.localizationResources')}
      lead={t('management.texts.lead')}
      actions={
        <>
          <Button variant="outline" color="fg" onClick={() => said(save())}>
            <Icon name="down" size={16} />
            {t('management.texts.export')}
          </Button>
          <Button variant="outline" color="fg" onClick={() => file.current?.click()}>
            <Icon name="up" size={16} />
            {t('management.texts.import')}
          </Button>
          <Button colorPalette="brand" onClick={() => setEditing('new')}>
            <Icon name="plus" size={16} />
            {t('management.texts.add')}
          </Button>
          <input
            ref={file}
            type="file"
            accept="application/json,.json"
            hidden
            onChange={(event) => {
              const chosen = event.currentTarget.files?.[0];
              event.currentTarget.value = '';
              if (chosen) said(take(chosen));
            }}
          />
        </>
      }
    >
      <Panel>
        <Flex gap="4" mb="4" wrap="wrap" align="flex-end">
          <Flex direction="column" minW="min(100%, 320px)">
            <TextField
              label={t('management.texts.search')}
              type="search"
              value={params.filter}
              onChange={(event) => change({ filter: event.currentTarget.value })}
            />
          </Flex>
          <Segments
            label={t('management.texts.show')}
            size="sm"
            value={state}
            options={STATES.map((each) => ({
              value: each,
              label: `${t(`management.texts.state.${each}`)} ${counts?.[each] ?? ''}`.trim(),
            }))}
            onChange={(next) => change({ state: next })}
          />
        </Flex>
        <PagedTable<LocalizationResource>
          label={t('routes.localizationResources')}
          query={query}
          rowKey={({ id }) => id}
          onPage={(page) => change({ page })}
          empty={t('management.texts.none')}
          columns={[
            {
              key: 'key',
              label: t('management.texts.key'),
              cell: ({ key, changed, missing }) => (
                <Flex direction="column" gap="1" align="flex-start" minW="136px">
                  <chakra.code fontFamily="mono" fontSize="12px" overflowWrap="anywhere" lang="en" translate="no">
                    {key.replaceAll('.', '\u200b.')}
                  </chakra.code>
                  <Flex gap="1">
                    {changed && <Badge tone="brand">{t('management.texts.state.changed')}</Badge>}
                    {missing.map((language) => (
                      <Badge key={language} tone="danger">
                        {t('management.texts.missingIn', { language: language.toUpperCase() })}
                      </Badge>
                    ))}
                  </Flex>
                </Flex>
              ),
            },
            ...(['en', 'tr'] as const).map((language) => ({
              key: language,
              label: language === 'en' ? 'English' : 'Türkçe',
              cell: ({ values }: LocalizationResource) => (
                <Text lang={language} minW="160px" maxW="380px" overflowWrap="anywhere" whiteSpace="pre-line" lineClamp={4}>
                  {values[language]}
                </Text>
              ),
            })),
            {
              key: 'actions',
              label: t('management.actions'),
              align: 'end',
              cell: (resource) => <EditButton of={resource.key} onClick={() => setEditing(resource)} />,
            },
          ]}
        />
      </Panel>
      {editing && <Editor resource={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />}
    </ManagementFrame>
  );
}

/** Both languages side by side, with what the product itself says below. */
function Editor({ resource, onClose }: { resource: LocalizationResource | undefined; onClose: () => void }) {
  const { t } = useTranslation();
  const app = useApp();
  const [key, setKey] = useState(resource?.key ?? '');
  const [values, setValues] = useState({
    en: resource?.values.en ?? '',
    tr: resource?.missing.includes('tr') ? '' : (resource?.values.tr ?? ''),
  });
  const finish = useFinish(LISTS, onClose);
  const body = { key: key.trim(), values: Object.fromEntries(Object.entries(values).filter(([, text]) => text.trim() !== '')) };
  const store = () =>
    finish(
      resource
        ? app.client.updateLocalizationResource({ params: { id: resource.id }, body }, { quiet: true })
        : app.client.createLocalizationResource({ body }, { quiet: true }),
      t('management.texts.saved'),
    );
  return (
    <Dialog
      open
      width={860}
      title={t(resource ? 'management.texts.editTitle' : 'management.texts.add')}
      onClose={onClose}
      actions={
        <EditorActions
          undo={
            resource?.changed
              ? {
                  label: t(resource.bundled ? 'management.texts.restore' : 'management.delete'),
                  onClick: () =>
                    void finish(
                      app.client.deleteLocalizationResource({ params: { id: resource.id } }, { quiet: true }),
                      t('management.texts.restored'),
                    ),
                }
              : undefined
          }
          ready={body.key !== '' && Object.keys(body.values).length > 0}
          onSave={() => void store()}
          onClose={onClose}
        />
      }
    >
      <Field label={t('management.texts.key')}>
        {(control) => (
          <Input
            {...control}
            value={key}
            readOnly={resource !== undefined}
            fontFamily="mono"
            spellCheck={false}
            autoCapitalize="none"
            lang="en"
            onChange={(event) => setKey(event.currentTarget.value)}
          />
        )}
      </Field>
      <Grid templateColumns={{ base: '1fr', md: '1fr 1fr' }} gap="4" mt="4">
        {(['en', 'tr'] as const).map((language) => (
          <Field
            key={language}
            label={language === 'en' ? 'English' : 'Türkçe'}
            hint={resource?.bundled ? t('management.texts.bundled', { text: resource.bundled[language] }) : undefined}
          >
            {(control) => (
              <Textarea
                {...control}
                lang={language}
                value={values[language]}
                rows={6}
                maxLength={4000}
                onChange={(event) => setValues({ ...values, [language]: event.currentTarget.value })}
              />
            )}
          </Field>
        ))}
      </Grid>
    </Dialog>
  );
}

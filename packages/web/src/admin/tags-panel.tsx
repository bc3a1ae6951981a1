import { Flex, Text } from '@chakra-ui/react';
import type { AdminTag } from '@pilotfish/core/admin/instance-contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../platform/app-context.tsx';
import { useQuery } from '../platform/use-query.ts';
import { Badge, TextField } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { Icon } from '../ui/icons.tsx';
import { Button } from '../ui/primitives.tsx';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { EditButton, EditorActions } from './editor-parts.tsx';
import { useFinish } from './use-admin.ts';

const LISTS = ['admin-tags', 'admin-audit', 'tags'];
const KEY = /^[a-z0-9][a-z0-9-]{1,39}$/;
const NEW: AdminTag = { key: '', labels: { en: '', tr: '' }, assets: [], builtIn: false };

/** Tags of base assets: the built-in ones to look at, those of this instance to change. */
export function TagsPanel() {
  const { t, i18n } = useTranslation();
  const [editing, setEditing] = useState<AdminTag>();
  const { data, hasFailed, problem, retry } = useQuery(
    'admin-tags',
    (client, _: null, signal) => client.listAdminTags(undefined, { signal, quiet: true }),
    null,
  );
  if (!data) return hasFailed ? <ErrorPanel problem={problem} onRetry={retry} /> : <Skeleton rows={4} height={28} />;
  return (
    <>
      <Flex as="ul" direction="column" listStyleType="none">
        {data.items.map((tag) => (
          <Flex
            as="li"
            key={tag.key}
            gap="3"
            py="2"
            align="center"
            borderTopWidth="1px"
            borderColor="border.subtle"
            justify="space-between"
          >
            <Flex direction="column" minW="0">
              <Flex gap="2" align="center" wrap="wrap">
                <Text fontWeight="600">{tag.labels[i18n.language === 'tr' ? 'tr' : 'en']}</Text>
                {tag.builtIn && <Badge>{t('management.tags.builtIn')}</Badge>}
              </Flex>
              <Text color="fg.muted" fontSize="13px" overflowWrap="anywhere" lineClamp={2}>
                {tag.assets.join(' ') || t('management.tags.derived')}
              </Text>
            </Flex>
            {!tag.builtIn && <EditButton of={tag.key} onClick={() => setEditing(tag)} />}
          </Flex>
        ))}
      </Flex>
      <Button mt="4" variant="outline" color="fg" onClick={() => setEditing(NEW)}>
        <Icon name="plus" size={16} />
        {t('management.tags.add')}
      </Button>
      {editing && <Editor tag={editing} onClose={() => setEditing(undefined)} />}
    </>
  );
}

function Editor({ tag, onClose }: { tag: AdminTag; onClose: () => void }) {
  const { t } = useTranslation();
  const app = useApp();
  const isNew = tag.key === '';
  const [key, setKey] = useState(tag.key);
  const [labels, setLabels] = useState(tag.labels);
  const [assets, setAssets] = useState(tag.assets.join(' '));
  const body = {
    labels,
    assets: assets
      .toUpperCase()
      .split(/[\s,]+/)
      .filter((code) => code !== ''),
  };
  const ready = KEY.test(key) && labels.en.trim() !== '' && labels.tr.trim() !== '';
  const finish = useFinish(LISTS, onClose);
  const save = () =>
    finish(
      isNew
        ? app.client.createTag({ body: { key, ...body } }, { quiet: true })
        : app.client.changeTag({ params: { key }, body }, { quiet: true }),
      t('management.tags.saved'),
    );
  return (
    <Dialog
      open
      title={t(isNew ? 'management.tags.add' : 'management.tags.editTitle')}
      onClose={onClose}
      actions={
        <EditorActions
          undo={
            isNew
              ? undefined
              : {
                  label: t('management.delete'),
                  onClick: () => void finish(app.client.deleteTag({ params: { key } }, { quiet: true }), t('management.tags.removed')),
                }
          }
          ready={ready}
          onSave={() => void save()}
          onClose={onClose}
        />
      }
    >
      <Flex direction="column" gap="4">
        <TextField
          label={t('management.tags.key')}
          hint={t('management.tags.keyRule')}
          value={key}
          readOnly={!isNew}
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
        <Flex gap="3">
          <TextField
            label="English"
            maxLength={40}
            value={labels.en}
            onChange={(event) => setLabels({ ...labels, en: event.currentTarget.value })}
          />
          <TextField
            label="Türkçe"
            maxLength={40}
            value={labels.tr}
            onChange={(event) => setLabels({ ...labels, tr: event.currentTarget.value })}
          />
        </Flex>
        <TextField
          label={t('management.tags.assets')}
          hint={t('management.tags.assetsHint')}
          value={assets}
          autoCapitalize="characters"
          spellCheck={false}
          onChange={(event) => setAssets(event.currentTarget.value)}
        />
      </Flex>
    </Dialog>
  );
}

import { chakra, Flex, Heading } from '@chakra-ui/react';
import { type AdminCurrency, MAX_ICON_BYTES } from '@pilotfish/core/admin/instance-contract';
import { fileForm } from '@pilotfish/core/http/file-form';
import { sortDirection } from '@pilotfish/core/http/wire';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { useApp } from '../platform/app-context.tsx';
import { BASE } from '../platform/base-path.ts';
import { pageField, useAddress } from '../platform/use-address.ts';
import { useQuery } from '../platform/use-query.ts';
import { Badge, Panel, TextField } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { SwitchField } from '../ui/fields/switch-field.tsx';
import { Button } from '../ui/primitives.tsx';
import { PagedTable } from '../ui/tables/paged-table.tsx';
import { showToast } from '../ui/toasts.ts';
import { EditButton, EditorActions } from './editor-parts.tsx';
import { ManagementFrame } from './management-frame.tsx';
import { TagsPanel } from './tags-panel.tsx';
import { useFinish } from './use-admin.ts';

const STATES = ['all', 'enabled', 'disabled', 'changed'] as const;
const LISTED = {
  search: z.string().default(''),
  page: pageField,
  sortBy: z.enum(['sort', 'code', 'name']).default('sort'),
  sortOrder: sortDirection.default('asc'),
  state: z.enum(STATES).default('all'),
};
const LISTS = ['admin-currencies', 'admin-audit'];

/** What the instance says of currencies, and the tags it gives them. */
export default function CurrenciesPage() {
  const { t } = useTranslation();
  const [params, change] = useAddress(LISTED);
  const { sortBy, sortOrder, state } = params;
  const [editing, setEditing] = useState<AdminCurrency>();
  const query = useQuery(
    'admin-currencies',
    (client, asked: typeof params, signal) => client.listAdminCurrencies({ query: { ...asked, pageSize: 20 } }, { signal, quiet: true }),
    params,
  );
  return (
    <ManagementFrame title={t('routes.currencies')} lead={t('management.currencies.lead')}>
      <Panel>
        <Flex gap="3" mb="4" wrap="wrap" align="flex-end">
          <TextField
            label={t('management.currencies.search')}
            type="search"
            value={params.search}
            onChange={(event) => change({ search: event.currentTarget.value })}
          />
          <SelectField
            label={t('management.texts.show')}
            value={state}
            options={STATES.map((each) => ({ value: each, label: t(`management.currencies.state.${each}`) }))}
            onChange={(next) => change({ state: next })}
          />
        </Flex>
        <PagedTable<AdminCurrency>
          label={t('routes.currencies')}
          query={query}
          rowKey={({ code }) => code}
          sort={{ key: sortBy, order: sortOrder }}
          onSort={({ key, order }) => change({ sortBy: key as typeof sortBy, sortOrder: order })}
          onPage={(page) => change({ page })}
          empty={t('management.currencies.none')}
          columns={[
            {
              key: 'code',
              label: t('management.currencies.code'),
              sortable: true,
              cell: ({ code, icon, hasIcon }) => (
                <Flex gap="2" align="center">
                  <chakra.img src={BASE + (hasIcon ? `${icon}?own` : icon)} alt="" w="24px" h="24px" />
                  <chakra.span fontWeight="600">{code}</chakra.span>
                </Flex>
              ),
            },
            { key: 'name', label: t('management.currencies.name'), sortable: true, cell: ({ name }) => name },
            { key: 'precision', label: t('management.currencies.precision'), align: 'end', cell: ({ precision }) => precision },
            { key: 'sort', label: t('management.currencies.order'), sortable: true, align: 'end', cell: ({ sort }) => sort },
            {
              key: 'state',
              label: t('management.currencies.status'),
              cell: ({ enabled, changed }) => (
                <Flex gap="1">
                  <Badge tone={enabled ? 'brand' : 'neutral'}>{t(`management.currencies.state.${enabled ? 'enabled' : 'disabled'}`)}</Badge>
                  {changed && <Badge tone="secondary">{t('management.currencies.state.changed')}</Badge>}
                </Flex>
              ),
            },
            {
              key: 'actions',
              label: t('management.actions'),
              align: 'end',
              cell: (currency) => <EditButton of={currency.code} onClick={() => setEditing(currency)} />,
            },
          ]}
        />
      </Panel>
      <Panel mt="5">
        <Heading as="h2" textStyle="title" mb="3">
          {t('management.tags.title')}
        </Heading>
        <TagsPanel />
      </Panel>
      {editing && <Editor currency={editing} onClose={() => setEditing(undefined)} />}
    </ManagementFrame>
  );
}

function Editor({ currency, onClose }: { currency: AdminCurrency; onClose: () => void }) {
  const { t } = useTranslation();
  const app = useApp();
  const { code } = currency;
  const [fields, setFields] = useState({
    name: currency.name,
    precision: String(currency.precision),
    sort: String(currency.sort),
    enabled: currency.enabled,
  });
  const [picture, setPicture] = useState<File>();
  const file = useRef<HTMLInputElement>(null);
  const finish = useFinish(LISTS, onClose);
  const save = async () => {
    const body = {
      ...(fields.name.trim() === currency.name ? {} : { name: fields.name.trim() }),
      ...(Number(fields.precision) === currency.precision ? {} : { precision: Number(fields.precision) }),
      ...(Number(fields.sort) === currency.sort ? {} : { sort: Number(fields.sort) }),
      ...(fields.enabled === currency.enabled ? {} : { enabled: fields.enabled }),
    };
    const change = async () => {
      if (Object.keys(body).length > 0) await app.client.changeCurrency({ params: { code }, body }, { quiet: true });
      if (picture) await app.client.setCurrencyIcon({ params: { code } }, { form: fileForm(picture, picture.name), quiet: true });
    };
    await finish(change(), t('management.currencies.saved', { code }));
  };
  const choose = (chosen: File | undefined) => {
    if (chosen && (chosen.type !== 'image/png' || chosen.size > MAX_ICON_BYTES))
      void showToast('error', t('management.currencies.iconRule'));
    else setPicture(chosen);
  };
  return (
    <Dialog
      open
      title={t('management.currencies.editTitle', { code })}
      onClose={onClose}
      actions={
        <EditorActions
          undo={
            currency.changed
              ? {
                  label: t('management.currencies.giveBack'),
                  onClick: () =>
                    void finish(
                      app.client.resetCurrency({ params: { code } }, { quiet: true }),
                      t('management.currencies.reset', { code }),
                    ),
                }
              : undefined
          }
          ready={fields.name.trim() !== ''}
          onSave={() => void save()}
          onClose={onClose}
        />
      }
    >
      <Flex direction="column" gap="4">
        <TextField
          label={t('management.currencies.name')}
          maxLength={60}
          value={fields.name}
          onChange={(event) => setFields({ ...fields, name: event.currentTarget.value })}
        />
        <Flex gap="3">
          <TextField
            label={t('management.currencies.precision')}
            type="number"
            min={0}
            max={18}
            value={fields.precision}
            onChange={(event) => setFields({ ...fields, precision: event.currentTarget.value })}
          />
          <TextField
            label={t('management.currencies.order')}
            type="number"
            min={0}
            value={fields.sort}
            onChange={(event) => setFields({ ...fields, sort: event.currentTarget.value })}
          />
        </Flex>
        <SwitchField
          label={t('management.currencies.state.enabled')}
          checked={fields.enabled}
          onChange={(enabled) => setFields({ ...fields, enabled })}
        />
        <Flex gap="3" align="center" wrap="wrap">
          <Button variant="outline" color="fg" onClick={() => file.current?.click()}>
            {picture?.name ?? t('management.currencies.chooseIcon')}
          </Button>
          <chakra.span color="fg.muted" fontSize="13px">
            {t('management.currencies.iconRule')}
          </chakra.span>
          <input ref={file} type="file" accept="image/png" hidden onChange={(event) => choose(event.currentTarget.files?.[0])} />
        </Flex>
      </Flex>
    </Dialog>
  );
}

import { Flex, Text } from '@chakra-ui/react';
import { PERMISSIONS, type Permission } from '@pilotfish/core/account/permissions-contract';
import type { Role } from '@pilotfish/core/admin/admin-contract';
import { isolated } from '@pilotfish/core/fields/isolated';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../platform/app-context.tsx';
import { useDeed } from '../platform/use-action.ts';
import { useQuery } from '../platform/use-query.ts';
import { Badge, TextField } from '../ui/controls.tsx';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { SwitchField } from '../ui/fields/switch-field.tsx';
import { Icon } from '../ui/icons.tsx';
import { Button } from '../ui/primitives.tsx';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { EditButton, EditorActions } from './editor-parts.tsx';
import { useFinish } from './use-admin.ts';

const LISTS = ['admin-roles', 'admin-users', 'admin-audit'];
const NAME = /^(?!none$)[^,\p{C}]+$/iu;

/** All roles, Admin first; shared by the panel and by the dialog that assigns them. */
export const useRoles = () =>
  useQuery('admin-roles', (client, _: null, signal) => client.listRoles(undefined, { signal, quiet: true }), null);

const names = (t: TFunction, permissions: readonly Permission[]) => permissions.map((each) => t(`permissions.${each}.name`)).join(', ');
/** What a role allows, as a sentence. */
export const allowedBy = (t: TFunction, { id, permissions }: Pick<Role, 'id' | 'permissions'>): string =>
  id === null ? t('management.roles.everything') : names(t, permissions) || t('management.roles.nothing');

/** Roles: the built-in one to look at, those of this instance to add, change and delete. */
export function RolesPanel() {
  const { t } = useTranslation();
  const [editing, setEditing] = useState<Role | 'new'>();
  const [deleting, setDeleting] = useState<Role>();
  const { data, hasFailed, problem, retry } = useRoles();
  if (!data) return hasFailed ? <ErrorPanel problem={problem} onRetry={retry} /> : <Skeleton rows={3} height={28} />;
  return (
    <>
      <Text color="fg.muted" mb="3">
        {t('management.roles.lead')}
      </Text>
      <Flex as="ul" direction="column" listStyleType="none" aria-label={t('management.roles.title')}>
        {data.map((role) => (
          <Flex
            as="li"
            key={role.name}
            gap="3"
            py="2"
            align="center"
            justify="space-between"
            borderTopWidth="1px"
            borderColor="border.subtle"
          >
            <Flex direction="column" minW="0">
              <Flex gap="2" align="center" wrap="wrap">
                <Text fontWeight="600">{role.name}</Text>
                {role.id === null && <Badge>{t('management.roles.builtIn')}</Badge>}
                <Text color="fg.muted" fontSize="13px">
                  {t('management.roles.users', { count: role.users })}
                </Text>
              </Flex>
              <Text color="fg.muted" fontSize="13px" overflowWrap="anywhere">
                {allowedBy(t, role)}
              </Text>
            </Flex>
            {role.id !== null && <EditButton of={isolated(role.name)} onClick={() => setEditing(role)} />}
          </Flex>
        ))}
      </Flex>
      <Button mt="4" variant="outline" color="fg" onClick={() => setEditing('new')}>
        <Icon name="plus" size={16} />
        {t('management.roles.add')}
      </Button>
      {editing && (
        <Editor
          role={editing === 'new' ? undefined : editing}
          onDelete={(role) => {
            setEditing(undefined);
            setDeleting(role);
          }}
          onClose={() => setEditing(undefined)}
        />
      )}
      {deleting && <DeleteRole role={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  );
}

function Editor({ role, onDelete, onClose }: { role: Role | undefined; onDelete: (role: Role) => void; onClose: () => void }) {
  const { t } = useTranslation();
  const { client } = useApp();
  const [name, setName] = useState(role?.name ?? '');
  const [permissions, setPermissions] = useState<readonly Permission[]>(role?.permissions ?? []);
  const finish = useFinish(LISTS, onClose);
  const body = { name: name.trim(), permissions: [...permissions] };
  const save = () =>
    finish(
      role?.id ? client.changeRole({ params: { id: role.id }, body }, { quiet: true }) : client.createRole({ body }, { quiet: true }),
      t('management.roles.saved'),
    );
  return (
    <Dialog
      open
      title={role ? t('management.roles.editTitle', { name: role.name }) : t('management.roles.add')}
      onClose={onClose}
      actions={
        <EditorActions
          undo={role && { label: t('management.delete'), onClick: () => onDelete(role) }}
          ready={NAME.test(body.name)}
          onSave={() => void save()}
          onClose={onClose}
        />
      }
    >
      <Flex direction="column" gap="4">
        <TextField
          label={t('management.roles.name')}
          hint={t('management.roles.nameHint')}
          value={name}
          maxLength={40}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Flex role="group" aria-label={t('management.roles.allows')} direction="column" gap="3">
          {PERMISSIONS.map((each) => (
            <SwitchField
              key={each}
              label={t(`permissions.${each}.name`)}
              hint={t(`permissions.${each}.hint`)}
              checked={permissions.includes(each)}
              onChange={(checked) => setPermissions(PERMISSIONS.filter((one) => (one === each ? checked : permissions.includes(one))))}
            />
          ))}
        </Flex>
        {role && role.users > 0 && <Text color="fg.muted">{t('management.roles.changeHint', { count: role.users })}</Text>}
      </Flex>
    </Dialog>
  );
}

/** Says of each who holds the role what they lose by it, or may then do. */
function DeleteRole({ role, onClose }: { role: Role; onClose: () => void }) {
  const { t } = useTranslation();
  const { client } = useApp();
  const deed = useDeed({ toasts: true });
  const id = role.id ?? '';
  const { data, hasFailed, problem, retry } = useQuery(
    `admin-role-holders:${id}`,
    (api, params: { id: string }, signal) => api.listRoleHolders({ params }, { signal, quiet: true }),
    { id },
  );
  if (!data)
    return (
      <Dialog open title={t('management.roles.deleteTitle', { name: role.name })} onClose={onClose} actions={null}>
        {hasFailed ? <ErrorPanel problem={problem} onRetry={retry} /> : <Skeleton rows={2} height={28} />}
      </Dialog>
    );
  const remove = () =>
    deed(
      client.deleteRole({ params: { id }, query: { holders: data.items.length } }, { quiet: true }),
      LISTS,
      t('management.roles.deleted'),
    );
  return (
    <ConfirmDialog
      open
      danger
      follows
      title={t('management.roles.deleteTitle', { name: role.name })}
      confirm={t('management.roles.delete')}
      onConfirm={remove}
      onClose={onClose}
    >
      {data.items.length === 0 && <Text>{t('management.roles.nobody')}</Text>}
      {data.items.map(({ username, before, after }) => {
        const lost = before.filter((each) => !after.includes(each));
        const gained = after.filter((each) => !before.includes(each));
        return (
          <Text key={username}>
            <Text as="strong" color="fg">
              {isolated(username)}
            </Text>{' '}
            {lost.length > 0 && t('management.roles.loses', { list: names(t, lost) })}
            {gained.length > 0 && t('management.roles.gains', { list: names(t, gained) })}
            {lost.length + gained.length === 0 && t('management.roles.same')}
          </Text>
        );
      })}
    </ConfirmDialog>
  );
}

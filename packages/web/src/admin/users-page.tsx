import { chakra, Flex, Heading, Text } from '@chakra-ui/react';
import type { AdminUser as User } from '@pilotfish/core/admin/admin-contract';
import { isolated } from '@pilotfish/core/fields/isolated';
import { sortDirection } from '@pilotfish/core/http/wire';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { useApp } from '../platform/app-context.tsx';
import { useDeed } from '../platform/use-action.ts';
import { pageField, useAddress } from '../platform/use-address.ts';
import { useQuery } from '../platform/use-query.ts';
import { useAccount } from '../platform/use-session.ts';
import { Badge, Panel, TextField } from '../ui/controls.tsx';
import { Decision, Dialog } from '../ui/dialogs/dialog.tsx';
import { NotDone } from '../ui/dialogs/not-done.tsx';
import { useConfirming } from '../ui/dialogs/use-confirming.ts';
import { SwitchField } from '../ui/fields/switch-field.tsx';
import { Button } from '../ui/primitives.tsx';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { PagedTable } from '../ui/tables/paged-table.tsx';
import { useMoment } from '../ui/use-moment.ts';
import { ManagementFrame } from './management-frame.tsx';
import { allowedBy, RolesPanel, useRoles } from './roles-panel.tsx';

const LISTED = {
  search: z.string().default(''),
  page: pageField,
  sortBy: z.enum(['username', 'email', 'createdAt', 'lastSeenAt']).default('createdAt'),
  sortOrder: sortDirection.default('desc'),
};
const LISTS = ['admin-users', 'admin-roles', 'admin-stats', 'admin-audit'];

/** Who has an account here, what they may, and their removal. */
export default function UsersPage() {
  const { t } = useTranslation();
  const app = useApp();
  const [params, change] = useAddress(LISTED);
  const { sortBy, sortOrder } = params;
  const deed = useDeed({ toasts: true });
  const own = useAccount()?.username;
  const [changing, setChanging] = useState<User>();
  const [deleting, setDeleting] = useState<User>();
  const query = useQuery(
    'admin-users',
    (client, asked: typeof params, signal) => client.listUsers({ query: { ...asked, pageSize: 20 } }, { signal, quiet: true }),
    params,
  );
  const moment = useMoment();
  const timeOf = (iso: string | null) => (iso === null ? '–' : moment(iso));
  return (
    <ManagementFrame title={t('routes.users')} lead={t('management.users.lead')}>
      <Panel>
        <Flex mb="4" maxW="360px" direction="column">
          <TextField
            label={t('management.users.search')}
            type="search"
            value={params.search}
            onChange={(event) => change({ search: event.currentTarget.value })}
          />
        </Flex>
        <PagedTable<User>
          label={t('routes.users')}
          query={query}
          rowKey={({ id }) => id}
          sort={{ key: sortBy, order: sortOrder }}
          onSort={({ key, order }) => change({ sortBy: key as typeof sortBy, sortOrder: order })}
          onPage={(page) => change({ page })}
          empty={t('management.users.none')}
          columns={[
            {
              key: 'username',
              label: t('auth.username'),
              sortable: true,
              cell: ({ username, roles, twoFactor }) => (
                <Flex gap="2" align="center" wrap="wrap">
                  <chakra.span fontWeight="600">{username}</chakra.span>
                  {roles.map((role) => (
                    <Badge key={role} tone="brand">
                      {role}
                    </Badge>
                  ))}
                  {!twoFactor && <Badge tone="secondary">{t('management.users.noTwoFactor')}</Badge>}
                </Flex>
              ),
            },
            { key: 'email', label: t('auth.email'), sortable: true, cell: ({ email }) => email },
            { key: 'createdAt', label: t('account.since'), sortable: true, cell: ({ createdAt }) => timeOf(createdAt) },
            { key: 'lastSeenAt', label: t('management.users.lastSeen'), sortable: true, cell: ({ lastSeenAt }) => timeOf(lastSeenAt) },
            {
              key: 'actions',
              label: t('management.actions'),
              align: 'end',
              cell: (user) => (
                <Flex gap="2" justify="flex-end">
                  <Button
                    aria-label={`${t('management.users.editRoles')}: ${isolated(user.username)}`}
                    size="xs"
                    variant="outline"
                    color="fg"
                    onClick={() => setChanging(user)}
                  >
                    {t('management.users.editRoles')}
                  </Button>
                  <Button
                    aria-label={`${t('management.delete')}: ${isolated(user.username)}`}
                    size="xs"
                    variant="outline"
                    colorPalette="danger"
                    disabled={user.username === own}
                    onClick={() => setDeleting(user)}
                  >
                    {t('management.delete')}
                  </Button>
                </Flex>
              ),
            },
          ]}
        />
      </Panel>
      <Panel mt="5" aria-labelledby="roles">
        <Heading id="roles" as="h2" textStyle="title" mb="2">
          {t('management.roles.title')}
        </Heading>
        <RolesPanel />
      </Panel>
      {changing && (
        <SetRoles
          user={changing}
          onClose={() => setChanging(undefined)}
          onConfirm={(roles) =>
            deed(
              app.client.setUserRoles({ params: { id: changing.id }, body: { roles } }, { quiet: true }),
              LISTS,
              t('management.users.rolesSet', { username: changing.username }),
            )
          }
        />
      )}
      {deleting && (
        <DeleteUser
          user={deleting}
          onClose={() => setDeleting(undefined)}
          onConfirm={() =>
            deed(
              app.client.deleteUser({ params: { id: deleting.id } }, { quiet: true }),
              LISTS,
              t('management.users.deleted', { username: deleting.username }),
            )
          }
        />
      )}
    </ManagementFrame>
  );
}

function SetRoles({ user, onConfirm, onClose }: { user: User; onConfirm: (roles: string[]) => Promise<unknown>; onClose: () => void }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<readonly string[]>(user.roles);
  const { data, hasFailed, problem: unloaded, retry } = useRoles();
  const { busy, problem, close, confirm } = useConfirming(onClose);
  return (
    <Dialog
      open
      title={t('management.users.rolesTitle', { username: user.username })}
      onClose={close}
      actions={
        <Decision
          confirm={t(problem ? 'ui.retry' : 'management.users.confirmRoles')}
          disabled={busy || !data || [...chosen].sort().join() === [...user.roles].sort().join()}
          onConfirm={() => confirm(() => onConfirm([...chosen]))}
          onCancel={close}
        />
      }
    >
      <Text color="fg.muted" mb="4">
        {t('management.users.rolesHint', { username: user.username })}
      </Text>
      {!data && (hasFailed ? <ErrorPanel problem={unloaded} onRetry={retry} /> : <Skeleton rows={3} height={28} />)}
      <Flex role="group" aria-label={t('management.users.editRoles')} direction="column" gap="3">
        {data?.map((role) => (
          <SwitchField
            key={role.name}
            label={role.name}
            hint={role.id === null ? t('management.users.adminHint') : allowedBy(t, role)}
            checked={chosen.includes(role.name)}
            onChange={(checked) => setChosen(checked ? [...chosen, role.name] : chosen.filter((each) => each !== role.name))}
          />
        ))}
      </Flex>
      <NotDone problem={problem} />
    </Dialog>
  );
}

function DeleteUser({ user, onConfirm, onClose }: { user: User; onConfirm: () => Promise<unknown>; onClose: () => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const { busy, problem, close, confirm } = useConfirming(onClose);
  return (
    <Dialog
      open
      title={t('management.users.deleteTitle', { username: user.username })}
      onClose={close}
      actions={
        <Decision
          confirm={t(problem ? 'ui.retry' : 'management.delete')}
          danger
          disabled={busy || typed.trim().toLowerCase() !== user.username.toLowerCase()}
          onConfirm={() => confirm(onConfirm)}
          onCancel={close}
        />
      }
    >
      <Text color="fg.muted" mb="4">
        {t('management.users.deleteHint')}
      </Text>
      <TextField
        label={t('account.leave.type', { username: user.username })}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <NotDone problem={problem} />
    </Dialog>
  );
}

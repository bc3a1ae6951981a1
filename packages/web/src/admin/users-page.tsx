import { chakra, Flex, Text } from '@chakra-ui/react';
import type { AdminUser as User } from '@pilotfish/core/admin/admin-contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../app/app-context.tsx';
import { useQuery } from '../app/use-query.ts';
import { useAccount } from '../app/use-session.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Badge, Panel, TextField } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { PagedTable } from '../ui/paged-table.tsx';
import { Button } from '../ui/primitives.tsx';
import { ManagementFrame } from './management-frame.tsx';
import { useAddress, useDeed } from './use-admin.ts';

const SORTS = ['username', 'email', 'createdAt', 'lastSeenAt'] as const;
const LISTS = ['admin-users', 'admin-stats', 'admin-audit'];

/** Who has an account here, what they may, and their removal. */
export default function UsersPage() {
  const { t, i18n } = useTranslation();
  const app = useApp();
  const address = useAddress();
  const deed = useDeed();
  const own = useAccount()?.username;
  const [changing, setChanging] = useState<User>();
  const [deleting, setDeleting] = useState<User>();
  const sortBy = SORTS.find((each) => each === address.get('sortBy')) ?? 'createdAt';
  const sortOrder = address.get('sortOrder') === 'asc' ? 'asc' : 'desc';
  const params = { search: address.get('search'), page: address.page, sortBy, sortOrder } as const;
  const query = useQuery(
    'admin-users',
    (client, asked: typeof params, signal) => client.listUsers({ query: { ...asked, pageSize: 20 } }, { signal, quiet: true }),
    params,
  );
  const moment = (iso: string | null) =>
    iso === null ? '–' : new Date(iso).toLocaleString(i18n.language, { dateStyle: 'medium', timeStyle: 'short' });
  const isAdmin = changing?.roles.includes('Admin') === true;
  const setRoles = () =>
    changing &&
    deed(
      app.client.setUserRoles({ params: { id: changing.id }, body: { roles: isAdmin ? [] : ['Admin'] } }, { quiet: true }),
      LISTS,
      t('management.users.rolesSet', { username: changing.username }),
    );
  return (
    <ManagementFrame title={t('routes.users')} lead={t('management.users.lead')}>
      <Panel>
        <Flex mb="4" maxW="360px" direction="column">
          <TextField
            label={t('management.users.search')}
            type="search"
            value={params.search}
            onChange={(event) => address.set({ search: event.currentTarget.value })}
          />
        </Flex>
        <PagedTable<User>
          label={t('routes.users')}
          query={query}
          rowKey={({ id }) => id}
          sort={{ key: sortBy, order: sortOrder }}
          onSort={({ key, order }) => address.set({ sortBy: key, sortOrder: order })}
          onPage={(page) => address.set({ page: String(page) })}
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
            { key: 'createdAt', label: t('account.since'), sortable: true, cell: ({ createdAt }) => moment(createdAt) },
            { key: 'lastSeenAt', label: t('management.users.lastSeen'), sortable: true, cell: ({ lastSeenAt }) => moment(lastSeenAt) },
            {
              key: 'actions',
              label: t('management.actions'),
              align: 'end',
              cell: (user) => (
                <Flex gap="2" justify="flex-end">
                  <Button
                    aria-label={`${t(user.roles.includes('Admin') ? 'management.users.demote' : 'management.users.promote')}: ${user.username}`}
                    size="xs"
                    variant="outline"
                    color="fg"
                    onClick={() => setChanging(user)}
                  >
                    {t(user.roles.includes('Admin') ? 'management.users.demote' : 'management.users.promote')}
                  </Button>
                  <Button
                    aria-label={`${t('management.delete')}: ${user.username}`}
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
      <ConfirmDialog
        open={changing !== undefined}
        title={t(isAdmin ? 'management.users.demote' : 'management.users.promote')}
        confirm={t('management.users.confirmRoles')}
        onConfirm={() => void setRoles()}
        onClose={() => setChanging(undefined)}
      >
        <Text>{t(isAdmin ? 'management.users.demoteHint' : 'management.users.promoteHint', { username: changing?.username ?? '' })}</Text>
      </ConfirmDialog>
      {deleting && (
        <DeleteUser
          user={deleting}
          onClose={() => setDeleting(undefined)}
          onConfirm={() => {
            setDeleting(undefined);
            void deed(
              app.client.deleteUser({ params: { id: deleting.id } }, { quiet: true }),
              LISTS,
              t('management.users.deleted', { username: deleting.username }),
            );
          }}
        />
      )}
    </ManagementFrame>
  );
}

function DeleteUser({ user, onConfirm, onClose }: { user: User; onConfirm: () => void; onClose: () => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  return (
    <Dialog
      open
      title={t('management.users.deleteTitle', { username: user.username })}
      onClose={onClose}
      actions={
        <>
          <Button variant="ghost" color="fg" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button colorPalette="danger" disabled={typed.trim().toLowerCase() !== user.username.toLowerCase()} onClick={onConfirm}>
            {t('management.delete')}
          </Button>
        </>
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
    </Dialog>
  );
}

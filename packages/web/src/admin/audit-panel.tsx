import { chakra, Flex, Text } from '@chakra-ui/react';
import type { AdminAuditEntry } from '@pilotfish/core/admin/admin-contract';
import { AUDIT_AREAS } from '@pilotfish/core/auth/auth-contract';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { pageField, useAddress } from '../platform/use-address.ts';
import { useQuery } from '../platform/use-query.ts';
import { TextField } from '../ui/controls.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { PagedTable } from '../ui/tables/paged-table.tsx';
import { useMoment } from '../ui/use-moment.ts';

const OUTCOMES = ['success', 'failure'] as const;
const LISTED = {
  page: pageField,
  area: z.enum(AUDIT_AREAS).optional(),
  outcome: z.enum(OUTCOMES).optional(),
  user: z.string().min(1).optional(),
};

/** Every deed on this instance, by whom, on whom, and what changed. */
export function AuditPanel() {
  const { t } = useTranslation();
  const moment = useMoment();
  const [params, change] = useAddress(LISTED);
  const query = useQuery(
    'admin-audit',
    (client, asked: typeof params, signal) => client.listAdminAuditLog({ query: { ...asked, pageSize: 20 } }, { signal, quiet: true }),
    params,
  );
  return (
    <>
      <Flex gap="3" mb="4" wrap="wrap" align="flex-end">
        <TextField
          label={t('management.audit.user')}
          value={params.user ?? ''}
          onChange={(event) => change({ user: event.currentTarget.value })}
        />
        <SelectField
          label={t('security.area')}
          value={params.area ?? ''}
          options={[
            { value: '', label: t('security.allAreas') },
            ...AUDIT_AREAS.map((each) => ({ value: each, label: t(`auditAreas.${each}`) })),
          ]}
          onChange={(area) => change({ area: area || undefined })}
        />
        <SelectField
          label={t('security.column.outcome')}
          value={params.outcome ?? ''}
          options={[
            { value: '', label: t('security.allOutcomes') },
            ...OUTCOMES.map((each) => ({ value: each, label: t(`security.outcome.${each}`) })),
          ]}
          onChange={(outcome) => change({ outcome: outcome || undefined })}
        />
      </Flex>
      <PagedTable<AdminAuditEntry>
        label={t('management.audit.title')}
        query={query}
        rowKey={({ id }) => id}
        onPage={(page) => change({ page })}
        empty={t('security.noEntries')}
        columns={[
          {
            key: 'time',
            label: t('security.column.time'),
            cell: ({ at }) => <chakra.span whiteSpace="nowrap">{moment(at)}</chakra.span>,
          },
          { key: 'who', label: t('management.audit.who'), cell: ({ actor, account }) => actor ?? account ?? '–' },
          {
            key: 'event',
            head: true,
            label: t('security.column.event'),
            cell: ({ action, target, details }) => (
              <>
                {t(`auditActions.${action}`, { defaultValue: action })}
                {target && (
                  <chakra.span color="fg.muted" overflowWrap="anywhere">
                    {' '}
                    · {target}
                  </chakra.span>
                )}
                {details && (
                  <chakra.details color="fg.muted">
                    <chakra.summary cursor="pointer" minH="24px">
                      {t('management.audit.details')}
                    </chakra.summary>
                    <Text fontFamily="mono" fontSize="12px" overflowWrap="anywhere" maxW="480px" lang="en">
                      {details}
                    </Text>
                  </chakra.details>
                )}
              </>
            ),
          },
          { key: 'outcome', label: t('security.column.outcome'), cell: ({ outcome }) => t(`security.outcome.${outcome}`) },
          { key: 'address', label: t('security.column.address'), cell: (entry) => entry.address },
        ]}
      />
    </>
  );
}

import { Flex } from '@chakra-ui/react';
import type { Unreadable } from '@pilotfish/core/account/account-contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useQuery } from '../platform/use-query.ts';
import { Notice } from './controls.tsx';

/** Stored things of a kind that the server cannot read, and their list therefore lacks. None while that is not known. */
export function useUnreadable(kind: Unreadable['kind']): readonly Unreadable[] {
  // Quiet: an older server does not know the call.
  const { data } = useQuery('unreadable', (client, _: null, signal) => client.listUnreadable(undefined, { signal, quiet: true }), null);
  return data?.items.filter((item) => item.kind === kind) ?? [];
}

/** Names what a list lacks because it cannot be read. @param children what can be done about one of them */
export function UnreadableItems({ items, children }: { items: readonly Unreadable[]; children?: (item: Unreadable) => ReactNode }) {
  const { t } = useTranslation();
  if (items.length === 0) return null;
  return (
    <Notice tone="warning" title={t('unreadable.title', { count: items.length })}>
      <Flex as="ul" direction="column" gap="2" my="2" listStyleType="none">
        {items.map((item) => (
          <Flex as="li" key={item.id} gap="3" align="center" justify="space-between" wrap="wrap">
            <span>{t(`unreadable.${item.halted ? 'halted' : item.kind}`, { name: item.name ?? item.id })}</span>
            {children?.(item)}
          </Flex>
        ))}
      </Flex>
      {t('unreadable.fix')}
    </Notice>
  );
}

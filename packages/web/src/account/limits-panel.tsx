import { Flex, Heading, Text } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { useQuery } from '../platform/use-query.ts';
import { Panel } from '../ui/controls.tsx';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';

/** How much of each kind the account may have on this server, and has. */
export function LimitsPanel() {
  const { t } = useTranslation();
  const { data, hasFailed, problem, retry } = useQuery(
    'limits',
    (client, _: null, signal) => client.listLimits(undefined, { signal }),
    null,
  );
  return (
    <Panel>
      <Heading as="h2" textStyle="title" mb="1">
        {t('account.limits.title')}
      </Heading>
      <Text color="fg.muted" fontSize="13px" mb="3">
        {t('account.limits.lead')}
      </Text>
      {!data ? (
        hasFailed ? (
          <ErrorPanel problem={problem} onRetry={retry} />
        ) : (
          <Skeleton rows={5} height={22} />
        )
      ) : (
        <dl>
          {data.items.map(({ quota, used, limit }) => (
            <Flex
              key={quota}
              justify="space-between"
              gap="4"
              py="1.5"
              fontSize="13px"
              borderTopWidth="1px"
              borderColor="border.subtle"
              css={{ '&:first-of-type': { borderTopWidth: 0 } }}
            >
              <Text as="dt" color="fg.muted">
                {t(`account.limits.kinds.${quota}`, { defaultValue: quota })}
              </Text>
              <Text
                as="dd"
                textAlign="end"
                css={{ fontVariantNumeric: 'tabular-nums' }}
                {...(used !== null && used >= limit ? { color: 'secondary.fg', fontWeight: '600' } : {})}
              >
                {used === null ? t('account.limits.each', { limit }) : t('account.limits.amount', { used, limit })}
              </Text>
            </Flex>
          ))}
        </dl>
      )}
    </Panel>
  );
}

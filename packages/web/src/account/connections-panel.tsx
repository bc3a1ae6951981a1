import { Box, Flex, Heading, Text } from '@chakra-ui/react';
import type { Connection } from '@pilotfish/core/account/account-security-contract';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../platform/app-context.tsx';
import { useDeed } from '../platform/use-action.ts';
import { useQuery } from '../platform/use-query.ts';
import { Badge, Notice, Panel } from '../ui/controls.tsx';
import { Button } from '../ui/primitives.tsx';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { useMoment } from '../ui/use-moment.ts';
import { deviceName } from './device-name.ts';

const DAY_MS = 86_400_000;

/**
 * What reaches the account besides its devices, and a press that ends all of it.
 * @param review grows when the password was changed or others were signed out: neither ends any of these
 */
export function ConnectionsPanel({ review }: { review: number }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const { client, browser } = useApp();
  const deed = useDeed({ toasts: true });
  const [kept, setKept] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const { data, hasFailed, problem, retry } = useQuery(
    'connections',
    (api, _: null, signal) => api.listConnections(undefined, { signal }),
    null,
  );
  const count = data?.items.length ?? 0;
  useEffect(() => {
    if (review > 0 && count > 0) heading.current?.focus();
  }, [review, count]);

  const end = async () => {
    await deed(client.endConnections(), ['connections', 'audit-log', 'account', 'notification-settings'], ({ ended }) =>
      t('security.connections.ended', { count: ended }),
    ).then(
      (answer) => setKept(answer.kept.length > 0),
      () => undefined,
    );
    heading.current?.focus();
  };
  const named = ({ kind, name }: Connection) => (kind === 'push' ? deviceName(name) : name);
  return (
    <Panel>
      <Flex justify="space-between" align="center" gap="3" mb="1" wrap="wrap">
        <Heading as="h2" textStyle="title" ref={heading} tabIndex={-1}>
          {t('security.connections.title')}
        </Heading>
        {count > 0 && (
          <Button size="sm" variant="outline" color="fg" onClick={() => void end()}>
            {t('security.connections.end')}
          </Button>
        )}
      </Flex>
      <Text color="fg.muted" fontSize="13px" mb="3">
        {t('security.connections.lead')}
      </Text>
      {review > 0 && count > 0 && <Notice tone="warning">{t('security.connections.review')}</Notice>}
      {kept && <Notice tone="warning">{t('security.connections.kept')}</Notice>}
      {!data ? (
        hasFailed ? (
          <ErrorPanel problem={problem} onRetry={retry} />
        ) : (
          <Skeleton rows={2} height={36} />
        )
      ) : count === 0 ? (
        <Text>{t('security.connections.none')}</Text>
      ) : (
        <Flex as="ul" direction="column" listStyleType="none">
          {data.items.map((each) => (
            <Box as="li" key={`${each.kind} ${each.name} ${each.addedAt}`} py="3" borderTopWidth="1px" borderColor="border.subtle">
              <Flex gap="2" align="center" wrap="wrap">
                <Text fontWeight="600">{t(`security.connections.kinds.${each.kind}`)}</Text>
                <Text overflowWrap="anywhere">
                  <bdi>{named(each)}</bdi>
                </Text>
                {each.addedAt !== null && Date.parse(each.addedAt) > browser.now() - DAY_MS && (
                  <Badge tone="secondary">{t('security.connections.new')}</Badge>
                )}
              </Flex>
              {each.addedAt !== null && (
                <Text color="fg.muted" fontSize="13px">
                  {t('security.connections.added', {
                    time: moment(each.addedAt),
                  })}
                </Text>
              )}
            </Box>
          ))}
        </Flex>
      )}
    </Panel>
  );
}

import { Box, Flex, Heading, Text } from '@chakra-ui/react';
import type { ShownProblem } from '@pilotfish/core/http/problem';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../controls.tsx';
import { ErrorPanel, Skeleton } from '../state-panels.tsx';
import { useMoment } from '../use-moment.ts';

/** What a panel knows of its answer: the last one stays while a newer one is awaited, and is grey where it could not be had. */
export type PanelQuery = {
  readonly data: unknown;
  readonly hasFailed: boolean;
  readonly isStale?: boolean;
  /** When the newest answer came, ms. */
  readonly loadedAt?: number | undefined;
  readonly problem: ShownProblem | undefined;
  readonly retry: () => void;
};

/** Of when old figures are, once newer ones cannot be had: grey alone is not seen by everybody. */
export function AsOf({ query }: { query: PanelQuery | undefined }) {
  const { t } = useTranslation();
  const moment = useMoment();
  if (!query?.isStale || query.hasFailed || query.loadedAt === undefined) return null;
  return (
    <Text as="span" role="status" fontSize="12px" color="warning">
      {t('landing.asOf', { time: moment(query.loadedAt) })}
    </Text>
  );
}

const column = { display: 'flex', flexDirection: 'column' } as const;

/**
 * A panel with its heading, which is there at once: what it holds comes, fails and is tried again in its place, and the rest
 * of the page works. Old figures stay, in grey.
 */
export function TitledPanel({
  title,
  count,
  actions,
  query,
  rows = 3,
  empty,
  flush = false,
  fill = false,
  toolbar,
  children,
}: {
  title: ReactNode;
  /** Beside the title: how many there are, or what they come to. */
  count?: ReactNode;
  actions?: ReactNode;
  query?: PanelQuery;
  /** Rows of the skeleton, about as many as will come. */
  rows?: number;
  /** In place of the children, where there is nothing. */
  empty?: ReactNode;
  /** Rows and tables reach the edges. */
  flush?: boolean;
  /** As high as its place; the children share what the heading leaves. */
  fill?: boolean;
  /** Filters: they stay while what they leave is awaited. */
  toolbar?: ReactNode;
  children?: ReactNode;
}) {
  const id = useId();
  const inside = flush ? undefined : { px: { base: '3.5', md: '4' }, pb: '4' };
  const waits = query !== undefined && query.data === undefined;
  return (
    <Panel
      p="0"
      aria-labelledby={id}
      overflow="hidden"
      className={flush ? 'rings-inside' : undefined}
      {...(fill ? { ...column, h: '100%' } : {})}
    >
      <Flex align="center" gap="2.5" minH="11" py="1.5" ps={{ base: '3.5', md: '4' }} pe="2" wrap="wrap">
        <Heading as="h2" id={id} fontSize="13px" lineHeight="18px" fontWeight="620">
          {title}
        </Heading>
        {count !== undefined && (
          <Text as="span" fontSize="12px" color="fg.muted" css={{ fontVariantNumeric: 'tabular-nums' }}>
            {count}
          </Text>
        )}
        <AsOf query={query} />
        {actions !== undefined && (
          <Flex gap="1.5" align="center" ms="auto">
            {actions}
          </Flex>
        )}
      </Flex>
      {toolbar !== undefined && (
        <Box px={{ base: '3.5', md: '4' }} pb="3">
          {toolbar}
        </Box>
      )}
      {waits ? (
        <Box px={{ base: '3.5', md: '4' }} pb="4">
          {query.hasFailed ? <ErrorPanel problem={query.problem} onRetry={query.retry} /> : <Skeleton rows={rows} height={22} />}
        </Box>
      ) : (
        <>
          {query?.hasFailed && (
            <Box px={{ base: '3.5', md: '4' }} pb="3">
              <ErrorPanel problem={query.problem} onRetry={query.retry} />
            </Box>
          )}
          <Box
            {...inside}
            {...(fill ? { ...column, flex: '1', minH: '0' } : {})}
            className={query?.isStale || query?.hasFailed ? 'stale' : undefined}
          >
            {empty === undefined ? (
              children
            ) : (
              <Box px={flush ? { base: '3.5', md: '4' } : undefined} pb={flush ? '4' : undefined}>
                {empty}
              </Box>
            )}
          </Box>
        </>
      )}
    </Panel>
  );
}

import { Flex, Heading, Text } from '@chakra-ui/react';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../platform/app-context.tsx';
import { Panel } from '../ui/controls.tsx';
import { ErrorPanel } from '../ui/state-panels.tsx';

/** What a panel needs of its query. */
export type PanelQuery = {
  data: unknown;
  problem: Parameters<typeof ErrorPanel>[0]['problem'];
  hasFailed: boolean;
  isStale: boolean;
  loadedAt: number | undefined;
  retry: () => void;
};

/** Asks for the named queries again every so often while somebody looks. */
export function useRefresh(milliseconds: number, ...names: string[]): void {
  const app = useApp();
  const key = names.join();
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && app.queries.invalidate(...key.split(',')), milliseconds);
    return () => clearInterval(timer);
  }, [app, key, milliseconds]);
}

/** As many grey rows as will come, as tall as they will be: nothing moves when they do. */
export const RowsSkeleton = ({ rows, height }: { rows: number; height: number }) => {
  const { t } = useTranslation();
  return (
    <Flex direction="column" role="status" h={`${rows * height}px`}>
      <span className="visually-hidden">{t('ui.loading')}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars never move
        <Flex key={row} h={`${height}px`} align="center" gap="4" justify="space-between">
          <div className="skeleton" style={{ height: 16, width: `${34 - (row % 3) * 6}%` }} />
          <div className="skeleton" style={{ height: 16, width: '20%' }} />
        </Flex>
      ))}
    </Flex>
  );
};

/** A panel that loads, is empty, fails and grows old by itself. Its height is that of its content from the beginning. */
export function LandingPanel({
  title,
  level = 'h3',
  query,
  isEmpty,
  empty,
  skeleton,
  minHeight,
  children,
}: {
  title: ReactNode;
  level?: 'h2' | 'h3';
  query: PanelQuery;
  isEmpty: boolean;
  empty: string;
  skeleton: ReactNode;
  minHeight: number;
  children: ReactNode;
}) {
  return (
    <Panel>
      <Flex justify="space-between" align="baseline" gap="3" mb="2">
        <Heading as={level} fontSize="16px" fontWeight="600">
          {title}
        </Heading>
        <Age query={query} />
      </Flex>
      {/* On a phone panels lie below each other, and this one below what is in sight: it need not keep room it does not fill. */}
      <Flex direction="column" minH={{ base: query.data === undefined ? `${minHeight}px` : '0', md: `${minHeight}px` }}>
        {query.hasFailed ? (
          <ErrorPanel problem={query.problem} onRetry={query.retry} />
        ) : query.data === undefined ? (
          skeleton
        ) : isEmpty ? (
          <Text color="fg.muted" py="2">
            {empty}
          </Text>
        ) : (
          <Flex direction="column" className={query.isStale ? 'stale' : undefined}>
            {children}
          </Flex>
        )}
      </Flex>
    </Panel>
  );
}

/** How old the figures are, once newer ones cannot be had. */
export function Age({ query }: { query: Pick<PanelQuery, 'isStale' | 'loadedAt'> }) {
  const { t, i18n } = useTranslation();
  if (!query.isStale || query.loadedAt === undefined) return null;
  const time = new Date(query.loadedAt).toLocaleTimeString(i18n.language, { timeStyle: 'short' });
  return (
    <Text fontSize="12px" color="warning" role="status">
      {t('landing.asOf', { time })}
    </Text>
  );
}

import { Box, Flex, Grid, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { AsOf, type PanelQuery } from '../../ui/kit/titled-panel.tsx';
import { ErrorPanel, Skeleton } from '../../ui/state-panels.tsx';

/** Sides of what reaches the edges of a panel. */
export const SIDES = { px: { base: '3.5', md: '4' } } as const;

/** A label with its figure; the figures stand in one column. */
export function Rows({ rows }: { rows: readonly { key: string; label: string; value: ReactNode; tone?: string }[] }) {
  return (
    <Box as="dl" {...SIDES} pb="3" fontSize="13px" css={{ fontVariantNumeric: 'tabular-nums' }}>
      {rows.map(({ key, label, value, tone }) => (
        <Grid key={key} templateColumns="auto minmax(0, 1fr)" columnGap="3" alignItems="center" minH="25px" lineHeight="18px">
          <Text as="dt" color="fg.muted">
            {label}
          </Text>
          <Text as="dd" textAlign="end" fontWeight="550" overflowWrap="anywhere" className={tone}>
            {value}
          </Text>
        </Grid>
      ))}
    </Box>
  );
}

/** A part of a panel that comes, fails and is tried again in its place: what stands beside it works on. */
export function Part({ query, rows, children }: { query: PanelQuery; rows: number; children: ReactNode }) {
  if (query.data === undefined)
    return (
      <Box {...SIDES} pb="3">
        {query.hasFailed ? <ErrorPanel problem={query.problem} onRetry={query.retry} /> : <Skeleton rows={rows} height={18} />}
      </Box>
    );
  return (
    <>
      <Box {...SIDES} _empty={{ display: 'none' }}>
        <AsOf query={query} />
      </Box>
      <Box className={query.isStale || query.hasFailed ? 'stale' : undefined}>{children}</Box>
    </>
  );
}

/** Muted words in place of what is not there. */
export const Nothing = ({ children }: { children: ReactNode }) => (
  <Text {...SIDES} pb="3" fontSize="13px" color="fg.muted">
    {children}
  </Text>
);

/** A line of a list that can be pressed as a whole. */
export const LineLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Flex
    asChild
    {...SIDES}
    direction="column"
    justify="center"
    minH={{ base: '11', md: '38px' }}
    py="1.5"
    fontSize="13px"
    lineHeight="18px"
    _hover={{ bg: 'bg.raised' }}
  >
    <Link to={to}>{children}</Link>
  </Flex>
);

export const Line = ({ children }: { children: ReactNode }) => (
  <Box as="li" borderTopWidth="1px" borderColor="border.subtle">
    {children}
  </Box>
);

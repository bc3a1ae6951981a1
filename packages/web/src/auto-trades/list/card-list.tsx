import { Grid, Text } from '@chakra-ui/react';
import type { ShownProblem } from '@pilotfish/core/http/problem';
import type { ReactNode } from 'react';
import { Panel, TextLink } from '../../ui/controls.tsx';
import { ErrorPanel, Skeleton } from '../../ui/state-panels.tsx';

type Query<Item> = { hasFailed: boolean; problem: ShownProblem | undefined; retry: () => void; data: readonly Item[] | undefined };

/** Things in cards, two beside each other where there is room, in all the states of their loading. */
export function CardList<Item extends { id: string }>({
  query,
  empty,
  children,
}: {
  query: Query<Item>;
  empty: ReactNode;
  children: (item: Item) => ReactNode;
}) {
  if (query.hasFailed)
    return (
      <Panel>
        <ErrorPanel problem={query.problem} onRetry={query.retry} />
      </Panel>
    );
  if (!query.data)
    return (
      <Panel>
        <Skeleton rows={5} height={26} />
      </Panel>
    );
  if (query.data.length === 0) return <Panel>{empty}</Panel>;
  return (
    <Grid
      as="ul"
      listStyleType="none"
      templateColumns={{ base: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' }}
      gap="5"
      alignItems="start"
    >
      {query.data.map((item) => (
        <li key={item.id}>{children(item)}</li>
      ))}
    </Grid>
  );
}

/** Which bots use a thing, each a link to it. */
export const UsedBy = ({ bots, lead, none }: { bots: readonly { id: string; name: string }[]; lead: string; none: string }) => (
  <Text fontSize="13px" color="fg.muted">
    {bots.length === 0 ? (
      none
    ) : (
      <>
        {lead}{' '}
        {bots.map(({ id, name }, index) => (
          <span key={id}>
            {index > 0 && ', '}
            <TextLink to={`/auto-trade/detail/${id}`}>{name}</TextLink>
          </span>
        ))}
      </>
    )}
  </Text>
);

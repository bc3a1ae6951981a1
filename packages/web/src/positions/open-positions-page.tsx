import { Box, Flex, Grid, Text } from '@chakra-ui/react';
import { add, decimal, toText } from '@pilotfish/core/money/decimal';
import type { Price } from '@pilotfish/core/money/figure';
import type { OpenPosition, PositionTotals } from '@pilotfish/core/positions/positions-contract';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { useTyped } from '../prices/use-typed.ts';
import { LinkButton, Panel, TextField } from '../ui/controls.tsx';
import { Button } from '../ui/primitives.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { EmptyState, ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { useMedia } from '../ui/use-media.ts';
import { Age } from './age.tsx';
import { liveFigures } from './live-figures.ts';
import { arrange, OPEN_SORTS, readSort, writeSort } from './open-order.ts';
import { OpenCards, OpenTable } from './open-positions-table.tsx';
import { PositionsFrame, WhenConnected } from './positions-tabs.tsx';
import { CurrencyTotals } from './totals-panel.tsx';
import { useCalmPrices, useOpenPositions, usePositionNews } from './use-positions.ts';

/** Sums at newer prices: exactly the positions the server has in them, no broken and no excluded ones. */
export function liveTotals(
  totals: readonly PositionTotals[],
  items: readonly OpenPosition[],
  prices: ReadonlyMap<string, Price>,
): PositionTotals[] {
  return totals.map((sum) => {
    let [value, unrealised] = ['0', '0'];
    for (const item of items) {
      if (item.quoteAsset !== sum.currency || item.broken.length > 0 || item.excludedFromTotals) continue;
      const live = liveFigures(item, prices.get(item.symbol));
      if (live.value === null || live.unrealised === null) return sum;
      value = toText(add(decimal(value), decimal(live.value)));
      unrealised = toText(add(decimal(unrealised), decimal(live.unrealised)));
    }
    return { ...sum, value, unrealised };
  });
}

/** What is held now, live: cost, break-even, worth, result and the way to the target. */
export default function OpenPositionsPage() {
  const { t } = useTranslation();
  usePositionNews();
  const query = useOpenPositions();
  const items = query.data?.items ?? NOTHING;
  const prices = useCalmPrices(useMemo(() => [...new Set(items.map(({ symbol }) => symbol))], [items]));
  const [address, setAddress] = useSearchParams();
  const sort = readSort(address.get('sort'));
  const write = useCallback(
    (key: string, value: string) => {
      const next = new URLSearchParams(window.location.search);
      if (value === '') next.delete(key);
      else next.set(key, value);
      setAddress(next, { replace: true });
    },
    [setAddress],
  );
  const search = address.get('search') ?? '';
  const [typed, onType] = useTyped(
    search,
    useCallback((text) => write('search', text), [write]),
  );
  const isPhone = useMedia('(max-width: 899px)');
  const state = STATES.find((each) => each === address.get('state'));
  const shown = arrange(items, sort, typed, prices).filter((item) =>
    state === 'broken' ? item.broken.length > 0 : state === 'excluded' ? item.excludedFromTotals : true,
  );
  const totals = useMemo(() => liveTotals(query.data?.totals ?? [], items, prices), [query.data, items, prices]);
  return (
    <PositionsFrame title={t('routes.openPositions')} note={t('positions.openLead')}>
      <Age query={query} />
      {query.hasFailed ? (
        <Panel>
          <ErrorPanel problem={query.problem} onRetry={query.retry} />
        </Panel>
      ) : !query.data ? (
        <Panel>
          <Skeleton rows={6} height={40} />
        </Panel>
      ) : items.length === 0 ? (
        <WhenConnected>
          <Panel>
            <EmptyState
              icon="positions"
              title={t('positions.noOpenTitle')}
              action={
                <Flex gap="2" wrap="wrap" justify="center">
                  <LinkButton to="/positions" colorPalette="brand">
                    {t('positions.toSync')}
                  </LinkButton>
                  <LinkButton to="/positions/import" variant="outline" color="fg">
                    {t('positions.importFile')}
                  </LinkButton>
                </Flex>
              }
            >
              {t('positions.noOpenLead')}
            </EmptyState>
          </Panel>
        </WhenConnected>
      ) : (
        <Flex direction="column" gap="5" className={query.isStale ? 'stale' : undefined}>
          <Grid
            as="section"
            aria-label={t('positions.totals')}
            templateColumns={{ base: 'minmax(0, 1fr)', lg: totals.length > 1 ? 'repeat(2, minmax(0, 1fr))' : 'minmax(0, 1fr)' }}
            gap="5"
          >
            {totals.map((sum) => (
              <CurrencyTotals key={sum.currency} totals={sum} of="open" />
            ))}
          </Grid>
          <Panel p={{ base: '3', md: '4' }}>
            <Flex gap="3" mb="3" wrap="wrap" align="flex-end">
              <Box flex="1" minW="180px" maxW={isPhone ? undefined : '320px'}>
                <TextField
                  label={t('positions.search')}
                  type="search"
                  value={typed}
                  onChange={(event) => onType(event.currentTarget.value)}
                />
              </Box>
              {isPhone && (
                <Box flex="1" minW="160px">
                  <SelectField
                    label={t('positions.sortBy')}
                    value={writeSort(sort)}
                    options={OPEN_SORTS.flatMap((by) =>
                      [true, false].map((descending) => ({
                        value: writeSort({ by, descending }),
                        label: `${t(`positions.sort.${by}`)} ${descending ? '↓' : '↑'}`,
                      })),
                    )}
                    onChange={(value) => write('sort', value)}
                  />
                </Box>
              )}
              <Flex gap="1" pb="1" role="group" aria-label={t('positions.filters')}>
                {STATES.map((each) => (
                  <Button
                    key={each}
                    size="xs"
                    variant="outline"
                    bg={state === each ? 'brand.muted' : undefined}
                    color={state === each ? 'brand.fg' : 'fg.muted'}
                    aria-pressed={state === each}
                    onClick={() => write('state', state === each ? '' : each)}
                  >
                    {t(`positions.only.${each}`)}
                  </Button>
                ))}
              </Flex>
              <Text role="status" color="fg.muted" fontSize="13px" pb="2">
                {t('positions.shown', { shown: shown.length, of: items.length })}
              </Text>
            </Flex>
            {shown.length === 0 ? (
              <Text color="fg.muted" py="6" textAlign="center">
                {t('positions.noneFound')}
              </Text>
            ) : isPhone ? (
              <OpenCards items={shown} />
            ) : (
              <OpenTable items={shown} sort={sort} onSort={(next) => write('sort', writeSort(next))} />
            )}
          </Panel>
        </Flex>
      )}
    </PositionsFrame>
  );
}
const NOTHING: readonly OpenPosition[] = [];
const STATES = ['broken', 'excluded'] as const;

import { Box, Flex, Grid, Text } from '@chakra-ui/react';
import { useCallback, useDeferredValue, useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { Badge, Notice, Panel, Segments } from '../ui/controls.tsx';
import { Icon } from '../ui/icons.tsx';
import { Button, Input } from '../ui/primitives.tsx';
import { EmptyState, ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { PairPanel } from './pair-panel.tsx';
import { PricesGrid } from './prices-grid.tsx';
import { COLUMNS, type Column, quotesOf, type Sort, sortPairs } from './sort-pairs.ts';
import { useBeat, useFavourites, useMarket } from './use-prices.ts';

const isColumn = (text: string | null): text is Column => (COLUMNS as readonly (string | null)[]).includes(text);

/** The market: every pair, live. The address carries search, quote, sort and the open pair. */
export default function PricesPage() {
  const { t } = useTranslation();
  const { pairs, snapshot, tickers } = useMarket();
  const { favourites, toggle } = useFavourites();
  const [query, setQuery] = useSearchParams();
  const search = query.get('search') ?? '';
  const onlyFavourites = query.get('favourites') === '1';
  const open = query.get('pair') ?? undefined;
  const column = query.get('sort');
  const sort: Sort = { column: isColumn(column) ? column : 'quoteVolume', direction: query.get('direction') === 'asc' ? 'asc' : 'desc' };
  const quotes = useMemo(() => quotesOf(pairs.data ?? []).slice(0, 5), [pairs.data]);
  const quote = query.get('quote') ?? (quotes.includes('USDT') ? 'USDT' : '');

  const change = useCallback(
    (changes: Record<string, string | undefined>) =>
      setQuery(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [key, value] of Object.entries(changes)) {
            if (value === undefined) next.delete(key);
            else next.set(key, value);
          }
          return next;
        },
        { replace: true },
      ),
    [setQuery],
  );
  const onSort = (wanted: Column) =>
    change({
      sort: wanted,
      direction: sort.column === wanted ? (sort.direction === 'asc' ? 'desc' : 'asc') : wanted === 'symbol' ? 'asc' : 'desc',
    });
  const onOpen = useCallback((symbol: string) => change({ pair: symbol }), [change]);

  const beat = useBeat(sort.column !== 'symbol');
  const deferredSearch = useDeferredValue(search);
  const filterQuote = quote === 'all' ? '' : quote;
  const shown = useMemo(
    // The tickers are read, not watched: the beat puts the list in order again.
    () =>
      beat >= 0 && pairs.data
        ? sortPairs(
            pairs.data,
            tickers.all(),
            { search: deferredSearch, quote: filterQuote, favourites: onlyFavourites ? favourites : undefined },
            { column: sort.column, direction: sort.direction },
          )
        : [],
    [pairs.data, tickers, deferredSearch, filterQuote, onlyFavourites, favourites, sort.column, sort.direction, beat],
  );
  const openPair = open ? pairs.data?.find(({ symbol }) => symbol === open) : undefined;

  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);

  return (
    <Flex direction="column" gap="3" h={{ base: 'calc(100dvh - 56px - 112px)', md: 'calc(100dvh - 56px - 64px)' }} minH="360px">
      <h1 className="visually-hidden">{t('prices.title')}</h1>
      <Flex gap="3" align="center" wrap="wrap" display={{ base: openPair ? 'none' : 'flex', lg: 'flex' }}>
        <Text textStyle="display" aria-hidden="true" display={{ base: 'none', md: 'block' }}>
          {t('prices.title')}
        </Text>
        <Flex position="relative" flex={{ base: '1 1 100%', md: '0 1 280px' }}>
          <Box position="absolute" insetStart="3" top="10px" color="fg.muted" pointerEvents="none">
            <Icon name="search" size={18} />
          </Box>
          <Input
            ref={input}
            type="search"
            ps="10"
            aria-label={t('prices.search')}
            placeholder={t('prices.search')}
            value={search}
            onChange={(event) => change({ search: event.currentTarget.value || undefined })}
            aria-keyshortcuts="/"
          />
        </Flex>
        {quotes.length > 0 && (
          <Segments
            label={t('prices.quote')}
            value={quote}
            options={[...quotes.map((value) => ({ value, label: value })), { value: 'all', label: t('prices.all') }]}
            onChange={(value) => change({ quote: value })}
          />
        )}
        <Button
          size="sm"
          variant={onlyFavourites ? 'solid' : 'outline'}
          color={onlyFavourites ? undefined : 'fg'}
          aria-pressed={onlyFavourites}
          onClick={() => change({ favourites: onlyFavourites ? undefined : '1' })}
        >
          <Icon name="star" size={16} filled={onlyFavourites} />
          {t('prices.favourites')}
        </Button>
        {pairs.data && (
          <Badge ms={{ md: 'auto' }} role="status">
            {t('prices.count', { count: shown.length })}
          </Badge>
        )}
      </Flex>
      {snapshot.hasFailed && (
        <Notice tone="warning" title={t('prices.noTickers')}>
          <Button size="xs" variant="outline" color="fg" mt="2" onClick={snapshot.retry}>
            {t('ui.retry')}
          </Button>
        </Notice>
      )}
      <Grid
        flex="1"
        minH="0"
        gap="4"
        templateColumns={{ base: 'minmax(0, 1fr)', lg: openPair ? 'minmax(0, 1.35fr) minmax(380px, 1fr)' : 'minmax(0, 1fr)' }}
      >
        <Panel p="0" overflow="hidden" minH="0" display={{ base: openPair ? 'none' : 'block', lg: 'block' }}>
          {pairs.hasFailed ? (
            <Box p="5">
              <ErrorPanel problem={pairs.problem} onRetry={pairs.retry} />
            </Box>
          ) : !pairs.data ? (
            <Box p="5">
              <Skeleton rows={14} height={22} />
            </Box>
          ) : shown.length === 0 ? (
            <EmptyState
              icon={onlyFavourites ? 'star' : 'search'}
              title={t(onlyFavourites && search === '' ? 'prices.noFavourites' : 'prices.nothing')}
            >
              {t(onlyFavourites && search === '' ? 'prices.noFavouritesLead' : 'prices.nothingLead')}
            </EmptyState>
          ) : (
            <PricesGrid
              pairs={shown}
              sort={sort}
              onSort={onSort}
              favourites={favourites}
              onToggleFavourite={toggle}
              open={open}
              onOpen={onOpen}
            />
          )}
        </Panel>
        {openPair && <PairPanel key={openPair.symbol} pair={openPair} onClose={() => change({ pair: undefined })} />}
      </Grid>
    </Flex>
  );
}

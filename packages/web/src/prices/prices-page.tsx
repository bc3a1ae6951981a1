import { Box, Flex, Grid, Text } from '@chakra-ui/react';
import { isOffered } from '@pilotfish/core/prices/currency';
import type { CoinFilter, FilterGroup } from '@pilotfish/core/prices/screener-contract';
import { columnRef } from '@pilotfish/core/prices/screener-fields';
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { useChoice } from '../app/use-choice.ts';
import { useSignedIn } from '../app/use-session.ts';
import { Notice, Panel } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { Button } from '../ui/primitives.tsx';
import { EmptyState, ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { problemText, showToast } from '../ui/toasts.ts';
import { useMedia } from '../ui/use-media.ts';
import { useMoment } from '../ui/use-moment.ts';
import { ColumnChooser } from './column-chooser.tsx';
import { countRules, errorsByNode } from './filter-draft.ts';
import { FilterPanel } from './filter-panel.tsx';
import { PairPanel } from './pair-panel.tsx';
import { quotesOf } from './pair-search.ts';
import { PricesGrid } from './prices-grid.tsx';
import { PricesToolbar } from './prices-toolbar.tsx';
import { useCoinFilters } from './saved-filters.tsx';
import { type AddressChanges, FIRST_COLUMNS, nextSort, readAddress, writeAddress } from './table-address.ts';
import { useFavourites } from './use-favourites.ts';
import { useFilterDraft } from './use-filter-draft.ts';
import { useCurrencyNames, useMarket } from './use-prices.ts';
import { type Question, useFilterOptions, useScreener, useTags } from './use-screener.ts';
import { useTyped } from './use-typed.ts';
import { taggedSymbols, visibleRows } from './visible-rows.ts';

const SHOWN_QUOTES = 5;
const NO_TAGS: readonly never[] = [];
const same = (a: readonly string[] | undefined, b: readonly string[]): boolean => a?.join() === b.join();

/** The filter with the quote asset as one more rule, where that changes no meaning; what remains is done here. */
function withQuote(filter: FilterGroup | undefined, quote: string, canAsk: boolean): FilterGroup | undefined {
  if (quote === '' || !canAsk) return filter;
  const rule = { key: 'quote', operation: 'in', value: [quote] };
  if (!filter) return { match: 'all', rules: [rule] };
  // Appended, so that the paths of the server's errors stay those of the builder.
  return filter.match === 'all' && !filter.negate ? { ...filter, rules: [...filter.rules, rule] } : filter;
}

/** The market: every pair, live, asked in one's own words. The address carries all of it, so a link shows the same. */
export default function PricesPage() {
  const { t } = useTranslation();
  const signedIn = useSignedIn();
  const [query, setQuery] = useSearchParams();
  const address = useMemo(() => readAddress(query), [query]);
  const change = useCallback(
    // The router follows in transitions: of two changes in a row it would forget the first; the browser's address does not.
    (changes: AddressChanges) => setQuery(writeAddress(new URLSearchParams(window.location.search), changes), { replace: true }),
    [setQuery],
  );

  const { pairs, snapshot } = useMarket();
  const { favourites, toggle } = useFavourites();
  const options = useFilterOptions();
  const tags = useTags().data ?? NO_TAGS;
  const tagLabels = useMemo(() => new Map(tags.map(({ key, label }) => [key, label])), [tags]);
  const tag = useCallback((key: string) => tagLabels.get(key) ?? key, [tagLabels]);
  const pairOf = useMemo(() => new Map((pairs.data ?? []).map((pair) => [pair.symbol, pair])), [pairs.data]);
  const precisionOf = useCallback((symbol: string) => pairOf.get(symbol)?.pricePrecision, [pairOf]);
  const quotes = useMemo(() => quotesOf((pairs.data ?? []).filter(isOffered)), [pairs.data]);
  const wantedQuote = address.quote ?? (quotes.includes('USDT') ? 'USDT' : 'all');
  const quote = wantedQuote === 'all' ? '' : wantedQuote;

  const [storedColumns, storeColumns] = useChoice('pricesColumns');
  const columns = useMemo(() => {
    const offered = (id: string) => {
      const { key, timeframe } = columnRef(id);
      const option = options.byKey?.get(key);
      return option !== undefined && (option.timeframes ? option.timeframes.includes(timeframe ?? '') : timeframe === undefined);
    };
    const wanted = (address.columns ?? storedColumns ?? FIRST_COLUMNS).filter(offered);
    return wanted.length > 0 ? wanted : FIRST_COLUMNS.filter(offered);
  }, [address.columns, storedColumns, options.byKey]);
  const onColumns = (next: readonly string[] | undefined) => {
    storeColumns(next && [...next]);
    change({ columns: next && !same(next, FIRST_COLUMNS) ? next : undefined });
  };
  useEffect(() => {
    // One's own columns stand in the address too: who is given the link sees them.
    if (address.columns === undefined && storedColumns && !same(storedColumns, FIRST_COLUMNS)) change({ columns: storedColumns });
  }, [address.columns, storedColumns, change]);

  const [density, storeDensity] = useChoice('density');
  const [filterOpen, storeFilterOpen] = useChoice('pricesFilterOpen');
  const [sheetOpen, setSheetOpen] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const isWide = useMedia('(min-width: 1024px)');
  const isVeryWide = useMedia('(min-width: 1700px)');
  const openPair = address.pair ? pairOf.get(address.pair) : undefined;
  const panelShown = isWide && (filterOpen ?? true) && (!openPair || isVeryWide);

  const writeFilter = useCallback((filter: FilterGroup | undefined) => change({ filter }), [change]);
  const draft = useFilterDraft(address.filter, options.byKey, writeFilter);
  const canAskQuote = options.byKey?.has('quote') ?? false;
  const question = useMemo<Question | undefined>(() => {
    if (!options.byKey || !pairs.data) return undefined;
    const filter = withQuote(draft.filter, quote, canAskQuote);
    return { ...(filter ? { filter } : {}), sort: address.sort, columns: columns.map(columnRef) };
  }, [options.byKey, pairs.data, draft.filter, quote, canAskQuote, address.sort, columns]);
  const { answer, problem, keptSince, isAsking, retry } = useScreener('screener', question);
  const { errors, elsewhere } = useMemo(() => errorsByNode(problem, draft.ids), [problem, draft.ids]);

  const writeSearch = useCallback((text: string) => change({ search: text }), [change]);
  const [typed, onType] = useTyped(address.search, writeSearch);
  const search = useDeferredValue(typed);
  const names = useCurrencyNames();
  const shown = useMemo(
    () =>
      answer &&
      visibleRows(answer.rows, pairOf, {
        search,
        names,
        quote,
        tagged: taggedSymbols(tags, address.tags),
        favourites: address.tab === 'favourites' ? favourites : undefined,
      }),
    [answer, pairOf, search, names, quote, tags, address.tags, address.tab, favourites],
  );

  const [defaultId, storeDefault] = useChoice('defaultCoinFilter');
  const load = useCallback(
    (filter: CoinFilter) =>
      change({ filter: filter.conditions, quote: filter.quoteAsset, ...(filter.sort.length > 0 ? { sort: filter.sort } : {}) }),
    [change],
  );
  useFirstView(signedIn ? defaultId : undefined, query.size === 0, load);

  const onSort = useCallback(
    (column: string, first: 'asc' | 'desc', add: boolean) => {
      // From the address, which is ahead of what is drawn: two clicks in a row count both.
      const { sort } = readAddress(new URLSearchParams(window.location.search));
      change({ sort: nextSort(sort, column, first, add) });
    },
    [change],
  );
  const onOpen = useCallback((symbol: string) => change({ pair: symbol }), [change]);
  const share = async () => {
    const full = writeAddress(query, { columns, quote: wantedQuote, filter: draft.filter });
    setQuery(full, { replace: true });
    try {
      await navigator.clipboard.writeText(`${window.location.origin}${window.location.pathname}?${full}`);
      void showToast('success', t('prices.linkCopied'));
    } catch {
      // Clipboards are closed on plain HTTP; the address bar has the same link.
      void showToast('info', t('prices.linkInBar'));
    }
  };

  const failed = pairs.hasFailed ? pairs : options.hasFailed ? options : undefined;
  const first = !answer && problem && problem.code !== 'invalid' ? { problem, retry } : failed;
  const isEmptyFavourites = address.tab === 'favourites' && favourites.size === 0;
  const filterPanel = options.byKey && (
    <FilterPanel
      draft={draft}
      options={options.byKey}
      tag={tag}
      errors={errors}
      answer={answer}
      isAsking={isAsking}
      question={{ filter: draft.filter, sort: address.sort, quote }}
      onLoad={load}
      defaultId={defaultId}
      onDefault={storeDefault}
    />
  );

  return (
    <Flex
      direction="column"
      gap="3"
      h={{ base: 'calc(100dvh - 52px - 94px)', md: 'calc(100dvh - 48px - 34px)' }}
      minH="420px"
      data-asking={isAsking ? '' : undefined}
    >
      <PageTitle>{t('prices.title')}</PageTitle>
      <Box display={{ base: openPair ? 'none' : 'block', lg: 'block' }}>
        <PricesToolbar
          address={address}
          search={typed}
          onSearch={onType}
          quote={quote}
          quotes={quotes.slice(0, SHOWN_QUOTES)}
          tags={tags}
          rules={countRules(draft.root)}
          filterOpen={isWide ? panelShown : sheetOpen}
          density={density ?? 'comfortable'}
          count={shown?.length}
          onChange={change}
          onFilter={() => {
            if (!isWide) return setSheetOpen(true);
            if (openPair && !isVeryWide) change({ pair: undefined });
            storeFilterOpen(openPair && !isVeryWide ? true : !panelShown);
          }}
          onColumns={() => setChoosing(true)}
          onDensity={() => storeDensity(density === 'compact' ? 'comfortable' : 'compact')}
          onShare={() => void share()}
        />
      </Box>
      {(snapshot.hasFailed || keptSince !== undefined || elsewhere.length > 0) && (
        <StaleNotice
          since={keptSince}
          text={elsewhere.length > 0 ? elsewhere.join(' ') : problem && problemText(problem, t)}
          onRetry={() => {
            snapshot.retry();
            retry();
          }}
        />
      )}
      <Grid
        flex="1"
        minH="0"
        gap="4"
        templateColumns={{
          base: 'minmax(0, 1fr)',
          lg: `${panelShown ? '328px ' : ''}minmax(0, 1fr)${openPair ? ' minmax(380px, 0.85fr)' : ''}`,
        }}
      >
        {panelShown && (
          <Panel as="aside" aria-label={t('prices.filter')} p="4" overflowY="auto" minH="0">
            {filterPanel ?? (options.hasFailed ? null : <Skeleton rows={6} height={32} />)}
          </Panel>
        )}
        <Panel p="0" overflow="hidden" minH="0" display={{ base: openPair ? 'none' : 'block', lg: 'block' }}>
          {first ? (
            <Box p="5">
              <ErrorPanel problem={first.problem} onRetry={first.retry} />
            </Box>
          ) : !shown || !options.byKey || (shown.length === 0 && problem?.code === 'invalid') ? (
            problem ? (
              <EmptyState icon="filter" title={t('prices.mendTitle')}>
                {t('prices.mendRules')}
              </EmptyState>
            ) : (
              <Box p="5">
                <Skeleton rows={14} height={22} />
              </Box>
            )
          ) : shown.length === 0 ? (
            <EmptyState
              icon={isEmptyFavourites ? 'star' : 'search'}
              title={t(isEmptyFavourites ? 'prices.noFavourites' : 'prices.nothing')}
              action={
                !isEmptyFavourites && (
                  <Button
                    variant="outline"
                    color="fg"
                    onClick={() => {
                      draft.clear();
                      onType('');
                      change({ search: undefined, tags: undefined, quote: 'all', tab: 'all', filter: undefined });
                    }}
                  >
                    {t('prices.clearAll')}
                  </Button>
                )
              }
            >
              {t(isEmptyFavourites ? 'prices.noFavouritesLead' : 'prices.nothingLead')}
            </EmptyState>
          ) : (
            <PricesGrid
              rows={shown}
              columns={columns}
              options={options.byKey}
              precisionOf={precisionOf}
              tag={tag}
              sort={address.sort}
              onSort={onSort}
              favourites={favourites}
              onToggleFavourite={toggle}
              open={address.pair}
              onOpen={onOpen}
              density={density ?? 'comfortable'}
              stale={problem !== undefined}
            />
          )}
        </Panel>
        {address.pair && pairs.data && !openPair && (
          <Panel>
            <EmptyState
              icon="info"
              title={t('prices.unknownPair.title', { pair: address.pair })}
              action={
                <Button variant="outline" color="fg" onClick={() => change({ pair: undefined })}>
                  {t('ui.close')}
                </Button>
              }
            >
              {t('prices.unknownPair.lead')}
            </EmptyState>
          </Panel>
        )}
        {openPair && (
          <PairPanel
            key={openPair.symbol}
            pair={openPair}
            interval={address.interval}
            range={address.range}
            onView={change}
            columns={columns}
            options={options.byKey}
            tags={tags}
            onClose={() => change({ pair: undefined })}
          />
        )}
      </Grid>
      <Dialog
        open={sheetOpen && !isWide}
        title={t('prices.filter')}
        onClose={() => setSheetOpen(false)}
        actions={
          <Button colorPalette="brand" onClick={() => setSheetOpen(false)}>
            {t('prices.showPairs', { count: shown?.length ?? 0 })}
          </Button>
        }
      >
        {filterPanel}
      </Dialog>
      {options.byKey && (
        <ColumnChooser
          open={choosing}
          columns={columns}
          options={options.byKey}
          onChange={onColumns}
          onReset={() => onColumns(undefined)}
          onClose={() => setChoosing(false)}
        />
      )}
    </Flex>
  );
}

/** What is on screen is old: since when, why, and another try. */
function StaleNotice({ since, text, onRetry }: { since: number | undefined; text: string | undefined; onRetry: () => void }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const time = since && moment(since, 'second');
  return (
    <Notice tone="warning" title={time ? t('prices.staleSince', { time }) : t('prices.noTickers')}>
      <Flex gap="3" align="center" wrap="wrap">
        {text && <Text color="fg.muted">{text}</Text>}
        <Button size="xs" variant="outline" color="fg" onClick={onRetry}>
          {t('ui.retry')}
        </Button>
      </Flex>
    </Notice>
  );
}

/** The filter kept as the first view, where the address asks for nothing of its own. */
function useFirstView(id: string | undefined, isBare: boolean, load: (filter: CoinFilter) => void) {
  const [wanted] = useState(isBare);
  const done = useRef(false);
  const filters = useCoinFilters(id !== undefined && wanted);
  const filter = filters.data?.find((each) => each.id === id);
  useEffect(() => {
    if (!wanted || done.current || !filter) return;
    done.current = true;
    if (isBare) load(filter);
  }, [wanted, filter, isBare, load]);
}

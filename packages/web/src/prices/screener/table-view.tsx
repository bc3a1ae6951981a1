import { Box, Flex, Grid, Text } from '@chakra-ui/react';
import type { CoinFilter } from '@pilotfish/core/prices/screener-contract';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChoice } from '../../platform/use-choice.ts';
import { useSignedIn } from '../../platform/use-session.ts';
import { Notice, Panel } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { Button } from '../../ui/primitives.tsx';
import { EmptyState, ErrorPanel, Skeleton } from '../../ui/state-panels.tsx';
import { problemText, showToast } from '../../ui/toasts.ts';
import { useMedia } from '../../ui/use-media.ts';
import { useMoment } from '../../ui/use-moment.ts';
import { ColumnChooser } from './column-chooser.tsx';
import { countRules } from './filter-draft.ts';
import { FilterPanel } from './filter-panel.tsx';
import { PricesGrid } from './prices-grid.tsx';
import { PricesToolbar } from './prices-toolbar.tsx';
import { useCoinFilters } from './saved-filters.tsx';
import { type AddressChanges, isBareTable, nextSort, readAddress, type TableAddress, writeAddress } from './table-address.ts';
import { useTable } from './use-table.ts';

const SHOWN_QUOTES = 5;

/** The screener: every pair, live, asked in one's own words. The address carries all of it, so a link shows the same. */
export function TableView({
  address,
  onChange: change,
  onOpen,
}: {
  address: TableAddress;
  onChange: (changes: AddressChanges) => void;
  onOpen: (symbol: string) => void;
}) {
  const { t } = useTranslation();
  const signedIn = useSignedIn();
  const table = useTable(address, change);
  const { market, favourites, toggle, options, tags, tag, columns, onColumns, draft, asked, errors, elsewhere, typed, onType, shown } =
    table;
  const { pairs, snapshot, pairOf, quotes, quote, shownQuote } = market;
  const { answer, problem, keptSince, isAsking, retry } = asked;
  const precisionOf = useCallback((symbol: string) => pairOf.get(symbol)?.pricePrecision, [pairOf]);

  const [density, storeDensity] = useChoice('density');
  const [filterOpen, storeFilterOpen] = useChoice('pricesFilterOpen');
  const [sheetOpen, setSheetOpen] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const isWide = useMedia('(min-width: 1024px)');
  const panelShown = isWide && (filterOpen ?? true);

  const [defaultId, storeDefault] = useChoice('defaultCoinFilter');
  const load = useCallback(
    (filter: CoinFilter) =>
      change({ filter: filter.conditions, quote: filter.quoteAsset, ...(filter.sort.length > 0 ? { sort: filter.sort } : {}) }),
    [change],
  );
  useFirstView(signedIn ? defaultId : undefined, isBareTable(address), load);

  const onSort = useCallback(
    (column: string, first: 'asc' | 'desc', add: boolean) => {
      // From the address, which is ahead of what is drawn: two clicks in a row count both.
      const { sort } = readAddress(new URLSearchParams(window.location.search));
      change({ sort: nextSort(sort, column, first, add) });
    },
    [change],
  );
  const share = async () => {
    const whole = { columns, quote: shownQuote, filter: draft.filter };
    const full = writeAddress(new URLSearchParams(window.location.search), whole);
    change(whole);
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
    <Flex direction="column" gap="3" flex="1" minH="0" data-asking={isAsking ? '' : undefined}>
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
        onFilter={() => (isWide ? storeFilterOpen(!panelShown) : setSheetOpen(true))}
        onColumns={() => setChoosing(true)}
        onDensity={() => storeDensity(density === 'compact' ? 'comfortable' : 'compact')}
        onShare={() => void share()}
      />
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
          lg: `${panelShown ? '328px ' : ''}minmax(0, 1fr)`,
        }}
      >
        {panelShown && (
          <Panel as="aside" aria-label={t('prices.filter')} p="4" overflowY="auto" minH="0">
            {filterPanel ?? (options.hasFailed ? null : <Skeleton rows={6} height={32} />)}
          </Panel>
        )}
        <Panel p="0" overflow="hidden" minH="0">
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

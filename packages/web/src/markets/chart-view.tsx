import { Box, Flex, Grid } from '@chakra-ui/react';
import { formatPrice } from '@pilotfish/core/money/format';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PairChart } from '../prices/pair-chart.tsx';
import { ColumnChooser } from '../prices/screener/column-chooser.tsx';
import { type AddressChanges, isBareTable, type TableAddress } from '../prices/screener/table-address.ts';
import { useFilterOptions } from '../prices/screener/use-screener.ts';
import { useColumns, useQuote, useTable, useTagWords } from '../prices/screener/use-table.ts';
import { useFavourites } from '../prices/use-favourites.ts';
import { useCalmPrice, useNewestCandles } from '../prices/use-prices.ts';
import { IconButton, Panel } from '../ui/controls.tsx';
import { Button } from '../ui/primitives.tsx';
import { EmptyState, ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { useMedia } from '../ui/use-media.ts';
import { useTabTitle } from '../ui/use-tab-title.ts';
import { HeatMap } from './heat-map.tsx';
import { neighbour, readList } from './list-choice.ts';
import { PairHeader } from './pair-header.tsx';
import { byVolume, listSymbols, useHeldSymbols } from './use-list-symbols.ts';
import { useMarketKeys } from './use-market-keys.ts';
import { useWatchlists } from './use-watchlists.ts';
import { WatchList } from './watch-list.tsx';
import { useOwnLevels } from './yours/own-levels.ts';
import { YoursColumn } from './yours/yours-column.tsx';

type Props = {
  address: TableAddress;
  onChange: (changes: AddressChanges, options?: { push?: boolean }) => void;
  tableLink: string;
};

/** One pair at a time: lists of pairs, its chart, and what is the reader's in it. On phones a list, and behind each pair its page. */
export function ChartView({ address, onChange: change, tableLink }: Props) {
  const isPhone = !useMedia('(min-width: 768px)');
  const market = useQuote(address.quote);
  const { pairs, snapshot, pairOf, quote } = market;
  const { favourites, toggle } = useFavourites();
  const watchlists = useWatchlists();
  const held = useHeldSymbols();
  const [rows, setRows] = useState<readonly string[]>();
  const tickers = snapshot.data?.items;
  const ranked = useMemo(() => tickers && byVolume(tickers, pairOf, quote), [tickers, pairOf, quote]);
  const all = useMemo(() => tickers && byVolume(tickers, pairOf, ''), [tickers, pairOf]);
  const choice = readList(address.list, { lists: watchlists.lists, hasFavourites: favourites.size > 0, signedIn: held.isSignedIn });
  const symbols = listSymbols(choice, { ranked, favourites, held, lists: watchlists.lists, rows, pairOf });
  const shown = address.pair ?? (isPhone ? undefined : (symbols?.[0] ?? ranked?.[0]));
  const pair = shown === undefined ? undefined : pairOf.get(shown);
  const open = useCallback((symbol: string) => change({ pair: symbol, view: 'chart' }, { push: isPhone }), [change, isPhone]);
  const step = (by: 1 | -1) => {
    const next = symbols && neighbour(symbols, shown, by);
    if (next !== undefined && next !== shown) change({ pair: next });
  };
  useMarketKeys({
    j: () => step(1),
    k: () => step(-1),
    f: pair && (() => toggle(pair.symbol)),
    a: pair && focusAlert,
  });
  const list = (
    <WatchList
      choice={choice}
      onList={(key) => change({ list: key })}
      watchlists={watchlists}
      symbols={symbols}
      ranked={ranked}
      all={all}
      pairOf={pairOf}
      quote={quote}
      held={held.live}
      hasTable={!isBareTable({ ...address, quote: undefined })}
      tableLink={tableLink}
      chosen={shown}
      onOpen={open}
      onAddFavourite={toggle}
    />
  );
  return (
    <>
      {choice.kind === 'table' && <TableRows address={address} onChange={change} onRows={setRows} />}
      {isPhone && address.pair === undefined ? (
        pairs.hasFailed ? (
          <ErrorPanel problem={pairs.problem} onRetry={pairs.retry} />
        ) : (
          list
        )
      ) : (
        <Grid
          flex="1"
          minH="0"
          gap={{ base: '2.5', md: '3' }}
          templateColumns={{ base: 'minmax(0, 1fr)', md: '248px minmax(0, 1fr)', xl: '248px minmax(0, 1fr) 258px' }}
          templateRows={{ base: 'auto', md: 'minmax(0, 1fr)' }}
        >
          {!isPhone && list}
          {pairs.hasFailed ? (
            <Panel>
              <ErrorPanel problem={pairs.problem} onRetry={pairs.retry} />
            </Panel>
          ) : pair ? (
            <OnePair
              pair={pair}
              address={address}
              quote={quote}
              isPhone={isPhone}
              onChange={change}
              onOpen={open}
              isFavourite={favourites.has(pair.symbol)}
              onFavourite={() => toggle(pair.symbol)}
            />
          ) : address.pair !== undefined && pairs.data ? (
            <UnknownPair symbol={address.pair} onClose={() => change({ pair: undefined })} />
          ) : (
            <Panel>
              <Skeleton rows={1} height={440} />
            </Panel>
          )}
          {[1, -1].map((by) => {
            const ahead = pair && symbols && !isPhone ? neighbour(symbols, pair.symbol, by as 1 | -1) : undefined;
            return ahead === undefined || ahead === shown ? null : <Ahead key={by} symbol={ahead} interval={address.interval} />;
          })}
        </Grid>
      )}
    </>
  );
}

/** The line that an alert is written in stands beside the chart. */
function focusAlert(): void {
  document.querySelector<HTMLElement>('#market-yours form input')?.focus();
}

function toggleFullScreen(): void {
  if (document.fullscreenElement) void document.exitFullscreen();
  else void document.querySelector('#market-chart')?.requestFullscreen();
}

/** Asks for the rows of the table where they are the list. */
function TableRows({ address, onChange, onRows }: Pick<Props, 'address' | 'onChange'> & { onRows: (symbols: readonly string[]) => void }) {
  const { shown } = useTable(address, onChange);
  const symbols = shown?.map(({ symbol }) => symbol).join();
  useEffect(() => {
    if (symbols !== undefined) onRows(symbols === '' ? [] : symbols.split(','));
  }, [symbols, onRows]);
  return null;
}

/** The candles of the pair that a key away is: they are there before the key. */
const Ahead = ({ symbol, interval }: { symbol: string; interval: TableAddress['interval'] }) => {
  useNewestCandles(symbol, interval);
  return null;
};

function UnknownPair({ symbol, onClose }: { symbol: string; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Panel>
      <EmptyState
        icon="info"
        title={t('prices.unknownPair.title', { pair: symbol })}
        action={
          <Button variant="outline" color="fg" onClick={onClose}>
            {t('ui.close')}
          </Button>
        }
      >
        {t('prices.unknownPair.lead')}
      </EmptyState>
    </Panel>
  );
}

type OneProps = {
  pair: Pair;
  address: TableAddress;
  quote: string;
  isPhone: boolean;
  onChange: Props['onChange'];
  onOpen: (symbol: string) => void;
  isFavourite: boolean;
  onFavourite: () => void;
};

function OnePair({ pair, address, quote, isPhone, onChange: change, onOpen, isFavourite, onFavourite }: OneProps) {
  const { t } = useTranslation();
  const options = useFilterOptions();
  const { columns, store } = useColumns(address, options);
  const { tags } = useTagWords();
  const [choosing, setChoosing] = useState(false);
  const levels = useOwnLevels(pair.symbol);
  const price = useCalmPrice(pair.symbol);
  useTabTitle(t('routes.prices'), price && `${formatPrice(price, pair.pricePrecision)} ${pair.symbol}`);
  // Below the chart there is room for the map on a tall screen only; on a phone it is a view of its own.
  const hasMap = useMedia('(min-width: 768px) and (min-height: 840px)');
  const yoursBeside = useMedia('(min-width: 1280px)');
  const yours = (
    <Box id="market-yours" minW="0">
      <YoursColumn pair={pair} columns={columns} options={options.byKey} tags={tags} onColumns={() => setChoosing(true)} />
    </Box>
  );
  const onView = useCallback((view: Pick<TableAddress, 'interval' | 'range'>) => change(view), [change]);
  return (
    <>
      <Flex direction="column" gap={{ base: '2.5', md: '3' }} minW="0" minH="0" overflowY={{ md: 'auto' }}>
        <Panel
          id="market-chart"
          p="0"
          flex="1 0 auto"
          aria-label={pair.symbol}
          minH={{ base: '520px', md: '440px' }}
          display="flex"
          flexDirection="column"
          css={{ '&:fullscreen': { borderRadius: 0, borderWidth: 0 } }}
        >
          <PairHeader pair={pair} isFavourite={isFavourite} onFavourite={onFavourite} onAlert={focusAlert} />
          <Flex direction="column" flex="1" px={{ base: '2', md: '3' }} pt="1.5" pb="1">
            <PairChart
              key={pair.symbol}
              pair={pair}
              interval={address.interval}
              range={address.range}
              onView={onView}
              positions={levels}
              expand={
                document.fullscreenEnabled && (
                  <IconButton
                    icon="expand"
                    size="chip"
                    w={{ base: '11', md: '8' }}
                    label={t('markets.fullScreen')}
                    onClick={toggleFullScreen}
                  />
                )
              }
            />
          </Flex>
        </Panel>
        {hasMap && (
          <Box flexShrink="0">
            <HeatMap
              quote={quote}
              span={address.span}
              onSpan={(span) => change({ span })}
              chosen={pair.symbol}
              onOpen={onOpen}
              height={174}
            />
          </Box>
        )}
        {!yoursBeside && !isPhone && yours}
      </Flex>
      {(yoursBeside || isPhone) && (
        <Box minH="0" overflowY={{ md: 'auto' }} className="rings-inside">
          {yours}
        </Box>
      )}
      {options.byKey && (
        <ColumnChooser
          open={choosing}
          columns={columns}
          options={options.byKey}
          onChange={(next) => store([...next])}
          onReset={() => store(undefined)}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  );
}

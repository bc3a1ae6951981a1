import './markets.css';
import { Flex } from '@chakra-ui/react';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import {
  type AddressChanges,
  isBareTable,
  MARKET_VIEWS,
  type MarketView,
  readAddress,
  writeAddress,
} from '../prices/screener/table-address.ts';
import { TableView } from '../prices/screener/table-view.tsx';
import { useQuote } from '../prices/screener/use-table.ts';
import { usePairs } from '../prices/use-prices.ts';
import { IconButton, Segments } from '../ui/controls.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { useMedia } from '../ui/use-media.ts';
import { ChartView } from './chart-view.tsx';
import { HeatMap } from './heat-map.tsx';
import { useMarketKeys } from './use-market-keys.ts';

const SHOWN_QUOTES = 5;

/** What moves, and what is mine in it: chart, table and heat map of one market. The address carries all of it. */
export default function MarketsPage() {
  const { t } = useTranslation();
  const [query, setQuery] = useSearchParams();
  const address = useMemo(() => readAddress(query), [query]);
  const change = useCallback(
    // The router follows in transitions: of two changes in a row it would forget the first; the browser's address does not.
    (changes: AddressChanges, { push = false }: { push?: boolean } = {}) =>
      setQuery(writeAddress(new URLSearchParams(window.location.search), changes), { replace: !push }),
    [setQuery],
  );
  const isPhone = !useMedia('(min-width: 768px)');
  // Beside the title of the bar there is room for them; the bar of a narrower window is full.
  const inBar = useMedia('(min-width: 1440px)');
  const { view } = address;
  const onView = (next: MarketView) => change({ view: next });
  useMarketKeys({ v: () => onView(MARKET_VIEWS[(MARKET_VIEWS.indexOf(view) + 1) % MARKET_VIEWS.length]!) });
  const onOpen = useCallback(
    (symbol: string) => {
      const now = readAddress(new URLSearchParams(window.location.search));
      // What was asked of the table is the list that one goes through.
      const isAsked = now.view === 'table' && !isBareTable({ ...now, quote: undefined });
      change({ pair: symbol, view: 'chart', ...(isAsked ? { list: 'table' } : {}) }, { push: true });
    },
    [change],
  );
  const views = (
    <Segments
      label={t('markets.views')}
      size="chip"
      value={view}
      options={MARKET_VIEWS.map((value) => ({ value, label: t(`markets.view.${value}`) }))}
      onChange={onView}
    />
  );
  const isPairPage = isPhone && view === 'chart' && address.pair !== undefined;
  const tableLink = `/prices?${writeAddress(query, { view: 'table', pair: undefined })}`;
  return (
    <Flex
      direction="column"
      gap={{ base: '2.5', md: '3' }}
      h={isPairPage ? undefined : { base: 'calc(100dvh - 52px - 94px)', md: 'calc(100dvh - 48px - 34px)' }}
      minH="420px"
    >
      {isPairPage ? (
        <PageTitle
          before={<IconButton icon="back" size="chip" label={t('markets.backToList')} onClick={() => change({ pair: undefined })} />}
        >
          <PairName symbol={address.pair} />
        </PageTitle>
      ) : (
        <>
          <PageTitle after={inBar && views}>{t('prices.title')}</PageTitle>
          {!inBar && views}
        </>
      )}
      {view === 'table' ? (
        <TableView address={address} onChange={change} onOpen={onOpen} />
      ) : view === 'map' ? (
        <MapView address={address} onChange={change} onOpen={onOpen} />
      ) : (
        <ChartView address={address} onChange={change} tableLink={tableLink} />
      )}
    </Flex>
  );
}

/** The coin: the bar of a phone has no room for the pair, which stands right below; the symbol while pairs are not known. */
function PairName({ symbol = '' }: { symbol: string | undefined }) {
  return (
    <span lang="en" translate="no">
      {usePairs()?.get(symbol)?.baseAsset ?? symbol}
    </span>
  );
}

type MapProps = {
  address: ReturnType<typeof readAddress>;
  onChange: (changes: AddressChanges) => void;
  onOpen: (symbol: string) => void;
};

function MapView({ address, onChange: change, onOpen }: MapProps) {
  const { t } = useTranslation();
  const { quotes, quote } = useQuote(address.quote);
  return (
    <>
      {quotes.length > 0 && (
        <Segments
          label={t('prices.quote')}
          value={quote === '' ? 'all' : quote}
          options={[...quotes.slice(0, SHOWN_QUOTES).map((value) => ({ value, label: value })), { value: 'all', label: t('prices.all') }]}
          onChange={(value) => change({ quote: value })}
        />
      )}
      <HeatMap quote={quote} span={address.span} onSpan={(span) => change({ span })} chosen={address.pair} onOpen={onOpen} height="fill" />
    </>
  );
}

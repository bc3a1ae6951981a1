import './heat-map.css';
import { Box, chakra } from '@chakra-ui/react';
import { formatCompact, formatPercent, UNKNOWN } from '@pilotfish/core/money/format';
import { type KeyboardEvent, memo, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { HEAT_SPANS, type HeatSpan } from '../prices/screener/table-address.ts';
import { Segments } from '../ui/controls.tsx';
import { TitledPanel } from '../ui/kit/titled-panel.tsx';
import { toneOf } from '../ui/theme/tone.ts';
import { useMedia } from '../ui/use-media.ts';
import { arrange, type Place, textOf, tintOf } from './heat-tiles.ts';
import { type HeatCoin, useHeat } from './use-heat.ts';

const ON_PHONES = 24;

/**
 * The most traded pairs of a quote asset as tiles: their size is the volume of 24 hours, their colour the change in `span`.
 * @param quote '' for USDT
 * @param chosen symbol of the pair that is open
 * @param height of the tiles in px; `fill` takes what the place around the panel has
 */
export function HeatMap({
  quote,
  span,
  onSpan,
  chosen,
  onOpen,
  height,
}: {
  quote: string;
  span: HeatSpan;
  onSpan: (span: HeatSpan) => void;
  chosen: string | undefined;
  onOpen: (symbol: string) => void;
  height: number | 'fill';
}) {
  const { t } = useTranslation();
  const { coins, currency, problem, keptSince, retry } = useHeat(quote, span);
  const failed = problem !== undefined;
  const box = height === 'fill' ? { flex: '1', minH: '0' } : { h: `${height}px` };
  return (
    <TitledPanel
      title={t('heatMap.title')}
      count={t('heatMap.note', { currency })}
      fill={height === 'fill'}
      query={{
        // The tiles to come have a skeleton of their own, as high as they will be.
        data: coins ?? (failed ? undefined : null),
        hasFailed: failed && coins === undefined,
        isStale: failed && coins !== undefined,
        loadedAt: keptSince,
        problem,
        retry,
      }}
      actions={
        <Segments
          label={t('heatMap.span')}
          options={HEAT_SPANS.map((value) => ({ value, label: t(`landing.intervals.${value}`) }))}
          value={span}
          onChange={onSpan}
        />
      }
      empty={coins?.length === 0 ? t('heatMap.empty') : undefined}
    >
      {coins === undefined ? (
        <Box {...box} role="status" className="skeleton">
          <span className="visually-hidden">{t('ui.loading')}</span>
        </Box>
      ) : (
        <HeatTiles coins={coins} span={span} chosen={chosen} onOpen={onOpen} box={box} />
      )}
    </TitledPanel>
  );
}

/** The size of an element in px, from its first drawing on. */
function useSize() {
  const ref = useRef<HTMLUListElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element;
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, size] as const;
}

/** Tiles in the order of their volume; the arrow keys go along it. @param coins the largest first */
export function HeatTiles({
  coins,
  span,
  chosen,
  onOpen,
  box,
}: {
  coins: readonly HeatCoin[];
  span: HeatSpan;
  chosen: string | undefined;
  onOpen: (symbol: string) => void;
  box: { flex?: string; minH?: string; h?: string };
}) {
  const { t } = useTranslation();
  const [list, { width, height }] = useSize();
  const isPhone = !useMedia('(min-width: 768px)');
  const key = JSON.stringify(coins.slice(0, isPhone ? ON_PHONES : coins.length).map(({ symbol, volume }) => ({ symbol, volume })));
  // By what they show, not by the list: with each beat there is a new list, and hardly ever a new arrangement.
  const places = useMemo(() => arrange(JSON.parse(key), width, height), [key, width, height]);
  const [focused, setFocused] = useState<string>();
  const shown = coins.slice(0, places.length);
  const stop = [focused, chosen].find((symbol) => shown.some((coin) => coin.symbol === symbol)) ?? shown[0]?.symbol;

  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    const tiles = [...event.currentTarget.querySelectorAll<HTMLElement>('.heat-tile')];
    const at = tiles.indexOf(event.target as HTMLElement);
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: tiles.length - 1 }[event.key];
    if (at < 0 || to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    tiles[Math.min(tiles.length - 1, Math.max(0, to))]?.focus();
  };

  return (
    <chakra.ul ref={list} className="heat-map" role="list" aria-label={t('heatMap.list')} onKeyDown={onKeyDown} {...box}>
      {shown.map((coin, index) => (
        <Tile
          key={coin.symbol}
          coin={coin.base}
          symbol={coin.symbol}
          volume={`${formatCompact(coin.turnover)} ${coin.quote}`}
          change={coin.change === undefined ? UNKNOWN : formatPercent(coin.change)}
          short={coin.change === undefined ? UNKNOWN : formatPercent(coin.change, 1)}
          tint={coin.change === undefined ? undefined : tintOf(Number(coin.change), span)}
          {...places[index]!}
          isChosen={coin.symbol === chosen}
          isStop={coin.symbol === stop}
          onOpen={onOpen}
          onFocus={setFocused}
        />
      ))}
    </chakra.ul>
  );
}

type TileProps = Place & {
  symbol: string;
  coin: string;
  /** With two decimals, for the label. */
  change: string;
  short: string;
  volume: string;
  /** Percent; absent where the change is not known. */
  tint: number | undefined;
  isChosen: boolean;
  /** Tab stops here. */
  isStop: boolean;
  onOpen: (symbol: string) => void;
  onFocus: (symbol: string) => void;
};

/** Sixty of them at every beat: only those whose texts or places changed are drawn. */
const Tile = memo(function Tile({ symbol, coin, change, short, volume, tint, isChosen, isStop, onOpen, onFocus, ...place }: TileProps) {
  const { t } = useTranslation();
  const { shows, size } = textOf(place, coin, short);
  const tone = tint === undefined ? '' : toneOf(short);
  const label = change === UNKNOWN ? t('heatMap.tileUnknown', { coin, volume }) : t('heatMap.tile', { coin, change, volume });
  return (
    <li style={{ width: place.width, height: place.height, transform: `translate(${place.x}px, ${place.y}px)` }}>
      <button
        type="button"
        className="heat-tile"
        data-tone={tone || undefined}
        style={tone === '' ? undefined : ({ '--tint': `${tint}%` } as React.CSSProperties)}
        tabIndex={isStop ? 0 : -1}
        aria-current={isChosen || undefined}
        title={label}
        onClick={() => onOpen(symbol)}
        onFocus={() => onFocus(symbol)}
      >
        {/* Named by its content: a label beside shorter texts would be another one than what is seen (WCAG 2.5.3). */}
        <span className="visually-hidden">{label}</span>
        {shows !== 'none' && (
          <b lang="en" translate="no" aria-hidden="true" style={{ fontSize: size }}>
            {coin}
          </b>
        )}
        {shows === 'both' && <span aria-hidden="true">{short}</span>}
      </button>
    </li>
  );
});

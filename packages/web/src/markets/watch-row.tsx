import { Box, chakra } from '@chakra-ui/react';
import { formatPercent, formatPrice, UNKNOWN } from '@pilotfish/core/money/format';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCalmTicker } from '../prices/use-prices.ts';
import { Sparkline } from '../ui/charts/sparkline.tsx';
import { CoinIcon } from '../ui/coin-icon.tsx';
import { IconButton } from '../ui/controls.tsx';
import { toneOf } from '../ui/theme/tone.ts';

export type WatchRowProps = {
  pair: Pair;
  /** Of the list, where most are; another one is said. */
  quote: string;
  points: readonly number[] | undefined;
  isChosen: boolean;
  /** Where the Tab key stops in the list; arrows go on from there. */
  isStop: boolean;
  isHeld: boolean;
  onOpen: (symbol: string) => void;
  /** Adds it to the list it is not in yet. */
  onAdd?: ((symbol: string) => void) | undefined;
};

/** One pair of a list: its last day as a line, price and change. */
export const WatchRow = memo(function WatchRow({ pair, quote, points, isChosen, isStop, isHeld, onOpen, onAdd }: WatchRowProps) {
  const { t } = useTranslation();
  const ticker = useCalmTicker(pair.symbol);
  const change = ticker ? formatPercent(ticker.changePct) : UNKNOWN;
  const tone = toneOf(change);
  return (
    <Box as="li" className="watch-row" data-symbol={pair.symbol} data-chosen={isChosen ? '' : undefined}>
      <chakra.button
        type="button"
        className="watch-pair"
        tabIndex={isStop ? 0 : -1}
        aria-current={isChosen ? 'true' : undefined}
        onClick={() => onOpen(pair.symbol)}
      >
        <span className="watch-name" lang="en" translate="no">
          <CoinIcon code={pair.baseAsset} />
          <span>
            <b>{pair.baseAsset}</b>
            {pair.quoteAsset !== quote && <small>/{pair.quoteAsset}</small>}
          </span>
          {isHeld && (
            <>
              <i className="watch-held" aria-hidden="true" />
              <span className="visually-hidden">{t('markets.held')}</span>
            </>
          )}
        </span>
        <span className="watch-line" aria-hidden="true">
          {points && <Sparkline values={points} tone={tone === '' ? 'muted' : tone} />}
        </span>
        <span className="figure watch-figures">
          <span>{ticker ? formatPrice(ticker.price, pair.pricePrecision) : UNKNOWN}</span>
          <span className={tone}>{change}</span>
        </span>
      </chakra.button>
      {onAdd && (
        <IconButton icon="plus" size="chip" w="8" label={t('markets.addPair', { pair: pair.symbol })} onClick={() => onAdd(pair.symbol)} />
      )}
    </Box>
  );
});

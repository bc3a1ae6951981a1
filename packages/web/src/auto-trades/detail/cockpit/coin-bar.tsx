import { chakra, Flex } from '@chakra-ui/react';
import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { CHART_INTERVALS, type ChartInterval } from '../../../prices/use-prices.ts';
import { CoinIcon } from '../../../ui/coin-icon.tsx';
import { Segments } from '../../../ui/controls.tsx';
import { Result } from '../../../ui/kit/result.tsx';
import { Select } from '../../../ui/primitives.tsx';
import { type BotCoin, isHeld, tabsOf } from './chosen-coin.ts';
import { type Cockpit, useCoinName } from './use-cockpit.ts';

/** Which coin the chart shows: tabs with what each has gained, and a list of those that have no tab. */
export function CoinBar({
  cockpit,
  coins,
  coin,
  onChoose,
}: {
  cockpit: Cockpit;
  coins: readonly BotCoin[];
  coin: BotCoin | undefined;
  onChoose: (symbol: string) => void;
}) {
  const { t } = useTranslation();
  const nameOf = useCoinName();
  const { tabs, rest } = tabsOf(coins, coin?.symbol);
  const group = useRef<HTMLDivElement>(null);
  const symbol = coin?.symbol;
  // A tab that a key chose may be out of sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: which one is pressed is read from the page
  useLayoutEffect(() => {
    const box = group.current;
    const pressed = box?.querySelector('[aria-pressed=true]');
    if (box && pressed instanceof HTMLElement && box.scrollWidth > box.clientWidth)
      box.scrollLeft = pressed.offsetLeft - box.offsetLeft - (box.clientWidth - pressed.offsetWidth) / 2;
  }, [symbol]);
  return (
    <Flex align="center" gap="1" minW="0" flex="1">
      <Flex
        ref={group}
        role="group"
        aria-label={t('autoTrades.cockpit.coins')}
        className="scroll-hint"
        gap="1"
        minW="0"
        overflowX="auto"
        css={{ scrollbarWidth: 'none' }}
      >
        {tabs.map((each) => (
          <CoinTab
            key={each.symbol}
            cockpit={cockpit}
            coin={each}
            name={nameOf(each.symbol)}
            isChosen={each.symbol === symbol}
            onChoose={onChoose}
          />
        ))}
      </Flex>
      {rest.length > 0 && (
        <Select
          aria-label={t('autoTrades.cockpit.moreCoins')}
          value=""
          size="xs"
          box={{ w: '72px', flexShrink: '0' }}
          onChange={(event) => onChoose(event.currentTarget.value)}
        >
          <option value="" disabled>
            +{rest.length}
          </option>
          {rest.map((each) => (
            <option key={each.symbol} value={each.symbol} lang="en" translate="no">
              {nameOf(each.symbol)}
            </option>
          ))}
        </Select>
      )}
    </Flex>
  );
}

function CoinTab({
  cockpit: { bot, held },
  coin: { symbol, position },
  name,
  isChosen,
  onChoose,
}: {
  cockpit: Cockpit;
  coin: BotCoin;
  name: string;
  isChosen: boolean;
  onChoose: (symbol: string) => void;
}) {
  const { t } = useTranslation();
  return (
    <chakra.button
      type="button"
      display="flex"
      alignItems="center"
      gap="1.5"
      h={{ base: '11', md: '8' }}
      px="2.5"
      borderRadius="control"
      fontSize="13px"
      fontWeight="550"
      whiteSpace="nowrap"
      cursor="pointer"
      flexShrink="0"
      color="fg.muted"
      css={{ '&[aria-pressed=true]': { background: 'var(--chakra-colors-bg-raised)', color: 'var(--chakra-colors-fg)' } }}
      _hover={{ bg: 'bg.raised' }}
      aria-pressed={isChosen}
      onClick={() => onChoose(symbol)}
    >
      <span lang="en" translate="no">
        <CoinIcon code={name} />
        {name}
      </span>{' '}
      {position && isHeld(position) ? (
        <chakra.span fontWeight="600">
          <Result value={held.get(position.id)?.result ?? null} currency={bot.currency} reason={t('autoTrades.cockpit.unknown')} />
        </chakra.span>
      ) : (
        <chakra.span color="fg.subtle" fontWeight="450">
          {position ? t(`positionStates.${position.state}`) : t('autoTrades.cockpit.watching')}
        </chakra.span>
      )}
    </chakra.button>
  );
}

/** The length of a candle; on a phone there is no room for six of them side by side. */
export function IntervalChoice({
  value,
  onChange,
  isPhone,
}: {
  value: ChartInterval;
  onChange: (interval: ChartInterval) => void;
  isPhone: boolean;
}) {
  const { t } = useTranslation();
  if (!isPhone)
    return (
      <Segments
        label={t('prices.interval')}
        value={value}
        options={CHART_INTERVALS.map((each) => ({ value: each, label: each }))}
        onChange={onChange}
      />
    );
  return (
    <Select
      aria-label={t('prices.interval')}
      value={value}
      size="xs"
      box={{ w: '76px', flexShrink: '0' }}
      fontSize="13px"
      onChange={(event) => onChange(event.currentTarget.value as ChartInterval)}
    >
      {CHART_INTERVALS.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </Select>
  );
}

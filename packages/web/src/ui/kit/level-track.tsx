import { Box, chakra, Flex } from '@chakra-ui/react';
import { digits, type Price } from '@pilotfish/core/money/figure';
import { formatPrice } from '@pilotfish/core/money/format';
import { useTranslation } from 'react-i18next';

export type TrackLevels = {
  /** Where everything is sold at a loss; null is none, which the track says in a word. */
  readonly stop: Price | null;
  readonly rebuys?: readonly Price[];
  readonly breakEven: Price | null;
  readonly price: Price | null;
  readonly target: Price | null;
};

/** Floats, for places on a line of some hundred pixels. */
const number = (price: Price | null): number | undefined => (price === null ? undefined : Number(price));

/** Where a price stands between the outermost levels, in percent of the line. */
function scaleOf({ stop, rebuys = [], breakEven, price, target }: TrackLevels): (value: number) => number {
  const all = [stop, target, breakEven, price, ...rebuys].flatMap((each) => number(each) ?? []);
  // Where an end has no level, what is outermost stands a little inside.
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const edge = (high - low) * 0.08;
  const [from, to] = [stop === null ? low - edge : low, target === null ? high + edge : high];
  return (value) => (to > from ? Math.min(100, Math.max(0, ((value - from) / (to - from)) * 100)) : 50);
}

const Mark = chakra('i', { base: { position: 'absolute' } });

/**
 * The levels that decide a position on one line: the stop at its start, the target at its end, rebuys as dots, break-even as a
 * stroke, the price as a knob, and between those two what it has gained or lost. In words it is a list of them.
 */
export function LevelTrack({
  symbol,
  levels,
  places,
  withPrice = false,
}: {
  symbol: string;
  levels: TrackLevels;
  places: number | undefined;
  /** The price stands below the line, too: where no column has it. */
  withPrice?: boolean;
}) {
  const { t } = useTranslation();
  const { stop, rebuys = [], breakEven, price, target } = levels;
  const at = scaleOf(levels);
  const shown = (value: Price) => formatPrice(value, places);
  const words = [
    stop === null ? t('kit.track.noStop') : t('kit.track.stop', { price: shown(stop) }),
    ...rebuys.map((each) => t('kit.track.rebuy', { price: shown(each) })),
    breakEven !== null && t('kit.track.breakEven', { price: shown(breakEven) }),
    price !== null && t('kit.track.price', { price: shown(price) }),
    target !== null && t('kit.track.target', { price: shown(target) }),
  ].filter((each) => each !== false);
  const [knob, middle] = [number(price), number(breakEven)];
  const isLoss = knob !== undefined && middle !== undefined && knob < middle;
  return (
    <Box minW="0" w="100%">
      <Box
        role="img"
        aria-label={`${symbol}: ${words.join(', ')}`}
        position="relative"
        h="6px"
        borderRadius="3px"
        bg="bg.raised"
        css={{
          boxShadow: [
            ...(stop === null ? [] : ['inset 3px 0 0 var(--chakra-colors-chart-down)']),
            ...(target === null ? [] : ['inset -3px 0 0 var(--chakra-colors-chart-up)']),
          ].join(', '),
        }}
      >
        {knob !== undefined && middle !== undefined && (
          <Mark
            top="0"
            h="6px"
            bg={isLoss ? 'chart.down' : 'chart.up'}
            style={{ insetInlineStart: `${Math.min(at(knob), at(middle))}%`, width: `${Math.abs(at(knob) - at(middle))}%` }}
          />
        )}
        {rebuys.map((each) => (
          <Mark
            key={digits(each)}
            top="0.5px"
            w="5px"
            h="5px"
            ms="-2.5px"
            borderRadius="full"
            bg="chart.line"
            style={{ insetInlineStart: `${at(Number(each))}%` }}
          />
        ))}
        {middle !== undefined && (
          <Mark top="-3px" w="2px" h="12px" ms="-1px" bg="fg.subtle" style={{ insetInlineStart: `${at(middle)}%` }} />
        )}
        {knob !== undefined && (
          <Mark
            top="-2px"
            w="10px"
            h="10px"
            ms="-5px"
            borderRadius="full"
            bg="fg"
            css={{ boxShadow: '0 0 0 2px var(--chakra-colors-bg-panel)' }}
            style={{ insetInlineStart: `${at(knob)}%` }}
          />
        )}
      </Box>
      <Flex
        justify="space-between"
        gap="2"
        mt="5px"
        fontSize="11px"
        lineHeight="14px"
        color="fg.subtle"
        aria-hidden="true"
        css={{ fontVariantNumeric: 'tabular-nums' }}
      >
        {stop === null ? <chakra.span color="warning">{t('kit.track.noStop')}</chakra.span> : <span>{shown(stop)}</span>}
        {withPrice && price !== null && <span>{shown(price)}</span>}
        {target === null ? withPrice && <span /> : <span>{shown(target)}</span>}
      </Flex>
    </Box>
  );
}

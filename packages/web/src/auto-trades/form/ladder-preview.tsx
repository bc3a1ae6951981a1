import { Box, chakra, Flex, Heading, Text } from '@chakra-ui/react';
import type { AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { decimal, negate } from '@pilotfish/core/money/decimal';
import { formatCurrency, formatMoney, formatPercentNumber, formatPrice, formatResult } from '@pilotfish/core/money/format';
import { useTranslation } from 'react-i18next';
import { CompactSelect } from '../../prices/compact-select.tsx';
import { usePairs } from '../../prices/use-prices.ts';
import { Panel } from '../../ui/controls.tsx';
import { Skeleton } from '../../ui/state-panels.tsx';
import { useStayingChoice } from '../../ui/use-staying-choice.ts';
import { LadderDrawing } from './ladder-drawing.tsx';
import type { Validation } from './use-bot-form.ts';

type Ladder = AutoTradeDetail['ladder'];

/** What enabling would buy at present prices, where it would sell, and the most it could tie up. */
export function LadderPreview({ validation: { ladder, settled, valid, isLadderOld, errors } }: { validation: Validation }) {
  const { t } = useTranslation();
  return (
    <Panel
      position={{ lg: 'sticky' }}
      top={{ lg: '76px' }}
      maxH={{ lg: 'calc(100dvh - 92px)' }}
      overflowY={{ lg: 'auto' }}
      tabIndex={0}
      aria-label={t('autoTrades.ladder.title')}
      aria-busy={!settled}
    >
      <Heading as="h2" fontSize="16px" fontWeight="600" mb="1">
        {t('autoTrades.ladder.title')}
      </Heading>
      <Text color="fg.muted" fontSize="13px" mb="3">
        {t('autoTrades.ladder.lead')}
      </Text>
      {ladder && ladder.rungs.length > 0 ? (
        <Box>
          {settled && isLadderOld && (
            <Text fontSize="13px" color="secondary.fg" mb="2">
              {t('autoTrades.ladder.old')}
            </Text>
          )}
          <LadderOf ladder={ladder} />
        </Box>
      ) : settled ? (
        <Text color="fg.muted">{t('autoTrades.ladder.none')}</Text>
      ) : (
        <Skeleton rows={4} height={20} />
      )}
      <Text role="status" fontSize="13px" mt="3" color={settled && valid ? 'brand.fg' : 'fg.muted'}>
        {!settled
          ? t('autoTrades.form.checking')
          : valid
            ? t('autoTrades.form.fine')
            : t('autoTrades.form.notYet', { count: Math.max(1, errors.size) })}
      </Text>
    </Panel>
  );
}

/** One coin's ladder as a drawing and a table; the sum is of all coins. */
export function LadderOf({ ladder }: { ladder: Ladder }) {
  const { t } = useTranslation();
  const symbols = [...new Set(ladder.rungs.map(({ symbol }) => symbol))];
  const [chosen, setChosen] = useStayingChoice(symbols[0]);
  const symbol = chosen !== undefined && symbols.includes(chosen) ? chosen : (symbols[0] ?? '');
  const pricePrecision = usePairs()?.get(symbol)?.pricePrecision;
  const rungs = ladder.rungs.filter((rung) => rung.symbol === symbol);
  const exits = ladder.exits.filter((exit) => exit.symbol === symbol);
  const stop = ladder.stops.find((each) => each.symbol === symbol);
  // Absurd amounts are shown, too, while they are typed: they break rather than leave the panel.
  const cell = { px: '2', py: '1.5', textAlign: 'end', overflowWrap: 'anywhere' } as const;
  const rows = [
    ...exits.toReversed().map((exit) => ({
      key: `exit${exit.level}`,
      name: t('autoTrades.ladder.exit', { level: exit.level + 1, gain: formatPercentNumber(exit.gainPct) }),
      note: exit.mergedInto === null ? '' : t('autoTrades.ladder.merged', { level: exit.mergedInto + 1 }),
      tone: 'gain',
      price: exit.price,
      quote: exit.quote,
    })),
    ...rungs.map((rung) => ({
      key: `rung${rung.level}`,
      name: rung.level === 0 ? t('autoTrades.ladder.entry') : t('autoTrades.ladder.rebuy', { level: rung.level }),
      note: '',
      tone: '',
      price: rung.price,
      quote: rung.quote,
    })),
    ...(stop
      ? [{ key: 'stop', name: t('autoTrades.ladder.stop'), note: '', tone: 'loss', price: stop.price, quote: negate(decimal(stop.loss)) }]
      : []),
  ];
  return (
    <>
      <Flex mb="3">
        {symbols.length > 1 ? (
          <CompactSelect
            label={t('autoTrades.ladder.coin')}
            value={symbol}
            options={symbols.map((value) => ({ value, label: value }))}
            onChange={setChosen}
          />
        ) : (
          <Text fontWeight="600" lang="en" translate="no">
            {symbol}
          </Text>
        )}
      </Flex>
      <Flex gap="3" align="stretch">
        {/* The table says the same; on a narrow phone its figures need the room. */}
        <Box display={{ base: 'none', sm: 'block' }} flexShrink="0">
          <LadderDrawing rungs={rungs} exits={exits} />
        </Box>
        <chakra.table flex="1" minW="0" fontSize="13px" alignSelf="flex-start" css={{ fontVariantNumeric: 'tabular-nums' }}>
          <thead>
            <chakra.tr color="fg.muted">
              <chakra.th scope="col" {...cell} ps="0" textAlign="start" fontWeight="550">
                {t('autoTrades.ladder.step')}
              </chakra.th>
              <chakra.th scope="col" {...cell} fontWeight="550">
                {t('autoTrades.ladder.price')}
              </chakra.th>
              <chakra.th scope="col" {...cell} pe="0" fontWeight="550">
                {t('autoTrades.ladder.quote')}
              </chakra.th>
            </chakra.tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <chakra.tr key={row.key} borderTopWidth="1px" borderColor="border.subtle">
                <chakra.th scope="row" {...cell} ps="0" textAlign="start" fontWeight="550" className={row.tone}>
                  {row.name}
                  {row.note && (
                    <Text as="span" display="block" color="fg.muted" fontSize="12px" fontWeight="400">
                      {row.note}
                    </Text>
                  )}
                </chakra.th>
                <chakra.td {...cell}>{formatPrice(row.price, pricePrecision)}</chakra.td>
                <chakra.td {...cell} pe="0">
                  {row.note ? '–' : formatMoney(row.quote, ladder.currency)}
                </chakra.td>
              </chakra.tr>
            ))}
          </tbody>
        </chakra.table>
      </Flex>
      <Flex justify="space-between" gap="3" mt="3" pt="3" borderTopWidth="1px" borderColor="border" fontWeight="600">
        <span>{t('autoTrades.ladder.worst')}</span>
        <chakra.span textAlign="end" overflowWrap="anywhere" minW="0" css={{ fontVariantNumeric: 'tabular-nums' }}>
          {formatCurrency(ladder.worstCaseTotal, ladder.currency)}
        </chakra.span>
      </Flex>
      <Flex justify="space-between" gap="3" mt="1" fontWeight="600">
        <span>{t('autoTrades.ladder.worstLoss')}</span>
        {ladder.worstLoss === null ? (
          <chakra.span color="fg.muted">{t('autoTrades.ladder.noStop')}</chakra.span>
        ) : (
          <chakra.span className="loss" textAlign="end" overflowWrap="anywhere" minW="0" css={{ fontVariantNumeric: 'tabular-nums' }}>
            {formatResult(negate(decimal(ladder.worstLoss)), ladder.currency)}
          </chakra.span>
        )}
      </Flex>
    </>
  );
}

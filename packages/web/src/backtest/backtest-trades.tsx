import { Box, chakra, Text } from '@chakra-ui/react';
import type { BacktestTrade } from '@pilotfish/core/backtest/backtest-contract';
import { formatCurrency, formatPercent, formatResult } from '@pilotfish/core/money/format';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TraceWords } from '../auto-trades/trace-words.tsx';
import { TitledPanel } from '../ui/kit/titled-panel.tsx';
import { Button } from '../ui/primitives.tsx';
import { Pager } from '../ui/tables/pager.tsx';
import { toneOf } from '../ui/theme/tone.ts';
import { useMoment } from '../ui/use-moment.ts';

const PAGE_SIZE = 20;

/** The trades that are shown, newest first; what each did opens below it. @param props.all of the run */
export function BacktestTrades({
  trades,
  all,
  currency,
  onClear,
}: {
  trades: readonly BacktestTrade[];
  all: number;
  currency: string;
  onClear: () => void;
}) {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const pages = Math.max(1, Math.ceil(trades.length / PAGE_SIZE));
  return (
    <TitledPanel
      title={t('backtest.trades')}
      count={trades.length === all ? all : t('backtest.tradesShown', { shown: trades.length, all })}
      actions={
        trades.length < all && (
          <Button size="chip" variant="ghost" color="fg.muted" onClick={onClear}>
            {t('performance.clear')}
          </Button>
        )
      }
    >
      {trades.length === 0 ? (
        <Text color="fg.muted">{t(all === 0 ? 'backtest.noTrades' : 'performance.noneTitle')}</Text>
      ) : (
        <>
          <Box as="ul" listStyleType="none">
            {trades.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map((trade) => (
              <TradeRow key={trade.positionId} trade={trade} currency={currency} />
            ))}
          </Box>
          {pages > 1 && <Pager page={page} pages={pages} onPage={setPage} />}
        </>
      )}
    </TitledPanel>
  );
}

function TradeRow({ trade, currency }: { trade: BacktestTrade; currency: string }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const result = trade.realised === null ? undefined : formatResult(trade.realised, currency);
  return (
    <chakra.li borderTopWidth="1px" borderColor="border.subtle" _first={{ borderTopWidth: '0' }}>
      <chakra.details py="2.5">
        <chakra.summary
          cursor="pointer"
          display={{ base: 'grid', md: 'flex' }}
          gridTemplateColumns="1fr auto"
          gridTemplateAreas='"pair result" "time time" "reason bought"'
          flexWrap="wrap"
          columnGap="4"
          rowGap="1"
          alignItems="baseline"
        >
          <Text as="span" fontWeight="600" lang="en" translate="no" minW="90px" gridArea="pair">
            {trade.symbol}
          </Text>
          <Text as="span" className="figure" color="fg.muted" fontSize="13px" flex="1" minW="220px" textAlign="start" gridArea="time">
            {moment(trade.enteredAt)} – {trade.closedAt === null ? t('backtest.stillOpen') : moment(trade.closedAt)}
          </Text>
          <Text as="span" fontSize="13px" color="fg.muted" gridArea="reason">
            {trade.reason !== null && t(`exitReasons.${trade.reason}`)}
          </Text>
          <Text as="span" className="figure" fontSize="13px" minW="110px" textAlign="end" gridArea="bought">
            {formatCurrency(trade.bought, currency)}
          </Text>
          <Text
            as="span"
            className={`figure ${trade.realised === null ? '' : toneOf(trade.realised)}`}
            fontWeight="600"
            minW={{ base: '0', md: '190px' }}
            textAlign="end"
            gridArea="result"
          >
            {result ?? '–'} {trade.resultPct !== null && `(${formatPercent(trade.resultPct)})`}
          </Text>
        </chakra.summary>
        <Box as="ol" listStyleType="none" mt="2" ps="4" borderStartWidth="2px" borderColor="border.subtle">
          {trade.traces.map((trace) => (
            <chakra.li key={trace.seq} py="1" fontSize="13px">
              <Text as="span" className="figure" color="fg.muted" me="3">
                {moment(trace.at)}
              </Text>
              <TraceWords trace={trace} currency={currency} />
            </chakra.li>
          ))}
        </Box>
      </chakra.details>
    </chakra.li>
  );
}

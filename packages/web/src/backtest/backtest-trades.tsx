import { Box, chakra, Heading, Text } from '@chakra-ui/react';
import type { BacktestDocument, BacktestTrade } from '@pilotfish/core/backtest/backtest-contract';
import { formatCurrency, formatPercent, formatResult } from '@pilotfish/core/money/format';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TraceWords } from '../auto-trades/trace-words.tsx';
import { Panel } from '../ui/controls.tsx';
import { Pager } from '../ui/pager.tsx';
import { toneOf } from '../ui/tone.ts';
import { useMoment } from '../ui/use-moment.ts';

const PAGE_SIZE = 20;

/** Every position of the run, newest first; what it did opens below each. */
export function BacktestTrades({ report }: { report: BacktestDocument }) {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const trades = report.positions.filter(({ buys }) => buys > 0).reverse();
  const pages = Math.max(1, Math.ceil(trades.length / PAGE_SIZE));
  return (
    <Panel>
      <Heading as="h2" fontSize="16px" fontWeight="600" mb="3">
        {t('backtest.trades')}
      </Heading>
      {trades.length === 0 ? (
        <Text color="fg.muted">{t('backtest.noTrades')}</Text>
      ) : (
        <>
          <Box as="ul" listStyleType="none">
            {trades.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map((trade) => (
              <TradeRow key={trade.positionId} trade={trade} currency={report.quoteAsset} />
            ))}
          </Box>
          {pages > 1 && <Pager page={page} pages={pages} onPage={setPage} />}
        </>
      )}
    </Panel>
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

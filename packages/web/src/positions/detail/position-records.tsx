import { Box, chakra, Flex, Table, Text } from '@chakra-ui/react';
import { decimal, multiply, toText } from '@pilotfish/core/money/decimal';
import type { Money } from '@pilotfish/core/money/figure';
import { formatChange, formatPrice, formatQuantity, formatSigned } from '@pilotfish/core/money/format';
import type { PositionTrade } from '@pilotfish/core/positions/positions-contract';
import { formatMoment } from '@pilotfish/core/time/moment';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePairs } from '../../prices/use-prices.ts';
import { Unknown } from '../../ui/kit/unknown.tsx';
import { ErrorPanel, Skeleton } from '../../ui/state-panels.tsx';
import { Pager } from '../../ui/tables/pager.tsx';
import { Cell, HeadCell } from '../../ui/tables/table-cells.tsx';
import { useMoment } from '../../ui/use-moment.ts';
import { Amount } from '../amounts.tsx';
import { type AnyPosition, DETAIL_PAGE, useDailyPerformance, usePositionTrades, usePositionTransactions } from '../use-positions.ts';

const BarChart = lazy(() => import('../../ui/charts/bar-chart.tsx').then((module) => ({ default: module.BarChart })));

/** A table with its four states and pages; scrolls sideways by itself where it is too wide. */
function Records({
  query,
  label,
  head,
  page,
  onPage,
  empty,
  children,
}: {
  query: ReturnType<typeof usePositionTrades> | ReturnType<typeof usePositionTransactions>;
  label: string;
  head: readonly string[];
  page: number;
  onPage: (page: number) => void;
  empty: string;
  children: ReactNode;
}) {
  if (query.hasFailed) return <ErrorPanel problem={query.problem} onRetry={query.retry} />;
  if (!query.data) return <Skeleton rows={6} height={32} />;
  if (query.data.total === 0)
    return (
      <Text color="fg.muted" py="4">
        {empty}
      </Text>
    );
  const pages = Math.ceil(query.data.total / DETAIL_PAGE);
  return (
    <>
      <chakra.section tabIndex={0} aria-label={label} overflowX="auto" position="relative">
        <Table.Root whiteSpace="nowrap">
          <thead>
            <tr>
              {head.map((column, index) => (
                <HeadCell key={column} scope="col" textAlign={index < 2 ? 'start' : 'end'}>
                  {column}
                </HeadCell>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </Table.Root>
      </chakra.section>
      {pages > 1 && <Pager page={page} pages={pages} onPage={onPage} />}
    </>
  );
}

/** A fee in the coin itself is worth the fill's own price; of a third asset only the server can say. */
const feeInQuote = (fill: Pick<PositionTrade, 'fee' | 'feeAsset' | 'price' | 'feeInQuote'>, baseAsset: string): Money | null =>
  fill.feeAsset === baseAsset ? toText(multiply(decimal(fill.fee), decimal(fill.price))) : fill.feeInQuote;

export function TradesTable({ position }: { position: AnyPosition }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const [page, setPage] = useState(1);
  const query = usePositionTrades(position.id, page);
  const pair = usePairs()?.get(position.symbol);
  return (
    <Records
      query={query}
      label={t('positions.record.trades')}
      head={[
        t('positions.time.name'),
        t('positions.side'),
        t('positions.price'),
        t('positions.quantity'),
        t('positions.amount'),
        t('positions.fee'),
        t('positions.realised'),
      ]}
      page={page}
      onPage={setPage}
      empty={t('positions.noTrades')}
    >
      {query.data?.items.map((fill) => (
        <tr key={fill.tradeId}>
          <Cell>{moment(fill.at, 'second')}</Cell>
          <Cell>{t(`prices.side.${fill.side}`)}</Cell>
          <Cell textAlign="end">{formatPrice(fill.price, pair?.pricePrecision)}</Cell>
          <Cell textAlign="end">{formatQuantity(fill.quantity)}</Cell>
          <Cell textAlign="end">
            <Amount value={fill.quoteQuantity} currency={position.quoteAsset} reason="" />
          </Cell>
          <Cell textAlign="end">
            {formatQuantity(fill.fee)} {fill.feeAsset}
            {fill.feeAsset !== position.quoteAsset && (
              <Text color="fg.muted" fontSize="12px">
                ≈{' '}
                <Amount
                  value={feeInQuote(fill, position.baseAsset)}
                  currency={position.quoteAsset}
                  reason={t('positions.unknown.noRate')}
                />
              </Text>
            )}
          </Cell>
          <Cell textAlign="end">
            {fill.side === 'Buy' ? (
              ''
            ) : (
              <Amount value={fill.realised} currency={position.quoteAsset} signed bare reason={t('positions.unknown.noResult')} />
            )}
          </Cell>
        </tr>
      ))}
    </Records>
  );
}

export function TransactionsTable({ position }: { position: AnyPosition }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const [page, setPage] = useState(1);
  const query = usePositionTransactions(position.id, page);
  return (
    <Records
      query={query}
      label={t('positions.record.transactions')}
      head={[
        t('positions.time.name'),
        t('positions.kind'),
        t('positions.asset'),
        t('positions.change'),
        t('positions.cost'),
        t('positions.source'),
      ]}
      page={page}
      onPage={setPage}
      empty={t('positions.noTransactions')}
    >
      {query.data?.items.map((line) => (
        <tr key={line.id}>
          <Cell>{moment(line.at, 'second')}</Cell>
          <Cell>{t(`positions.kinds.${line.kind}`, { defaultValue: line.kind })}</Cell>
          <Cell textAlign="end" lang="en" translate="no">
            {line.asset}
          </Cell>
          <Cell textAlign="end">{formatChange(line.change)}</Cell>
          <Cell textAlign="end">
            <Amount value={line.cost} currency={position.quoteAsset} reason={t('positions.unknown.noCost')} />
          </Cell>
          <Cell textAlign="end">{t(`positions.sources.${line.source}`, { defaultValue: line.source })}</Cell>
        </tr>
      ))}
    </Records>
  );
}

/** A day of the account, `2026-11-24`, as the charts name it; its year is that of its neighbours. */
function dayName(day: string, language: string): string {
  const at = Date.parse(`${day}T00:00:00Z`);
  return formatMoment(at, { language, clock: '24h', timeZone: 'UTC', now: at }, 'day');
}

export function DailyPerformance({ position }: { position: AnyPosition }) {
  const { t, i18n } = useTranslation();
  const query = useDailyPerformance(position.id, position.kind === 'open');
  if (query.hasFailed) return <ErrorPanel problem={query.problem} onRetry={query.retry} />;
  if (!query.data) return <div className="skeleton" style={{ height: 240 }} />;
  if (query.data.length === 0) return <Unknown reason={t('positions.unknown.noTrades')} />;
  const interpolated = query.data.filter((day) => day.interpolated);
  const name = (day: string) => dayName(day, i18n.language);
  return (
    <Box>
      <Suspense fallback={<div className="skeleton" style={{ height: 240 }} />}>
        <BarChart
          label={t('positions.dailyLabel', { symbol: position.symbol, currency: position.quoteAsset })}
          bars={query.data.map(({ day, pnl, interpolated: isGuess }) => ({
            label: isGuess ? `${name(day)} *` : name(day),
            value: Number(pnl),
          }))}
          format={(value) => formatSigned(value.toFixed(8), position.quoteAsset)}
        />
      </Suspense>
      <Flex fontSize="12px" color="fg.muted" gap="3" wrap="wrap">
        <span>{t('positions.daysOf', { zone: query.data[0]?.timeZone ?? 'UTC' })}</span>
        {interpolated.length > 0 && <span>* {t('positions.interpolated', { count: interpolated.length })}</span>}
      </Flex>
    </Box>
  );
}

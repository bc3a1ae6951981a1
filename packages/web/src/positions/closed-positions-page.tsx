import { Box, chakra, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import { shownProblem } from '@pilotfish/core/http/problem';
import { CLOSED_ORDERS, type ClosedPosition } from '@pilotfish/core/positions/positions-contract';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import { useApp } from '../app/app-context.tsx';
import { useTyped } from '../prices/use-typed.ts';
import { CoinIcon } from '../ui/coin-icon.tsx';
import { LinkButton, Panel } from '../ui/controls.tsx';
import { DecimalField } from '../ui/decimal-field.tsx';
import { Icon } from '../ui/icons.tsx';
import { ResultPercent } from '../ui/kit/result.tsx';
import { Pager } from '../ui/pager.tsx';
import { Button } from '../ui/primitives.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { EmptyState, ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { showToast, toastText } from '../ui/toasts.ts';
import { useMedia } from '../ui/use-media.ts';
import { useMoment } from '../ui/use-moment.ts';
import { Amount } from './amounts.tsx';
import {
  boundsProblem,
  type ClosedAddress,
  type ClosedQuery,
  closedQuery,
  PAGE_SIZES,
  readClosedAddress,
  writeClosedAddress,
} from './closed-address.ts';
import { closedCsv } from './closed-csv.ts';
import { BodyCell, HeadCell } from './open-positions-table.tsx';
import { PositionBadges, useUnknownReason } from './position-state.tsx';
import { Age } from './positions-page.tsx';
import { PositionsFrame, WhenConnected } from './positions-tabs.tsx';
import { Cell, CurrencyTotals } from './totals-panel.tsx';
import { useClosedPositions, usePositionNews } from './use-positions.ts';

/** What was bought and sold again: filtered, with the sums of what is listed and of everything side by side. */
export default function ClosedPositionsPage() {
  const { t } = useTranslation();
  usePositionNews();
  const [query, setQuery] = useSearchParams();
  const address = useMemo(() => readClosedAddress(query), [query]);
  const change = useCallback(
    (changes: Partial<ClosedAddress>) =>
      setQuery(writeClosedAddress(new URLSearchParams(window.location.search), changes), { replace: true }),
    [setQuery],
  );
  const asked = closedQuery(address);
  const closed = useClosedPositions(asked, true);
  const { data } = closed;
  const isPhone = useMedia('(max-width: 899px)');
  const isFiltered =
    address.currency !== undefined || address.exchange !== undefined || address.onlyBroken || address.min + address.max !== '';
  const isNothingThere = data?.totalsAll.length === 0 && data.items.length === 0 && !isFiltered;
  return (
    <PositionsFrame
      title={t('routes.closedPositions')}
      lead={t('positions.closedLead')}
      actions={isNothingThere ? undefined : <ExportButton query={asked} />}
    >
      {!isNothingThere && (
        <Filters address={address} onChange={change} currencies={data?.totalsAll.map(({ currency }) => currency) ?? []} />
      )}
      <Age query={closed} />
      {closed.hasFailed ? (
        <Panel>
          <ErrorPanel problem={closed.problem} onRetry={closed.retry} />
        </Panel>
      ) : !data ? (
        <Panel>
          <Skeleton rows={8} height={36} />
        </Panel>
      ) : (
        <Flex direction="column" gap="5" className={closed.isStale ? 'stale' : undefined}>
          {data.totalsAll.length > 0 && (
            <Grid templateColumns={{ base: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' }} gap="5">
              <Sums title={t('positions.totalsListed')} totals={data.totalsListed} />
              <Sums title={t('positions.totalsAll')} totals={data.totalsAll} />
            </Grid>
          )}
          {data.items.length > 0 ? (
            <Panel p={{ base: '3', md: '4' }}>
              {isPhone ? <ClosedCards items={data.items} /> : <ClosedTable items={data.items} />}
              <Pager page={data.page} pages={Math.max(1, Math.ceil(data.total / data.pageSize))} onPage={(page) => change({ page })} />
            </Panel>
          ) : isFiltered && data.totalsAll.length > 0 ? (
            <Panel>
              <EmptyState
                icon="filter"
                title={t('positions.noneMatch')}
                action={
                  <Button
                    colorPalette="brand"
                    onClick={() => change({ exchange: undefined, currency: undefined, min: '', max: '', onlyBroken: false })}
                  >
                    {t('positions.clearFilters')}
                  </Button>
                }
              >
                {t('positions.noneMatchLead')}
              </EmptyState>
            </Panel>
          ) : (
            <WhenConnected>
              <Panel>
                <EmptyState
                  icon="positions"
                  title={t('positions.noClosedTitle')}
                  action={
                    <LinkButton to="/positions/import" colorPalette="brand">
                      {t('positions.importFile')}
                    </LinkButton>
                  }
                >
                  {t('positions.noClosedLead')}
                </EmptyState>
              </Panel>
            </WhenConnected>
          )}
        </Flex>
      )}
    </PositionsFrame>
  );
}

function Sums({ title, totals }: { title: string; totals: React.ComponentProps<typeof CurrencyTotals>['totals'][] }) {
  const { t } = useTranslation();
  return (
    <Box as="section" minW="0">
      <Heading as="h2" fontSize="14px" fontWeight="600" color="fg.muted" mb="2">
        {title}
      </Heading>
      <Flex direction="column" gap="3">
        {totals.length === 0 ? (
          <Panel p="4">
            <Text color="fg.muted">{t('positions.nothingSummed')}</Text>
          </Panel>
        ) : (
          totals.map((sum) => <CurrencyTotals key={sum.currency} totals={sum} of="closed" />)
        )}
      </Flex>
    </Box>
  );
}

function Filters({
  address,
  onChange,
  currencies,
}: {
  address: ClosedAddress;
  onChange: (changes: Partial<ClosedAddress>) => void;
  currencies: readonly string[];
}) {
  const { t } = useTranslation();
  const [min, onMin] = useTyped(
    address.min,
    useCallback((text) => onChange({ min: text }), [onChange]),
  );
  const [max, onMax] = useTyped(
    address.max,
    useCallback((text) => onChange({ max: text }), [onChange]),
  );
  const problems = boundsProblem({ min, max });
  const error = (problem: 'not-a-decimal' | 'min-above-max' | undefined) => problem && t(`positions.bound.${problem}`);
  const offered = [...new Set([...(address.currency ? [address.currency] : []), ...currencies])].sort((a, b) => a.localeCompare(b));
  const chip = (key: string, label: string, pressed: boolean, onClick: () => void) => (
    <Button
      key={key}
      size="xs"
      variant="outline"
      bg={pressed ? 'brand.muted' : undefined}
      color={pressed ? 'brand.fg' : 'fg.muted'}
      aria-pressed={pressed}
      onClick={onClick}
    >
      {pressed && <Icon name="check" size={14} />}
      {label}
    </Button>
  );
  return (
    <Panel mb="5" p={{ base: '3', md: '4' }}>
      <Flex gap="2" wrap="wrap" mb="3" role="group" aria-label={t('positions.filters')}>
        {chip('binance', 'Binance', address.exchange === 'Binance', () =>
          onChange({ exchange: address.exchange === 'Binance' ? undefined : 'Binance' }),
        )}
        {offered.map((currency) =>
          chip(currency, currency, address.currency === currency, () =>
            onChange({ currency: address.currency === currency ? undefined : currency }),
          ),
        )}
        {chip('broken', t('positions.onlyBroken'), address.onlyBroken, () => onChange({ onlyBroken: !address.onlyBroken }))}
      </Flex>
      <Grid templateColumns={{ base: 'repeat(2, minmax(0, 1fr))', md: 'repeat(4, minmax(0, 1fr))' }} gap="3" alignItems="start">
        <SignedField label={t('positions.hideFrom')} value={min} onChange={onMin} error={error(problems.min)} />
        <SignedField label={t('positions.hideTo')} value={max} onChange={onMax} error={error(problems.max)} />
        <SelectField
          label={t('positions.sortBy')}
          value={address.order}
          options={CLOSED_ORDERS.map((order) => ({ value: order, label: t(`positions.order.${order}`) }))}
          onChange={(order) => onChange({ order: CLOSED_ORDERS.find((each) => each === order) ?? 'closedAt-desc' })}
        />
        <SelectField
          label={t('positions.perPage')}
          value={String(address.pageSize)}
          options={PAGE_SIZES.map((size) => ({ value: String(size), label: String(size) }))}
          onChange={(size) => onChange({ pageSize: Number(size) })}
        />
      </Grid>
      <Text color="fg.muted" fontSize="12px" mt="2">
        {t('positions.hideHint')}
      </Text>
    </Panel>
  );
}

/** A decimal that may be below zero: the sign is a button of its own, since phone keypads have none. */
const SignedField = ({
  label,
  value,
  onChange,
  error,
}: {
  label: string;
  value: string;
  onChange: (text: string) => void;
  error: string | undefined;
}) => {
  const { t } = useTranslation();
  const isNegative = value.startsWith('-');
  const digits = isNegative ? value.slice(1) : value;
  return (
    <Flex gap="1" align="flex-start">
      <Box
        flex="1"
        minW="0"
        onKeyDown={(event) => {
          if (event.key !== '-') return;
          event.preventDefault();
          onChange(isNegative ? digits : `-${digits}`);
        }}
      >
        <DecimalField label={label} value={digits} error={error} onChange={(text) => onChange(isNegative ? `-${text}` : text)} />
      </Box>
      <Button
        size="sm"
        h="10"
        mt="24px"
        variant="outline"
        color={isNegative ? 'brand.fg' : 'fg.muted'}
        bg={isNegative ? 'brand.muted' : undefined}
        aria-pressed={isNegative}
        aria-label={t('positions.belowZero', { label })}
        onClick={() => onChange(isNegative ? digits : `-${digits}`)}
      >
        −
      </Button>
    </Flex>
  );
};

function useRow(item: ClosedPosition) {
  const { t } = useTranslation();
  const moment = useMoment();
  const reasonOf = useUnknownReason();
  const reason = reasonOf(item.broken, 'nothingHeld');
  const day = (iso: string) => moment(iso, 'day');
  return { t, reason, day };
}

const ClosedName = ({ item }: { item: ClosedPosition }) => (
  <Link to={`/positions/detail/${item.id}`}>
    <Text as="span" fontWeight="650" lang="en" translate="no">
      <CoinIcon code={item.baseAsset} />
      {item.baseAsset}
      <Text as="span" color="fg.muted" fontWeight="450">
        {' '}
        / {item.quoteAsset} #{item.number}
      </Text>
    </Text>
  </Link>
);

function ClosedTable({ items }: { items: readonly ClosedPosition[] }) {
  const { t } = useTranslation();
  return (
    <chakra.section tabIndex={0} aria-label={t('routes.closedPositions')} overflowX="auto" position="relative">
      <chakra.table w="100%" fontSize="13px" css={{ fontVariantNumeric: 'tabular-nums', borderCollapse: 'collapse' }}>
        <thead>
          <tr>
            <HeadCell scope="col" textAlign="start">
              {t('positions.pair')}
            </HeadCell>
            <HeadCell scope="col">{t('positions.opened')}</HeadCell>
            <HeadCell scope="col">{t('positions.closed')}</HeadCell>
            <HeadCell scope="col">{t('positions.cost')}</HeadCell>
            <HeadCell scope="col">{t('positions.fees')}</HeadCell>
            <HeadCell scope="col">{t('positions.realised')}</HeadCell>
            <HeadCell scope="col">{t('positions.return')}</HeadCell>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <ClosedRow key={item.id} item={item} />
          ))}
        </tbody>
      </chakra.table>
    </chakra.section>
  );
}

function ClosedRow({ item }: { item: ClosedPosition }) {
  const { t, reason, day } = useRow(item);
  return (
    <tr>
      <BodyCell textAlign="start">
        <ClosedName item={item} />
        <PositionBadges {...item} />
      </BodyCell>
      <BodyCell whiteSpace="nowrap">{day(item.openedAt)}</BodyCell>
      <BodyCell whiteSpace="nowrap">
        {day(item.closedAt)}
        <Text color="fg.muted" fontSize="12px">
          {t(`positions.closedBy.${item.closedBy}`)}
        </Text>
      </BodyCell>
      <BodyCell>
        <Amount value={item.matchedCost} currency={item.quoteAsset} bare reason={reason} />
      </BodyCell>
      <BodyCell>
        <Amount value={item.fees} currency={item.quoteAsset} bare reason={reason} />
      </BodyCell>
      <BodyCell whiteSpace="nowrap" fontWeight="600">
        <Amount value={item.realised} currency={item.quoteAsset} signed reason={reason} />
      </BodyCell>
      <BodyCell>
        <ResultPercent value={item.returnPct} reason={reason} />
      </BodyCell>
    </tr>
  );
}

const ClosedCards = ({ items }: { items: readonly ClosedPosition[] }) => (
  <Flex as="ul" direction="column" gap="3" listStyleType="none">
    {items.map((item) => (
      <li key={item.id}>
        <ClosedCard item={item} />
      </li>
    ))}
  </Flex>
);

function ClosedCard({ item }: { item: ClosedPosition }) {
  const { t, reason, day } = useRow(item);
  return (
    <Panel bg="bg" p="3.5" as="article">
      <Flex justify="space-between" gap="3" mb="2">
        <ClosedName item={item} />
        <Box textAlign="end" css={{ fontVariantNumeric: 'tabular-nums' }}>
          <Text fontWeight="650">
            <Amount value={item.realised} currency={item.quoteAsset} signed reason={reason} />
          </Text>
          <ResultPercent value={item.returnPct} reason={reason} />
        </Box>
      </Flex>
      <PositionBadges {...item} />
      <Grid as="dl" templateColumns="repeat(3, minmax(0, 1fr))" gap="2.5" mt="2">
        <Cell term={t('positions.opened')}>{day(item.openedAt)}</Cell>
        <Cell term={t('positions.closed')}>{day(item.closedAt)}</Cell>
        <Cell term={t('positions.cost')}>
          <Amount value={item.matchedCost} currency={item.quoteAsset} bare reason={reason} />
        </Cell>
      </Grid>
    </Panel>
  );
}

const EXPORT_PAGE = 200;

/** Everything the filters leave, of all pages, as one file. */
function ExportButton({ query }: { query: ClosedQuery }) {
  const { t } = useTranslation();
  const app = useApp();
  const [running, setRunning] = useState(false);
  const run = async () => {
    setRunning(true);
    try {
      const items: ClosedPosition[] = [];
      for (let page = 1; ; page += 1) {
        const answer = await app.busy.during(
          app.client.listClosedPositions({ query: { ...query, page, pageSize: EXPORT_PAGE } }, { quiet: true }),
        );
        items.push(...answer.items);
        if (answer.items.length === 0 || items.length >= answer.total) break;
      }
      const url = URL.createObjectURL(new Blob([closedCsv(items)], { type: 'text/csv;charset=utf-8' }));
      const link = document.createElement('a');
      link.href = url;
      link.download = 'closed-positions.csv';
      link.click();
      URL.revokeObjectURL(url);
      void showToast('success', t('positions.exported', { count: items.length }));
    } catch (error) {
      void showToast('error', toastText(shownProblem(error), t));
    } finally {
      setRunning(false);
    }
  };
  return (
    <Button variant="outline" color="fg" disabled={running} onClick={() => void run()}>
      <Icon name="down" size={16} />
      {t(running ? 'positions.exporting' : 'positions.export')}
    </Button>
  );
}

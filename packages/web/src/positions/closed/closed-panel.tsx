import { Box, Flex, Text } from '@chakra-ui/react';
import type { TradeMode } from '@pilotfish/core/http/wire';
import { formatMoney } from '@pilotfish/core/money/format';
import type { ClosedRow, PositionTotals } from '@pilotfish/core/positions/positions-contract';
import { dayNames } from '@pilotfish/core/time/calendar-day';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../platform/app-context.tsx';
import { useAction } from '../../platform/use-action.ts';
import { useAddress } from '../../platform/use-address.ts';
import { useAccount } from '../../platform/use-session.ts';
import { LinkButton } from '../../ui/controls.tsx';
import { ChipSelect } from '../../ui/fields/chip-select.tsx';
import { shownTimeZone } from '../../ui/fields/field-time.ts';
import { Icon } from '../../ui/icons.tsx';
import { Result } from '../../ui/kit/result.tsx';
import { TitledPanel } from '../../ui/kit/titled-panel.tsx';
import { Button } from '../../ui/primitives.tsx';
import { EmptyState } from '../../ui/state-panels.tsx';
import { Pager } from '../../ui/tables/pager.tsx';
import { showToast, toastText } from '../../ui/toasts.ts';
import { useLast } from '../../ui/use-last.ts';
import { useMedia } from '../../ui/use-media.ts';
import { useClosedPositions } from '../use-positions.ts';
import { CLOSED, type ClosedAddress, type ClosedQuery, closedQuery, isFiltered, NO_FILTERS, PAGE_SIZES } from './closed-address.ts';
import { closedCsv } from './closed-csv.ts';
import { ClosedFilters } from './closed-filters.tsx';
import { ClosedCards, ClosedTable } from './closed-table.tsx';

type Props = {
  readonly mode: TradeMode;
  /** The position whose detail stands beside the list. */
  readonly chosenId?: string | undefined;
  /** Where it is given, a plain click shows a position beside the list; else its page opens. */
  readonly onChoose?: ((row: ClosedRow) => void) | undefined;
  /** Called with the rows of every answer: an address may name one of them. */
  readonly onRows?: ((rows: readonly ClosedRow[]) => void) | undefined;
  /** Rows that are held free while the list is on its way. */
  readonly rows?: number;
};

/** What was bought and sold again: filtered in one line by the address, with the sum of what is listed beside that of everything. */
export const ClosedPanel = (props: Props) => <ClosedOf key={props.mode} {...props} />;

function ClosedOf({ mode, chosenId, onChoose, onRows, rows = 8 }: Props) {
  const { t } = useTranslation();
  const app = useApp();
  const [read, change] = useAddress(CLOSED);
  // A filter that is not offered must not narrow the list unseen.
  const address = mode === 'paper' ? { ...read, onlyBroken: false } : read;
  const asked = closedQuery(address, dayNames(shownTimeZone())(app.browser.now()), mode);
  const closed = useClosedPositions(asked);
  // A filter is no reason to lose sight of the list; what does not answer it must not stand for its answer.
  const last = useLast(closed.data);
  const data = closed.hasFailed ? closed.data : last;
  const items = closed.data?.items;
  useEffect(() => {
    if (items) onRows?.(items);
  }, [items, onRows]);
  const waiting = closed.data === undefined ? 'stale' : undefined;
  const isPhone = useMedia('(max-width: 899px)');
  const isUnconnected = useAccount()?.exchanges.length === 0;
  const isNothingThere = closed.data !== undefined && data?.totalsAll.length === 0 && data.items.length === 0 && !isFiltered(address);
  // Connecting is the first thing to do, and the page says so: one thing to do first, not two.
  if (isNothingThere && isUnconnected && mode === 'live') return null;
  const list = { mode, chosenId, onChoose };
  return (
    <TitledPanel
      title={t('positions.closedTitle')}
      count={
        data &&
        !isNothingThere && (
          <span className={waiting}>
            <Sums totals={data.totalsListed} />
          </span>
        )
      }
      actions={
        <>
          <LinkButton to={mode === 'paper' ? '/performance?mode=paper' : '/performance'} size="chip" variant="ghost" color="fg.muted">
            {t('routes.performance')} <span aria-hidden="true">→</span>
          </LinkButton>
          {!isNothingThere && <ExportButton query={asked} mode={mode} />}
        </>
      }
      query={{ ...closed, data }}
      rows={rows}
      flush
      empty={isNothingThere ? <NothingClosed mode={mode} /> : undefined}
      toolbar={isNothingThere ? undefined : <Toolbar mode={mode} address={address} onChange={change} data={data} sorts={isPhone} />}
    >
      {data && data.items.length === 0 ? (
        <NoneMatch onClear={() => change(NO_FILTERS)} />
      ) : (
        data && (
          <Box className={waiting}>
            {isPhone ? (
              <ClosedCards items={data.items} {...list} />
            ) : (
              <ClosedTable items={data.items} order={address.order} onOrder={(order) => change({ order })} {...list} />
            )}
            <Pages address={address} data={data} onChange={change} />
          </Box>
        )
      )}
    </TitledPanel>
  );
}

type Data = NonNullable<ReturnType<typeof useClosedPositions>['data']>;
type OnChange = (changes: Partial<ClosedAddress>) => void;

/** The way through the pages, and how long they are, where there is more than the shortest holds. */
function Pages({ address, data, onChange }: { address: ClosedAddress; data: Data; onChange: OnChange }) {
  const { t } = useTranslation();
  if (data.total <= PAGE_SIZES[0] && data.page <= 1) return null;
  return (
    <Box px={{ base: '3.5', md: '4' }} pb="2.5">
      <Pager
        page={data.page}
        pages={Math.max(1, Math.ceil(data.total / data.pageSize))}
        onPage={(page) => onChange({ page })}
        aside={
          <ChipSelect
            label={t('positions.perPage')}
            value={String(address.pageSize)}
            options={PAGE_SIZES.map((size) => ({ value: String(size), label: t('positions.filter.perPage', { count: size }) }))}
            onChange={(size) => onChange({ pageSize: Number(size) })}
          />
        }
      />
    </Box>
  );
}

/** The filters, what is left of the whole by them, and what is in no sum. */
function Toolbar({
  mode,
  address,
  onChange,
  data,
  sorts,
}: {
  mode: TradeMode;
  address: ClosedAddress;
  onChange: OnChange;
  data: Data | undefined;
  sorts: boolean;
}) {
  const { t } = useTranslation();
  return (
    <Flex direction="column" gap="2">
      <ClosedFilters
        mode={mode}
        address={address}
        onChange={onChange}
        choices={data?.choices}
        currencies={data?.totalsAll.map(({ currency }) => currency) ?? []}
        hasBroken={mode === 'live' && (data?.totalsAll.some(({ broken }) => broken > 0) ?? false)}
        sorts={sorts}
      />
      {data && isFiltered(address) && (
        <Text fontSize="12px" color="fg.muted" role="status">
          {t('positions.ofAll')} <Sums totals={data.totalsAll} />
        </Text>
      )}
      {data?.totalsListed.map((totals) => (
        <LeftOut key={totals.currency} totals={totals} />
      ))}
    </Flex>
  );
}

/** Positions that are in no sum. */
function LeftOut({ totals: { broken, excluded } }: { totals: PositionTotals }) {
  const { t } = useTranslation();
  if (broken + excluded === 0) return null;
  return (
    <Flex columnGap="4" fontSize="12px" color="warning" wrap="wrap">
      {broken > 0 && <span>{t('positions.brokenCount', { count: broken })}</span>}
      {excluded > 0 && <span>{t('positions.excludedCount', { count: excluded })}</span>}
    </Flex>
  );
}

/** How many positions, and what they came to in each currency: never added together. */
function Sums({ totals }: { totals: readonly PositionTotals[] }) {
  const { t } = useTranslation();
  const count = totals.reduce((sum, each) => sum + each.count, 0);
  return (
    <>
      {t('positions.count', { count })}
      {totals.map(({ currency, realised, fees, wins, losses }) => (
        <span key={currency}>
          {' · '}
          <Result value={realised} currency={currency} reason="" />
          {` · ${t('positions.wonOf', { wins, count: wins + losses })} · ${t('positions.feesOf', { fees: `${formatMoney(fees, currency)} ${currency}` })}`}
        </span>
      ))}
    </>
  );
}

function NothingClosed({ mode }: { mode: TradeMode }) {
  const { t } = useTranslation();
  const isLive = mode === 'live';
  return (
    <EmptyState
      icon="positions"
      title={t('positions.noClosedTitle')}
      action={
        <LinkButton to={isLive ? '/positions/import' : '/auto-trade'} colorPalette="brand">
          {t(isLive ? 'positions.importFile' : 'performance.toBots')}
        </LinkButton>
      }
    >
      {t(isLive ? 'positions.noClosedLead' : 'positions.noClosedPaper')}
    </EmptyState>
  );
}

function NoneMatch({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      icon="filter"
      title={t('positions.noneMatch')}
      action={
        <Button colorPalette="brand" onClick={onClear}>
          {t('positions.clearFilters')}
        </Button>
      }
    >
      {t('positions.noneMatchLead')}
    </EmptyState>
  );
}

const EXPORT_PAGE = 200;

/** Everything the filters leave, of all pages, as one file. */
function ExportButton({ query, mode }: { query: ClosedQuery; mode: TradeMode }) {
  const { t } = useTranslation();
  const { client } = useApp();
  const { busy, run } = useAction();
  const save = async () => {
    const items: ClosedRow[] = [];
    for (let page = 1; ; page += 1) {
      const answer = await client.listClosedPositions({ query: { ...query, page, pageSize: EXPORT_PAGE } }, { quiet: true });
      items.push(...answer.items);
      if (answer.items.length === 0 || items.length >= answer.total) break;
    }
    const url = URL.createObjectURL(new Blob([closedCsv(items)], { type: 'text/csv;charset=utf-8' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = mode === 'paper' ? 'closed-positions-paper.csv' : 'closed-positions.csv';
    link.click();
    URL.revokeObjectURL(url);
    return items.length;
  };
  const download = () =>
    run(save, {
      said: (count) => t('positions.exported', { count }),
      onFailed: (problem) => void showToast('error', toastText(problem, t)),
    });
  return (
    <Button size="chip" variant="ghost" color="fg.muted" disabled={busy} onClick={() => void download()}>
      <Icon name="down" size={14} />
      {t(busy ? 'positions.exporting' : 'positions.export')}
    </Button>
  );
}

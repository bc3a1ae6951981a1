import { chakra, Text } from '@chakra-ui/react';
import type { TradeMode } from '@pilotfish/core/http/wire';
import { formatCurrency, formatMoney, formatResult, UNKNOWN } from '@pilotfish/core/money/format';
import type { HeldTotals } from '@pilotfish/core/positions/held-positions-contract';
import { useTranslation } from 'react-i18next';
import { RISK_DECIMALS, shareOf, type Whole } from '../positions/open/held-cells.tsx';
import { useOverview } from '../positions/use-positions.ts';
import { type KeyFigure, KeyFigures } from '../ui/kit/key-figures.tsx';
import { Result, ResultPercent } from '../ui/kit/result.tsx';
import { Unknown } from '../ui/kit/unknown.tsx';
import { useMedia } from '../ui/use-media.ts';
import { useTabTitle } from '../ui/use-tab-title.ts';
import type { useMonth, useOpenRows } from './use-workspace.ts';

/** A phone shows what is open; the rest is on Performance. */
const ON_PHONE = 3;

type Props = {
  /** What the tab is called. */
  readonly name: string;
  readonly mode: TradeMode;
  readonly open: ReturnType<typeof useOpenRows>;
  readonly month: ReturnType<typeof useMonth>;
  readonly whole: Whole | undefined;
};

/** What is open now, and what this month has brought. */
export function WorkspaceFigures({ name, mode, open, month, whole }: Props) {
  const { t } = useTranslation();
  const isPhone = !useMedia('(min-width: 768px)');
  const figures = [
    ...useOpenFigures(name, open, month.month.data?.currency ?? whole?.currency ?? 'USDT', whole),
    ...useMonthFigures(month),
  ];
  return (
    <>
      <KeyFigures
        label={t('positions.figures')}
        figures={isPhone ? figures.slice(0, ON_PHONE) : figures}
        isStale={open.held.isStale || month.month.isStale}
        onPhone={3}
      />
      <LeftOut totals={open.totals} />
      <SalesLeftOut month={month} />
      {mode === 'live' && <LeftOutByOwner />}
    </>
  );
}

function useOpenFigures(name: string, { held, totals }: Props['open'], currency: string, whole: Whole | undefined): KeyFigure[] {
  const { t } = useTranslation();
  const own = totals?.find((each) => each.currency === currency);
  // Sums of other quote currencies are never added: they stand below, so that nothing open reads as 0.00.
  const others = (totals ?? []).filter((each) => each.currency !== currency);
  // With nothing in them but what has no figures sums are not known: 0.00 would say that nothing is open.
  const isEmpty = own !== undefined && own.count === 0 && own.leftOut > 0;
  const isKnown = totals !== undefined && !held.hasFailed && !isEmpty;
  useTabTitle(name, own && own.count > 0 && isKnown && !held.isStale ? formatResult(own.result, currency) : undefined);
  const sum = (key: 'value' | 'atRisk') =>
    isKnown ? formatMoney(own?.[key] ?? '0', currency) : <Unknown reason={t('overview.unknownYet')} />;
  const valueShare = own && shareOf(own.value, currency, whole);
  const riskShare = own && shareOf(own.atRisk, currency, whole, RISK_DECIMALS);
  const beside = (each: (totals: HeldTotals) => string) => (others.length > 0 ? others.map(each).join(' · ') : undefined);
  return [
    {
      label: t('overview.openResult'),
      figure: <Result value={isKnown ? (own?.result ?? '0') : null} currency={currency} reason={t('overview.unknownYet')} />,
      note:
        beside((each) => formatResult(each.result, each.currency)) ??
        (own?.resultPct ? <ResultPercent value={own.resultPct} reason="" /> : undefined),
    },
    {
      label: t('positions.value'),
      figure: sum('value'),
      note: beside((each) => formatCurrency(each.value, each.currency)) ?? (valueShare && t('overview.ofEquity', { share: valueShare })),
    },
    {
      label: t('overview.atRisk'),
      figure: sum('atRisk'),
      note:
        beside((each) => formatCurrency(each.atRisk, each.currency)) ??
        (own && own.withoutStop > 0 ? (
          <chakra.span color="warning">{t('overview.withoutStop', { count: own.withoutStop })}</chakra.span>
        ) : (
          riskShare && t('overview.ofEquity', { share: riskShare })
        )),
    },
  ];
}

function useMonthFigures({ month: { data, hasFailed }, today }: Props['month']): KeyFigure[] {
  const { t, i18n } = useTranslation();
  const name = new Intl.DateTimeFormat(i18n.language, { month: 'long', timeZone: 'UTC' }).format(Date.parse(`${today}T00:00:00Z`));
  const day = data?.days.find((each) => each.day === today);
  const currency = data?.currency ?? 'USDT';
  const unknown = t(hasFailed ? 'positions.notRead' : 'overview.unknownYet');
  const exits = (tally: { exits: number; wins: number } | undefined) =>
    tally && (tally.exits > 0 ? t('positions.exitsWon', { count: tally.exits, wins: tally.wins }) : t('positions.noExits'));
  return [
    {
      label: t('positions.realisedToday'),
      figure: <Result value={data ? (day?.net ?? '0') : null} currency={currency} reason={unknown} />,
      note: data && exits(day ?? { exits: 0, wins: 0 }),
    },
    {
      label: t('positions.realisedIn', { month: name }),
      figure: <Result value={data?.net ?? null} currency={currency} reason={unknown} />,
      note: exits(data),
    },
    {
      label: t('positions.feesIn', { month: name }),
      figure: data ? formatMoney(data.fees, currency) : <Unknown reason={unknown} />,
      note: (
        <span lang="en" translate="no">
          {currency}
        </span>
      ),
    },
  ];
}

/** Open positions that are in no sum, so that a sum never looks like all there is. */
function LeftOut({ totals }: Pick<Props['open'], 'totals'>) {
  const { t } = useTranslation();
  const count = (totals ?? []).reduce((all, { leftOut }) => all + leftOut, 0);
  if (count === 0) return null;
  return (
    <Text fontSize="12px" lineHeight="16px" color="warning">
      {t('positions.openLeftOut', { count })}
    </Text>
  );
}

/** Sales of the month that are in no sum of it. */
function SalesLeftOut({ month: { month } }: Pick<Props, 'month'>) {
  const { t } = useTranslation();
  const count = (month.data?.leftOut ?? []).reduce((all, each) => all + each.count, 0);
  if (count === 0) return null;
  return (
    <Text fontSize="12px" lineHeight="16px" color="warning">
      {t('positions.exitsLeftOut', { count })}
    </Text>
  );
}

/** What its owner took out of every sum still came to something, which must not vanish. */
function LeftOutByOwner() {
  const { t } = useTranslation();
  const excluded = useOverview().data?.excluded;
  if (!excluded || excluded.count === 0) return null;
  return (
    <Text fontSize="12px" lineHeight="16px" color="fg.muted">
      {t('positions.excludedPnl', {
        count: excluded.count,
        pnl: excluded.pnl === null ? UNKNOWN : formatResult(excluded.pnl, 'USDT'),
      })}
    </Text>
  );
}

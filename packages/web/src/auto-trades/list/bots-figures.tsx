import { chakra, Text } from '@chakra-ui/react';
import { type BotTotals, botTotals } from '@pilotfish/core/auto-trades/bot-totals';
import type { TradeMode } from '@pilotfish/core/http/wire';
import { formatCurrency, formatMoney, formatShare } from '@pilotfish/core/money/format';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type KeyFigure, KeyFigures } from '../../ui/kit/key-figures.tsx';
import { Result, ResultPercent } from '../../ui/kit/result.tsx';
import { Unknown } from '../../ui/kit/unknown.tsx';
import { useMedia } from '../../ui/use-media.ts';
import { useMoney } from '../../wallets/use-money.ts';
import type { BotRow } from './bot-rows.ts';

const ON_PHONE = 3;

/**
 * What the bots come to: those that trade for real, or, where none does or paper was chosen, those on paper. The others'
 * total stands in a cell of its own, for the two are never added.
 */
export function BotsFigures({ rows, chosen, isStale }: { rows: readonly BotRow[]; chosen: TradeMode | 'all'; isStale: boolean }) {
  const { t } = useTranslation();
  const moneyOf = useMoney();
  const isPhone = !useMedia('(min-width: 768px)');
  const [live, paper] = useMemo(() => [botTotals(rows, 'live'), botTotals(rows, 'paper')], [rows]);
  const mode: TradeMode = chosen !== 'all' ? chosen : live.bots + live.leftOut.length > 0 ? 'live' : 'paper';
  const [totals, other] = mode === 'live' ? [live, paper] : [paper, live];
  const money = moneyOf(mode);
  const otherMoney = moneyOf(mode === 'live' ? 'paper' : 'live');
  const figures = [
    ...useFigures(totals, t(`autoTrades.list.openOf.${money}`), isPhone),
    ...(other.bots > 0
      ? [
          {
            label: t(`autoTrades.list.totalOf.${otherMoney}`),
            figure: <Sum totals={other} value={other.total} />,
            note: t(`autoTrades.list.neverAdded.${money}`),
          },
        ]
      : []),
  ];
  return (
    <>
      <KeyFigures
        label={t(`autoTrades.list.botsOf.${money}`)}
        figures={isPhone ? figures.slice(0, ON_PHONE) : figures}
        isStale={isStale}
        onPhone={3}
      />
      {totals.leftOut.length > 0 && (
        <Text fontSize="12px" lineHeight="16px" color="fg.muted">
          {t('autoTrades.list.leftOut', {
            bots: totals.leftOut.map(({ currency, bots }) => t('autoTrades.list.botsIn', { count: bots, currency })).join(', '),
          })}
        </Text>
      )}
    </>
  );
}

function useReason(): (totals: BotTotals) => string {
  const { t } = useTranslation();
  return ({ unknown }) => t(unknown === 'figures' ? 'overview.unknownYet' : 'autoTrades.list.priceUnknown');
}

const Sum = ({ totals, value }: { totals: BotTotals; value: BotTotals['total'] }) => {
  const reason = useReason()(totals);
  return <Result value={value} currency={totals.currency} reason={reason} />;
};

/** @param isBrief a phone has room for a few letters below a figure */
function useFigures(totals: BotTotals, openLabel: string, isBrief: boolean): KeyFigure[] {
  const { t } = useTranslation();
  const reason = useReason()(totals);
  const { currency, inUse, budget, atRisk } = totals;
  const unknown = <Unknown reason={reason} />;
  return [
    {
      label: openLabel,
      figure: <Sum totals={totals} value={totals.open} />,
      note:
        inUse === null
          ? undefined
          : t('autoTrades.list.amountInUse', { amount: isBrief ? formatMoney(inUse, currency) : formatCurrency(inUse, currency) }),
    },
    { label: t('overview.today'), figure: <Sum totals={totals} value={totals.today} />, note: t('autoTrades.list.sinceMidnight') },
    {
      label: t('autoTrades.list.columns.total'),
      figure: <Sum totals={totals} value={totals.total} />,
      note: totals.returnPct !== null && (
        <>
          <ResultPercent value={totals.returnPct} reason={reason} /> {!isBrief && t('autoTrades.list.onBudget')}
        </>
      ),
    },
    {
      label: t('overview.atRisk'),
      figure: atRisk.amount === null ? unknown : formatMoney(atRisk.amount, currency),
      note:
        atRisk.without > 0 ? (
          <chakra.span color="warning">{t('overview.withoutStop', { count: atRisk.without })}</chakra.span>
        ) : (
          t('autoTrades.list.ifStopsFill')
        ),
    },
    {
      label: t('autoTrades.list.budgetInUse'),
      figure: totals.inUsePct === null ? unknown : formatShare(totals.inUsePct, 0),
      note:
        inUse !== null &&
        budget !== null &&
        t('autoTrades.list.part', { part: formatMoney(inUse, currency), whole: formatMoney(budget, currency) }),
    },
    {
      label: t('autoTrades.list.columns.winRate'),
      figure:
        totals.winRatePct === null ? (
          <Unknown reason={totals.unknown === 'figures' ? reason : t('autoTrades.list.noExits')} />
        ) : (
          formatShare(totals.winRatePct, 0)
        ),
      note: t('autoTrades.list.ofClosed', { count: totals.exits }),
    },
  ];
}

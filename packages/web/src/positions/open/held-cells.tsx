import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { decimal, divide, HUNDRED, isPositive, multiply } from '@pilotfish/core/money/decimal';
import { isNothing, type Money } from '@pilotfish/core/money/figure';
import { formatAverage, formatCurrency, formatMoney, formatPrice, formatQuantity, formatShare } from '@pilotfish/core/money/format';
import type { HeldPositionRow } from '@pilotfish/core/positions/held-positions-contract';
import { formatSpan } from '@pilotfish/core/time/duration';
import type { TFunction } from 'i18next';
import type { MouseEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useApp } from '../../platform/app-context.tsx';
import { Sparkline } from '../../ui/charts/sparkline.tsx';
import { CoinIcon } from '../../ui/coin-icon.tsx';
import { LevelTrack } from '../../ui/kit/level-track.tsx';
import { Result } from '../../ui/kit/result.tsx';
import { Unknown } from '../../ui/kit/unknown.tsx';
import { Second } from '../../ui/tables/table-cells.tsx';

/** All that an account has, in one currency: what is held in another one is no share of it. */
export type Whole = { readonly amount: Money; readonly currency: string };

/** Of what is at risk: it is a small part, which one decimal would call 0.0%. */
export const RISK_DECIMALS = 2;

/** Of all that there is, in percent; undefined where it cannot be said. */
export function shareOf(part: Money | null, currency: string, whole: Whole | undefined, decimals = 1): string | undefined {
  if (part === null || whole === undefined || whole.currency !== currency) return undefined;
  const all = decimal(whole.amount);
  return isPositive(all) ? formatShare(divide(multiply(decimal(part), HUNDRED), all), decimals) : undefined;
}

/** Without a price or trusted figures what is at risk is unknown, which is not the same as without a stop. */
const isUnlimited = ({ atRisk, stop, broken, quantity }: HeldPositionRow): boolean =>
  atRisk === null && stop === null && broken.length === 0 && !isNothing(quantity);

/** Why each figure of a row may be missing: a price may be known where the cost is not. */
export function reasonsOf({ broken, costGap }: HeldPositionRow, t: TFunction) {
  const price = t('overview.noPrice');
  const cost = t(broken.length > 0 ? 'overview.broken' : 'overview.costUnknown');
  return { price, cost, result: broken.length > 0 || costGap ? cost : price };
}

/** Whose it is, and for how long. */
export function useOwner() {
  const { t, i18n } = useTranslation();
  const { now } = useApp().browser;
  return ({ botName, openedAt }: HeldPositionRow) =>
    `${botName ?? t('overview.byHand')} · ${formatSpan(now() - Date.parse(openedAt), i18n.language)}`;
}

/** Chooses instead of leaving the page, unless the reader wants another tab. */
const choosing = (onChoose: (() => void) | undefined) =>
  onChoose &&
  ((event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onChoose();
  });

/** The name of a position and whose it is; it leads to its page, or chooses it where its detail has a place beside the list. */
export const HeldName = ({
  row,
  owner,
  to,
  isChosen = false,
  onChoose,
  children,
}: {
  row: HeldPositionRow;
  owner: string;
  to: string;
  isChosen?: boolean;
  onChoose?: (() => void) | undefined;
  children?: ReactNode;
}) => (
  <Flex align="center" gap="2" minW="0">
    <chakra.div minW="0" asChild>
      <Link to={to} aria-current={isChosen ? 'true' : undefined} onClick={choosing(onChoose)}>
        <Flex align="center" fontSize="16px" gap="0.5" title={owner}>
          <CoinIcon code={row.baseAsset} />
          <Box minW="0" maxW={{ md: '220px' }} fontSize="13px">
            <Text fontWeight="600" lang="en" translate="no" lineHeight="16px">
              {row.baseAsset}
              <chakra.span color="fg.muted" fontWeight="450">
                {' '}
                / {row.quoteAsset}
              </chakra.span>
            </Text>
            <Second overflow="hidden" textOverflow="ellipsis" whiteSpace="nowrap">
              {owner}
            </Second>
          </Box>
        </Flex>
      </Link>
    </chakra.div>
    {children}
  </Flex>
);

/** What the stop would cost, and how much of everything that is. */
export function AtRisk({ row, whole }: { row: HeldPositionRow; whole: Whole | undefined }) {
  const { t } = useTranslation();
  if (isUnlimited(row)) return <chakra.span color="warning">{t('overview.notLimited')}</chakra.span>;
  if (row.atRisk === null) return <Unknown reason={reasonsOf(row, t).result} />;
  return (
    <>
      {formatMoney(row.atRisk, row.quoteAsset)}
      <Second>{shareOf(row.atRisk, row.quoteAsset, whole, RISK_DECIMALS)}</Second>
    </>
  );
}

export function PriceCell({ row, places }: { row: HeldPositionRow; places: number | undefined }) {
  const { t } = useTranslation();
  const reasons = reasonsOf(row, t);
  return (
    <>
      {row.price === null ? <Unknown reason={reasons.price} /> : formatPrice(row.price, places)}
      <Second>
        {row.averageCost === null ? <Unknown reason={reasons.cost} /> : t('overview.average', { price: formatAverage(row.averageCost) })}
      </Second>
    </>
  );
}

/** @param whole where the second line says the share of it; else it says the quantity */
export function ValueCell({ row, whole }: { row: HeldPositionRow; whole?: Whole | undefined }) {
  const { t } = useTranslation();
  return (
    <>
      {row.value === null ? <Unknown reason={reasonsOf(row, t).price} /> : formatMoney(row.value, row.quoteAsset)}
      <Second lang="en" translate="no">
        {whole === undefined ? `${formatQuantity(row.quantity)} ${row.baseAsset}` : shareOf(row.value, row.quoteAsset, whole)}
      </Second>
    </>
  );
}

const toneOfLine = (values: readonly number[]): 'gain' | 'loss' | 'muted' => {
  const [first, last] = [values[0], values.at(-1)];
  if (first === undefined || last === undefined || first === last) return 'muted';
  return last > first ? 'gain' : 'loss';
};

export function DaysCell({ row, places }: { row: HeldPositionRow; places: number | undefined }) {
  const { t } = useTranslation();
  return (
    <Flex justify="flex-end">
      <Sparkline
        values={row.sparkline}
        tone={toneOfLine(row.sparkline)}
        label={`${row.baseAsset}, ${t('overview.columns.days')}`}
        format={(value) => formatPrice(value.toFixed(places ?? 8), places)}
      />
    </Flex>
  );
}

/** A position on a phone: whose it is, its result, and its price between its levels. */
export function HeldCard({
  row,
  to,
  places,
  badges,
}: {
  row: HeldPositionRow;
  to: string;
  places: number | undefined;
  badges?: ReactNode;
}) {
  const { t } = useTranslation();
  const owner = `${row.botName ?? t('overview.byHand')}${row.value === null ? '' : ` · ${formatMoney(row.value, row.quoteAsset)}`}`;
  return (
    <>
      <Flex justify="space-between" gap="3" mb="2">
        <HeldName row={row} owner={owner} to={to}>
          {badges}
        </HeldName>
        <Box textAlign="end" fontSize="13px" lineHeight="16px" fontWeight="600">
          <Result value={row.result} percent={row.resultPct} currency={row.quoteAsset} reason={reasonsOf(row, t).result} below />
        </Box>
      </Flex>
      <LevelTrack symbol={row.baseAsset} levels={row} places={places} withPrice />
      <span className="visually-hidden">
        {t('overview.atRisk')}:{' '}
        {isUnlimited(row)
          ? t('overview.notLimited')
          : row.atRisk === null
            ? reasonsOf(row, t).result
            : formatCurrency(row.atRisk, row.quoteAsset)}
      </span>
    </>
  );
}

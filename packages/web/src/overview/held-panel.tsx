import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { decimal, divide, HUNDRED, isPositive, multiply } from '@pilotfish/core/money/decimal';
import { digits, type Money } from '@pilotfish/core/money/figure';
import { formatAverage, formatCurrency, formatMoney, formatPrice, formatShare } from '@pilotfish/core/money/format';
import type { HeldPositionRow } from '@pilotfish/core/positions/held-positions-contract';
import { formatSpan } from '@pilotfish/core/time/duration';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useApp } from '../app/app-context.tsx';
import type { useHeld } from '../auto-trades/use-auto-trades.ts';
import { usePairs } from '../prices/use-prices.ts';
import { Sparkline } from '../ui/charts/sparkline.tsx';
import { CoinIcon } from '../ui/coin-icon.tsx';
import { LinkButton } from '../ui/controls.tsx';
import { LevelTrack } from '../ui/kit/level-track.tsx';
import { Result } from '../ui/kit/result.tsx';
import { TitledPanel } from '../ui/kit/titled-panel.tsx';
import { Unknown } from '../ui/kit/unknown.tsx';
import { Cell, HeadCell, RowHead, Second } from '../ui/table-cells.tsx';
import { useMedia } from '../ui/use-media.ts';

const SHOWN = 5;

const linkOf = ({ autoTradeId, positionId }: HeldPositionRow): string =>
  autoTradeId === null ? `/positions/detail/${positionId}` : `/auto-trade/detail/${autoTradeId}`;

/** What is held, by bots and by hand, largest first: its price between its levels, its result, and what its stop would cost. */
export function HeldPanel({ held, equity }: { held: ReturnType<typeof useHeld>; equity: Money | undefined }) {
  const { t } = useTranslation();
  const isWide = useMedia('(min-width: 768px)');
  const { data } = held;
  const rows = [...(data?.items ?? [])].sort((a, b) => Number(digits(b.value ?? '0')) - Number(digits(a.value ?? '0'))).slice(0, SHOWN);
  const sums = data?.totals.map(({ value, currency }) => `${formatMoney(value, currency)} ${currency}`).join(' · ');
  return (
    <TitledPanel
      title={t('overview.held')}
      count={data && data.items.length > 0 ? `${data.items.length} · ${sums}` : undefined}
      actions={
        <LinkButton to="/positions/open-positions" size="xs" variant="ghost" color="fg.muted">
          {t('overview.allPositions')} →
        </LinkButton>
      }
      query={held}
      rows={5}
      flush
      empty={data?.items.length === 0 ? <Text color="fg.muted">{t('overview.noPositions')}</Text> : undefined}
    >
      {isWide ? <Table rows={rows} equity={equity} /> : <Cards rows={rows} />}
    </TitledPanel>
  );
}

/** Of the equity, in percent. */
const shareOf = (part: Money | null, equity: Money | undefined): string | undefined => {
  if (part === null || equity === undefined) return undefined;
  const all = decimal(equity);
  return isPositive(all) ? formatShare(divide(multiply(decimal(part), HUNDRED), all), 1) : undefined;
};

/** Without a price or trusted figures what is at risk is unknown, which is not the same as without a stop. */
const isUnlimited = ({ atRisk, stop, broken }: HeldPositionRow): boolean => atRisk === null && stop === null && broken.length === 0;

/** Why each figure of a row may be missing: a price may be known where the cost is not. */
function reasonsOf({ broken, costGap }: HeldPositionRow, t: TFunction) {
  const price = t('overview.noPrice');
  const cost = t(broken.length > 0 ? 'overview.broken' : 'overview.costUnknown');
  return { price, cost, result: broken.length > 0 || costGap ? cost : price };
}

/** Whose it is, and for how long. */
function useOwner() {
  const { t, i18n } = useTranslation();
  const { now } = useApp().browser;
  return ({ botName, openedAt }: HeldPositionRow) =>
    `${botName ?? t('overview.byHand')} · ${formatSpan(now() - Date.parse(openedAt), i18n.language)}`;
}

const Name = ({ row, owner }: { row: HeldPositionRow; owner: string }) => (
  <chakra.div minW="0" asChild>
    <Link to={linkOf(row)}>
      <Flex align="center" fontSize="16px" gap="0.5" title={owner}>
        <CoinIcon code={row.baseAsset} />
        <Box minW="0" maxW={{ md: '220px' }} fontSize="13px">
          <Text fontWeight="600" lang="en" translate="no" lineHeight="16px">
            {row.baseAsset}
          </Text>
          <Second overflow="hidden" textOverflow="ellipsis" whiteSpace="nowrap">
            {owner}
          </Second>
        </Box>
      </Flex>
    </Link>
  </chakra.div>
);

function Table({ rows, equity }: { rows: readonly HeldPositionRow[]; equity: Money | undefined }) {
  const { t } = useTranslation();
  const pairs = usePairs();
  const ownerOf = useOwner();
  const head = ['price', 'value', 'result'] as const;
  return (
    <Box overflowX="auto">
      <chakra.table w="100%" fontSize="13px" css={{ fontVariantNumeric: 'tabular-nums', borderCollapse: 'collapse' }}>
        <thead>
          <tr>
            <HeadCell scope="col">{t('overview.columns.position')}</HeadCell>
            {head.map((key) => (
              <HeadCell key={key} scope="col" textAlign="end">
                {t(`overview.columns.${key}`)}
              </HeadCell>
            ))}
            <HeadCell scope="col" w="160px">
              {t('overview.columns.levels')}
            </HeadCell>
            <HeadCell scope="col" textAlign="end">
              {t('overview.atRisk')}
            </HeadCell>
            <HeadCell scope="col" textAlign="end">
              {t('overview.columns.days')}
            </HeadCell>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const places = pairs?.get(row.symbol)?.pricePrecision;
            const { price: noPrice, cost: noCost, result: noResult } = reasonsOf(row, t);
            return (
              <chakra.tr key={`${row.autoTradeId} ${row.positionId}`} _hover={{ bg: 'bg.raised' }}>
                <RowHead>
                  <Name row={row} owner={ownerOf(row)} />
                </RowHead>
                <Cell textAlign="end">
                  {row.price === null ? <Unknown reason={noPrice} /> : formatPrice(row.price, places)}
                  <Second>
                    {row.averageCost === null ? (
                      <Unknown reason={noCost} />
                    ) : (
                      t('overview.average', { price: formatAverage(row.averageCost) })
                    )}
                  </Second>
                </Cell>
                <Cell textAlign="end">
                  {row.value === null ? <Unknown reason={noPrice} /> : formatMoney(row.value, row.quoteAsset)}
                  <Second>{shareOf(row.value, equity)}</Second>
                </Cell>
                <Cell textAlign="end" fontWeight="600">
                  <Result value={row.result} percent={row.resultPct} currency={row.quoteAsset} reason={noResult} below />
                </Cell>
                <Cell lineHeight="8px">
                  <LevelTrack symbol={row.baseAsset} levels={row} places={places} />
                </Cell>
                <Cell textAlign="end">
                  {isUnlimited(row) ? (
                    <chakra.span color="warning">{t('overview.notLimited')}</chakra.span>
                  ) : row.atRisk === null ? (
                    <Unknown reason={noResult} />
                  ) : (
                    <>
                      {formatMoney(row.atRisk, row.quoteAsset)}
                      <Second>{shareOf(row.atRisk, equity)}</Second>
                    </>
                  )}
                </Cell>
                <Cell>
                  <Flex justify="flex-end">
                    <Sparkline
                      values={row.sparkline}
                      tone={toneOfLine(row.sparkline)}
                      label={`${row.baseAsset}, ${t('overview.columns.days')}`}
                      format={(value) => formatPrice(value.toFixed(places ?? 8), places)}
                    />
                  </Flex>
                </Cell>
              </chakra.tr>
            );
          })}
        </tbody>
      </chakra.table>
    </Box>
  );
}

const toneOfLine = (values: readonly number[]): 'gain' | 'loss' | 'muted' => {
  const [first, last] = [values[0], values.at(-1)];
  if (first === undefined || last === undefined || first === last) return 'muted';
  return last > first ? 'gain' : 'loss';
};

function Cards({ rows }: { rows: readonly HeldPositionRow[] }) {
  const { t } = useTranslation();
  const pairs = usePairs();
  return (
    <Flex as="ul" direction="column" listStyleType="none">
      {rows.map((row) => (
        <chakra.li key={`${row.autoTradeId} ${row.positionId}`} px="3.5" py="2.5" borderTopWidth="1px" borderColor="border.subtle">
          <Flex justify="space-between" gap="3" mb="2">
            <Name
              row={row}
              owner={`${row.botName ?? t('overview.byHand')}${row.value === null ? '' : ` · ${formatMoney(row.value, row.quoteAsset)}`}`}
            />
            <Box textAlign="end" fontSize="13px" lineHeight="16px" fontWeight="600">
              <Result value={row.result} percent={row.resultPct} currency={row.quoteAsset} reason={reasonsOf(row, t).result} below />
            </Box>
          </Flex>
          <LevelTrack symbol={row.baseAsset} levels={row} places={pairs?.get(row.symbol)?.pricePrecision} />
          <span className="visually-hidden">
            {t('overview.atRisk')}:{' '}
            {isUnlimited(row)
              ? t('overview.notLimited')
              : row.atRisk === null
                ? reasonsOf(row, t).result
                : formatCurrency(row.atRisk, row.quoteAsset)}
          </span>
        </chakra.li>
      ))}
    </Flex>
  );
}

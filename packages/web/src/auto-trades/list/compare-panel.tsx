import { Box, chakra, Flex, Grid, Table, Text } from '@chakra-ui/react';
import { decimal, negate } from '@pilotfish/core/money/decimal';
import type { Figure } from '@pilotfish/core/money/figure';
import { formatMoney, formatPercent, formatRatio, formatShare } from '@pilotfish/core/money/format';
import { formatSpan } from '@pilotfish/core/time/duration';
import { lazy, type ReactNode, type Ref, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PermittedLink, useRefusal } from '../../platform/use-trading.tsx';
import type { ChartColor } from '../../ui/charts/chart-axes.ts';
import { IconButton } from '../../ui/controls.tsx';
import { ResultPercent } from '../../ui/kit/result.tsx';
import { TitledPanel } from '../../ui/kit/titled-panel.tsx';
import { Unknown } from '../../ui/kit/unknown.tsx';
import { Button } from '../../ui/primitives.tsx';
import { Cell, HeadCell, RowHead } from '../../ui/tables/table-cells.tsx';
import { duplicateOf } from '../bot-actions.tsx';
import { BotMode } from '../bot-marks.tsx';
import { BotMoney, useWhyUnknown } from './bot-cells.tsx';
import type { BotRow } from './bot-rows.ts';
import { askedOf, type Bulk, BulkDialog } from './bulk-dialog.tsx';
import { betterOf, curvesInPercent, MOST_COMPARED } from './compared.ts';

const LineChart = lazy(() => import('../../ui/charts/line-chart.tsx').then(({ LineChart: component }) => ({ default: component })));
const HEIGHT = 190;
/** What the chart's readout takes. */
const READOUT = 40;
/** Dashes tell lines apart for those who do not see their colours. */
const LINES: readonly { color: ChartColor; dashed: boolean }[] = [
  { color: 'chart-line', dashed: false },
  { color: 'secondary-fg', dashed: false },
  { color: 'fg-muted', dashed: true },
  { color: 'warning', dashed: true },
];

/** The chosen bots beside each other, and what can be asked of all of them. */
export function ComparePanel({ rows, heading, onClose }: { rows: readonly BotRow[]; heading: Ref<HTMLDivElement>; onClose: () => void }) {
  const { t } = useTranslation();
  const refusal = useRefusal('bots');
  const [asking, setAsking] = useState<{ bulk: Bulk; bots: BotRow['bot'][] }>();
  const [only, second] = rows;
  const bulk = (['disable', 'enable'] as const).filter((each) => rows.some(({ bot }) => askedOf(bot, each) !== undefined));
  const shown = rows.slice(0, MOST_COMPARED);
  return (
    <Box ref={heading} tabIndex={-1} outline="none" minW="0">
      <TitledPanel
        title={t('autoTrades.list.compare')}
        count={t('autoTrades.list.chosen', { count: rows.length })}
        actions={
          <Flex gap="1.5" wrap="wrap" align="center">
            {only && !second && (
              <PermittedLink permission="bots" to={duplicateOf(only.bot)} size="xs" variant="outline" color="fg">
                {t('autoTrades.duplicate')}
              </PermittedLink>
            )}
            {bulk.map((each) => (
              <Button
                key={each}
                size="xs"
                variant="outline"
                color="fg"
                {...(each === 'enable' ? refusal : {})}
                onClick={() => setAsking({ bulk: each, bots: rows.map(({ bot }) => bot) })}
              >
                {t(`autoTrades.list.bulk.${each}.all`, { count: rows.filter(({ bot }) => askedOf(bot, each) !== undefined).length })}
              </Button>
            ))}
            <IconButton icon="close" size="xs" label={t('autoTrades.list.giveUp')} onClick={onClose} />
          </Flex>
        }
      >
        {rows.length > MOST_COMPARED && (
          <Text fontSize="12px" color="fg.muted" mb="2">
            {t('autoTrades.list.firstCompared', { count: MOST_COMPARED })}
          </Text>
        )}
        <Grid templateColumns={{ base: 'minmax(0, 1fr)', xl: 'minmax(0, 1fr) minmax(320px, auto)' }} gap="6">
          <Curves rows={shown} />
          <Figures rows={shown} />
        </Grid>
      </TitledPanel>
      <BulkDialog bulk={asking?.bulk} bots={asking?.bots ?? []} onClose={() => setAsking(undefined)} />
    </Box>
  );
}

function Curves({ rows }: { rows: readonly BotRow[] }) {
  const { t } = useTranslation();
  const { time, values } = useMemo(() => curvesInPercent(rows.map(({ figures }) => figures)), [rows]);
  const bar = <div className="skeleton" style={{ height: HEIGHT + READOUT }} />;
  return (
    <Box minW="0" minH={`${HEIGHT + READOUT}px`}>
      {time.length < 2 ? (
        <Flex h={`${HEIGHT + READOUT}px`} align="center" justify="center" textAlign="center" color="fg.muted" px="4">
          {t('autoTrades.list.noCurve')}
        </Flex>
      ) : (
        <Suspense fallback={bar}>
          <LineChart
            label={t('autoTrades.list.curves')}
            time={time}
            series={rows.map(({ bot }, index) => ({
              label: bot.name,
              values: values[index] ?? [],
              color: LINES[index]?.color ?? 'fg-muted',
              dashed: LINES[index]?.dashed ?? false,
            }))}
            format={(value) => formatPercent(decimal(value.toFixed(4)))}
            height={HEIGHT}
          />
        </Suspense>
      )}
    </Box>
  );
}

/** The better of several is marked and bold: its colour would say nothing to many. */
const Marked = ({ better, children }: { better: boolean; children: ReactNode }) => {
  const { t } = useTranslation();
  return (
    <chakra.span fontWeight={better ? '650' : undefined}>
      {children}
      {better && (
        <>
          <span aria-hidden="true"> ✓</span>
          <span className="visually-hidden"> {t('autoTrades.list.better')}</span>
        </>
      )}
    </chakra.span>
  );
};

function Figures({ rows }: { rows: readonly BotRow[] }) {
  const { t, i18n } = useTranslation();
  const why = useWhyUnknown();
  const best = betterOf(rows);
  const known = <Value extends Figure | number>(row: BotRow, value: Value | null | undefined, shown: (value: Value) => ReactNode) =>
    value == null ? <Unknown reason={row.figures ? t('autoTrades.list.noExits') : why(row)} /> : shown(value);
  const lines: readonly { key: string; better?: number | undefined; cell: (row: BotRow) => ReactNode }[] = [
    { key: 'return', better: best.returnPct, cell: (row) => <ResultPercent value={row.figures?.returnPct ?? null} reason={why(row)} /> },
    { key: 'total', cell: (row) => <BotMoney row={row} value={row.figures?.total} unit /> },
    {
      key: 'drawdown',
      better: best.maxDrawdownPct,
      cell: (row) => known(row, row.figures?.maxDrawdownPct, (value) => formatPercent(negate(decimal(value)), 1)),
    },
    {
      key: 'winRate',
      better: best.winRatePct,
      cell: (row) =>
        known(row, row.figures?.winRatePct, (value) =>
          t('autoTrades.list.part', { part: formatShare(value, 0), whole: row.figures?.exits ?? 0 }),
        ),
    },
    {
      key: 'profitFactor',
      better: best.profitFactor,
      cell: (row) => known(row, row.figures?.profitFactor, (value) => formatRatio(value)),
    },
    {
      key: 'hold',
      cell: (row) => known(row, row.figures?.averageHoldSeconds, (value) => formatSpan(value * 1000, i18n.language)),
    },
    { key: 'fees', better: best.fees, cell: (row) => known(row, row.figures?.fees, (value) => formatMoney(value, row.bot.currency)) },
  ];
  return (
    <Box overflowX="auto" tabIndex={0} role="region" aria-label={t('autoTrades.list.comparedFigures')} className="rings-inside" minW="0">
      <Table.Root>
        <thead>
          <tr>
            <HeadCell>
              <span className="visually-hidden">{t('autoTrades.list.figure')}</span>
            </HeadCell>
            {rows.map(({ bot }, index) => (
              <HeadCell key={bot.id} scope="col" textAlign="end" whiteSpace="normal" minW="104px">
                <Flex align="center" justify="flex-end" gap="1.5" wrap="wrap">
                  <chakra.i
                    aria-hidden="true"
                    w="12px"
                    h="0"
                    borderTopWidth="3px"
                    borderTopStyle={LINES[index]?.dashed ? 'dotted' : 'solid'}
                    style={{ borderColor: `var(--chakra-colors-${LINES[index]?.color})` }}
                  />
                  <chakra.span color="fg" overflowWrap="anywhere">
                    {bot.name}
                  </chakra.span>
                  <BotMode mode={bot.mode} />
                </Flex>
              </HeadCell>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ key, better, cell }) => (
            <tr key={key}>
              <RowHead h="29px" ps="0">
                {t(`autoTrades.list.compared.${key}`)}
              </RowHead>
              {rows.map((row, index) => (
                <Cell key={row.bot.id} h="29px" textAlign="end">
                  <Marked better={better === index}>{cell(row)}</Marked>
                </Cell>
              ))}
            </tr>
          ))}
        </tbody>
      </Table.Root>
    </Box>
  );
}

import { Box, chakra, Flex, Grid, Text } from '@chakra-ui/react';
import { digits, isNothing, type Money } from '@pilotfish/core/money/figure';
import { formatMoney, formatShare, formatSigned, MINUS } from '@pilotfish/core/money/format';
import { memo, type ReactNode, useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { sparklinePath } from '../../../ui/charts/sparkline.tsx';
import { Panel, TextLink } from '../../../ui/controls.tsx';
import { Result, ResultPercent } from '../../../ui/kit/result.tsx';
import { Unknown } from '../../../ui/kit/unknown.tsx';
import type { Cockpit } from './use-cockpit.ts';

type NamedFigure = { readonly label: string; readonly figure: ReactNode };

function useFigures({ bot, figures }: Cockpit) {
  const { t } = useTranslation();
  const reason = t('autoTrades.cockpit.unknown');
  const result = (value: Money | null | undefined) => <Result value={value ?? null} currency={bot.currency} reason={reason} />;
  const risk = figures?.atRisk;
  return {
    open: { label: t('autoTrades.cockpit.open'), figure: result(figures?.open) },
    today: { label: t('autoTrades.cockpit.today'), figure: result(figures?.today) },
    total: { label: t('autoTrades.cockpit.total'), figure: result(figures?.total) },
    atRisk: {
      label: t('autoTrades.cockpit.atRisk'),
      figure: risk?.amount == null ? <Unknown reason={reason} /> : formatMoney(risk.amount, bot.currency),
    },
  };
}

/** Open, today, total and at risk: what a phone shows above the chart. */
export function useFourFigures(cockpit: Cockpit): readonly NamedFigure[] {
  const { open, today, total, atRisk } = useFigures(cockpit);
  return [open, today, total, atRisk];
}

/** What the bot has brought in all its runs, what is open and what could be lost now. */
export const ResultPanel = memo(function ResultPanel({ cockpit }: { cockpit: Cockpit }) {
  const { t } = useTranslation();
  const { bot, figures, isStale } = cockpit;
  const id = useId();
  const reason = t('autoTrades.cockpit.unknown');
  const { open, today, atRisk } = useFigures(cockpit);
  const without = figures?.atRisk.without ?? 0;
  return (
    <Panel p="4" aria-labelledby={id} className={isStale ? 'stale' : undefined}>
      <Text id={id} as="h2" fontSize="12px" lineHeight="16px" color="fg.muted">
        {t('autoTrades.cockpit.result')}
      </Text>
      <Text textStyle="display" h="34px" whiteSpace="nowrap">
        <Result value={figures?.total ?? null} currency={bot.currency} reason={reason} unit />
      </Text>
      <Text fontSize="13px" lineHeight="18px" color="fg.muted">
        {figures?.returnPct != null && (
          <>
            <ResultPercent value={figures.returnPct} reason={reason} />{' '}
          </>
        )}
        {figures ? t('autoTrades.cockpit.onBudget', { amount: formatMoney(figures.budget, bot.currency) }) : '\u00a0'}
      </Text>
      <Curve cockpit={cockpit} />
      <Grid as="dl" templateColumns="1fr 1fr" gapX="3.5" gapY="2.5" mt="2">
        <Small {...open} />
        <Small {...today} />
        <Small
          {...atRisk}
          note={
            without > 0 ? <chakra.span color="warning">{t('autoTrades.cockpit.withoutStop', { count: without })}</chakra.span> : undefined
          }
        />
        <Small
          label={t('autoTrades.cockpit.winRate')}
          figure={
            figures?.winRatePct == null ? (
              <Unknown reason={t('autoTrades.cockpit.noExits')} />
            ) : (
              <>
                {formatShare(figures.winRatePct, 0)}
                <chakra.span color="fg.muted" fontWeight="450" fontSize="13px">
                  {' '}
                  {t('autoTrades.cockpit.of', { count: figures.exits })}
                </chakra.span>
              </>
            )
          }
        />
      </Grid>
      <Grid
        as="dl"
        templateColumns="1fr auto"
        gapX="3"
        gapY="1"
        pt="2.5"
        mt="2.5"
        borderTopWidth="1px"
        borderColor="border.subtle"
        fontSize="13px"
        lineHeight="18px"
        css={{ '& dt': { color: 'var(--chakra-colors-fg-muted)' }, '& dd': { textAlign: 'end', fontVariantNumeric: 'tabular-nums' } }}
      >
        <dt>{t('autoTrades.cockpit.drawdown')}</dt>
        <dd>
          {figures?.maxDrawdownPct == null ? (
            <Unknown reason={reason} />
          ) : (
            <>
              {isNothing(figures.maxDrawdownPct) ? '' : MINUS}
              {formatShare(figures.maxDrawdownPct)}
            </>
          )}
        </dd>
        <dt>{t('autoTrades.open')}</dt>
        <dd>{t('autoTrades.cockpit.slots', { used: bot.openPositions, most: bot.config.maxOpenPositions })}</dd>
        <dt>{t('autoTrades.form.wallet')}</dt>
        <dd>
          <TextLink to="/auto-trade/wallets">{bot.walletName}</TextLink>
        </dd>
      </Grid>
      <Text fontSize="12px" lineHeight="16px" color="fg.subtle" mt="1.5">
        {t('autoTrades.run', { run: bot.runNo, version: bot.configVersion })}
      </Text>
    </Panel>
  );
});

const Small = ({ label, figure, note }: NamedFigure & { note?: ReactNode }) => (
  <Box minW="0">
    <Text as="dt" fontSize="12px" lineHeight="16px" color="fg.muted">
      {label}
    </Text>
    <Text as="dd" fontSize="15px" lineHeight="20px" fontWeight="620" whiteSpace="nowrap" css={{ fontVariantNumeric: 'tabular-nums' }}>
      {figure}
    </Text>
    {note !== undefined && (
      <Text as="dd" fontSize="12px" lineHeight="16px">
        {note}
      </Text>
    )}
  </Box>
);

const [WIDTH, HEIGHT] = [280, 60];

/** The cumulated result exit by exit. Floats, for a line of 280 pixels. */
function Curve({ cockpit: { bot, figures } }: { cockpit: Cockpit }) {
  const { t } = useTranslation();
  const curve = figures?.curve;
  const values = useMemo(() => (curve ?? []).map(({ value }) => Number(digits(value))), [curve]);
  const last = curve?.at(-1)?.value;
  if (values.length < 2 || last === undefined)
    return (
      <Flex h={`${HEIGHT + 12}px`} align="center">
        <Text fontSize="12px" color="fg.subtle">
          {curve && t('autoTrades.cockpit.curveLater')}
        </Text>
      </Flex>
    );
  const line = sparklinePath(values, WIDTH, HEIGHT - 4);
  const colour = `var(--chakra-colors-chart-${values.at(-1)! < 0 ? 'down' : 'up'})`;
  return (
    <Box my="1.5">
      <svg
        viewBox={`0 -2 ${WIDTH} ${HEIGHT}`}
        width="100%"
        height={HEIGHT}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('autoTrades.cockpit.curve', {
          count: values.length,
          result: formatSigned(last, bot.currency),
          currency: bot.currency,
        })}
      >
        <path d={`${line}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`} fill={colour} fillOpacity="0.12" />
        <path d={line} fill="none" stroke={colour} strokeWidth="1.8" vectorEffect="non-scaling-stroke" strokeLinejoin="round" />
      </svg>
    </Box>
  );
}

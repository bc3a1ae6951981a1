import { Box, chakra, Flex, Table, Text } from '@chakra-ui/react';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { AutoTradeFigures } from '@pilotfish/core/auto-trades/bot-figures-contract';
import { digits } from '@pilotfish/core/money/figure';
import { formatMoney } from '@pilotfish/core/money/format';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { BotMode, BotSentence, BotStatus } from '../auto-trades/bot-marks.tsx';
import { type useAutoTrades, useBotFigures } from '../auto-trades/use-auto-trades.ts';
import { Sparkline } from '../ui/charts/sparkline.tsx';
import { LinkButton } from '../ui/controls.tsx';
import { Result } from '../ui/kit/result.tsx';
import { TitledPanel } from '../ui/kit/titled-panel.tsx';
import { Cell, HeadCell, RowHead } from '../ui/tables/table-cells.tsx';
import { useMedia } from '../ui/use-media.ts';

const SHOWN = 6;
const NEEDS: ReadonlySet<AutoTrade['state']> = new Set(['Blocked', 'Halted']);

type Row = { readonly bot: AutoTrade; readonly figures: AutoTradeFigures | undefined };
/** Those that need somebody, then live ones, then by what is open. */
const byUrgency = (a: Row, b: Row): number =>
  Number(NEEDS.has(b.bot.state)) - Number(NEEDS.has(a.bot.state)) ||
  Number(b.bot.mode === 'live') - Number(a.bot.mode === 'live') ||
  Number(b.bot.state === 'Running') - Number(a.bot.state === 'Running') ||
  Number(digits(b.figures?.open ?? '0')) - Number(digits(a.figures?.open ?? '0'));

/** The bots with what each waits for, and what it earned. @param isOffered a first one is offered elsewhere on the page */
export function BotsPanel({ bots, isOffered }: { bots: ReturnType<typeof useAutoTrades>; isOffered: boolean }) {
  const { t } = useTranslation();
  const isWide = useMedia('(min-width: 768px)');
  const figures = useBotFigures();
  const { data } = bots;
  const rows = (data ?? []).map((bot): Row => ({ bot, figures: figures.data?.find(({ id }) => id === bot.id) })).sort(byUrgency);
  const running = data?.filter(({ state }) => state === 'Running').length ?? 0;
  return (
    <TitledPanel
      title={t('overview.bots')}
      count={data && data.length > 0 ? t('overview.running', { count: running, all: data.length }) : undefined}
      actions={
        <LinkButton to="/auto-trade" size="xs" variant="ghost" color="fg.muted">
          {t('overview.allBots')} →
        </LinkButton>
      }
      query={bots}
      rows={5}
      flush
      empty={
        data?.length === 0 ? (
          <Flex direction="column" gap="3" align="flex-start">
            <Text color="fg.muted">{t('autoTrades.emptyLead')}</Text>
            {!isOffered && (
              <LinkButton to="/auto-trade/create" size="sm" variant="outline" color="fg">
                {t('autoTrades.createFirst')}
              </LinkButton>
            )}
          </Flex>
        ) : undefined
      }
    >
      {isWide ? <BotsTable rows={rows.slice(0, SHOWN)} /> : <Cards rows={rows.slice(0, SHOWN)} />}
    </TitledPanel>
  );
}

const Name = ({ bot }: { bot: AutoTrade }) => (
  // Without `minW` a long name is wider than a phone and pushes its result out of sight.
  <Flex align="center" gap="2" wrap="wrap" minW="0">
    <BotStatus bot={bot} />
    <Text asChild fontWeight="600" truncate maxW="min(320px, 100%)" _hover={{ textDecoration: 'underline' }}>
      <Link to={`/auto-trade/detail/${bot.id}`} title={bot.name}>
        {bot.name}
      </Link>
    </Text>
    <BotMode mode={bot.mode} />
  </Flex>
);

function Money({ bot, value }: { bot: AutoTrade; value: AutoTradeFigures['open'] | undefined }) {
  const { t } = useTranslation();
  // Figures that did not come are not a missing price.
  const reason = t(value === undefined ? 'overview.unknownYet' : 'overview.noPrice');
  return <Result value={value ?? null} currency={bot.currency} reason={reason} />;
}

function BotsTable({ rows }: { rows: readonly Row[] }) {
  const { t } = useTranslation();
  return (
    <Box overflowX="auto">
      <Table.Root>
        <thead>
          <tr>
            <HeadCell scope="col">{t('overview.columns.bot')}</HeadCell>
            {(['open', 'today', 'total', 'exits'] as const).map((key) => (
              <HeadCell key={key} scope="col" textAlign="end">
                {t(`overview.columns.${key}`)}
              </HeadCell>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ bot, figures }) => (
            <chakra.tr key={bot.id} _hover={{ bg: 'bg.raised' }}>
              <RowHead whiteSpace="normal" py="1.5">
                <Name bot={bot} />
                <Box fontSize="12px" lineHeight="16px" mt="2px">
                  <BotSentence bot={bot} figures={figures} />
                </Box>
              </RowHead>
              <Cell textAlign="end">
                <Money bot={bot} value={figures?.open} />
              </Cell>
              <Cell textAlign="end">
                <Money bot={bot} value={figures?.today} />
              </Cell>
              <Cell textAlign="end" fontWeight="600">
                <Money bot={bot} value={figures?.total} />
              </Cell>
              <Cell>
                <Flex justify="flex-end">
                  <Curve bot={bot} figures={figures} />
                </Flex>
              </Cell>
            </chakra.tr>
          ))}
        </tbody>
      </Table.Root>
    </Box>
  );
}

/** The sum of its exits. Floats, for a line of 72 pixels. */
function Curve({ bot, figures }: Row) {
  const { t } = useTranslation();
  const values = (figures?.curve ?? []).map(({ value }) => Number(digits(value)));
  if (values.length < 2) return null;
  const last = values.at(-1) ?? 0;
  return (
    <Sparkline
      values={values}
      tone={last > 0 ? 'gain' : last < 0 ? 'loss' : 'muted'}
      label={`${bot.name}, ${t('overview.columns.exits')}`}
      format={(value) => formatMoney(value.toFixed(8), bot.currency)}
    />
  );
}

function Cards({ rows }: { rows: readonly Row[] }) {
  return (
    <Flex as="ul" direction="column" listStyleType="none">
      {rows.map(({ bot, figures }) => (
        <chakra.li key={bot.id} px="3.5" py="2.5" borderTopWidth="1px" borderColor="border.subtle">
          <Flex justify="space-between" gap="3">
            <Name bot={bot} />
            <Text fontWeight="600" whiteSpace="nowrap">
              <Money bot={bot} value={figures?.total} />
            </Text>
          </Flex>
          <Box fontSize="12px" lineHeight="16px" mt="1">
            <BotSentence bot={bot} figures={figures} />
          </Box>
        </chakra.li>
      ))}
    </Flex>
  );
}

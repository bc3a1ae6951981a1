import { Box, chakra, Flex, Grid, Heading } from '@chakra-ui/react';
import type { Evaluation } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { BotMode, useWaiting } from '../bot-marks.tsx';
import { BotCurve, BotMoney, NeedAction, RowSentence, RowState, Slots } from './bot-cells.tsx';
import { BotMenu } from './bot-menu.tsx';
import type { BotRow } from './bot-rows.ts';

/** Bots one by one, largest figure first: for a phone, and for few of them. */
export const BotCards = ({ rows }: { rows: readonly BotRow[] }) => (
  <Grid
    as="ul"
    listStyleType="none"
    templateColumns={{ base: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))', xl: 'repeat(3, minmax(0, 1fr))' }}
    gap={{ base: '2.5', md: '3' }}
  >
    {rows.map((row) => (
      <chakra.li
        key={row.bot.id}
        data-row={row.bot.id}
        display="flex"
        flexDirection="column"
        minW="0"
        px="3.5"
        py="3"
        bg="bg.panel"
        borderWidth="1px"
        borderColor="border.subtle"
        borderRadius="panel"
        _focusWithin={{ borderColor: 'border.control' }}
      >
        <BotCard row={row} />
      </chakra.li>
    ))}
  </Grid>
);

function BotCard({ row }: { row: BotRow }) {
  const { t } = useTranslation();
  const { bot, figures } = row;
  return (
    <>
      <Flex align="center" gap="2" minH="8">
        <Heading as="h2" fontSize="14px" lineHeight="20px" fontWeight="600" minW="0" overflowWrap="anywhere">
          <Link to={`/auto-trade/detail/${bot.id}`}>{bot.name}</Link>
        </Heading>
        <BotMode mode={bot.mode} />
        <Flex ms="auto" align="center" gap="1" flexShrink="0">
          <RowState row={row} />
          <BotMenu bot={bot} />
        </Flex>
      </Flex>
      <Flex align="center" justify="space-between" gap="3" mt="1" mb="2">
        <Box minW="0" css={{ fontVariantNumeric: 'tabular-nums' }}>
          <Box fontSize="22px" lineHeight="28px" fontWeight="660" letterSpacing="-0.015em">
            <span className="visually-hidden">{t('autoTrades.list.columns.total')} </span>
            <BotMoney row={row} value={figures?.total} unit />
          </Box>
          <Box fontSize="12px" lineHeight="16px" color="fg.muted">
            {t('autoTrades.list.columns.open')} <BotMoney row={row} value={figures?.open} /> · {t('autoTrades.list.columns.today')}{' '}
            <BotMoney row={row} value={figures?.today} />
          </Box>
        </Box>
        <BotCurve row={row} />
      </Flex>
      <Flex
        align="center"
        justify="space-between"
        gap="2.5"
        pt="2"
        mt="auto"
        minH="11"
        borderTopWidth="1px"
        borderColor="border.subtle"
        fontSize="13px"
        lineHeight="18px"
      >
        <Box minW="0" overflowWrap="anywhere">
          <Slots row={row} /> · <RowSentence row={row} />
        </Box>
        <NeedAction row={row} />
      </Flex>
    </>
  );
}

/** What only its owner, or the exchange, can end does not look like a bot that waits for its price. */
export const waitingColour = ({ code }: NonNullable<Evaluation['waitsFor']>): string =>
  code === 'user' || code === 'pair-read' ? 'danger.fg' : code === 'refused' ? 'secondary.fg' : 'brand.fg';

/** What a coin waits for, in words. */
export const Waiting = ({ symbol, waitsFor }: { symbol: string; waitsFor: NonNullable<Evaluation['waitsFor']> }) =>
  useWaiting(symbol)(waitsFor);

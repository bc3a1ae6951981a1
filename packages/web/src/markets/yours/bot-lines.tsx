import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import type { HeldPositionRow } from '@pilotfish/core/positions/held-positions-contract';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { useTranslation } from 'react-i18next';
import { BotMode, useWaiting } from '../../auto-trades/bot-marks.tsx';
import { choiceOf, pathOf } from '../../auto-trades/detail/cockpit/chosen-coin.ts';
import { RowSentence, RowState } from '../../auto-trades/list/bot-cells.tsx';
import { useBotsList } from '../../auto-trades/list/use-bots-list.ts';
import { useCalmPrice } from '../../prices/use-prices.ts';
import { TextLink } from '../../ui/controls.tsx';
import { BotState } from '../../ui/kit/bot-state.tsx';
import { Distance } from '../../ui/kit/price.tsx';
import { botsOfPair, type PairBot } from './pair-bots.ts';
import { Line, LineLink, Part, SIDES } from './parts.tsx';

/** Of more, the first ones and the way to all. */
const MOST = 4;

/** The bots that trade the pair, with their state and what each waits for there. */
export function BotLines({
  pair,
  live,
  paper,
}: {
  pair: Pair;
  live: readonly HeldPositionRow[] | undefined;
  paper: readonly HeldPositionRow[] | undefined;
}) {
  const { t } = useTranslation();
  const { bots, rows } = useBotsList();
  const price = useCalmPrice(pair.symbol);
  const own = botsOfPair(rows ?? [], pair.symbol, [...(live ?? []), ...(paper ?? [])], price);
  return (
    <Part query={{ ...bots, data: rows }} rows={2}>
      {own.length === 0 ? (
        <Flex {...SIDES} py="2.5" gap="2" wrap="wrap" borderTopWidth="1px" borderColor="border.subtle" fontSize="13px">
          <Text color="fg.muted">{t('markets.yours.noBot')}</Text>
          <TextLink to={`/auto-trade/create?symbol=${pair.symbol}`}>{t('markets.yours.createBot')}</TextLink>
        </Flex>
      ) : (
        <Box as="ul" listStyleType="none">
          {own.slice(0, MOST).map((each) => (
            <BotLine key={each.row.bot.id} bot={each} symbol={pair.symbol} />
          ))}
          {own.length > MOST && (
            <Line>
              <LineLink to="/auto-trade">{t('markets.yours.allBots', { count: own.length })}</LineLink>
            </Line>
          )}
        </Box>
      )}
    </Part>
  );
}

function BotLine({ bot: { row, holds, next }, symbol }: { bot: PairBot; symbol: string }) {
  const { t } = useTranslation();
  const waiting = useWaiting(symbol);
  const { bot, need } = row;
  const isAtWork = bot.state === 'Running' && need === undefined && bot.exits !== 'freeze';
  return (
    <Line>
      <LineLink to={pathOf(bot.id, choiceOf(symbol))}>
        <Flex align="center" justify="space-between" gap="2">
          <Flex align="center" gap="1.5" minW="0">
            <Text as="span" fontWeight="600" truncate title={bot.name}>
              {bot.name}
            </Text>
            {bot.mode === 'paper' && <BotMode mode="paper" />}
          </Flex>
          {isAtWork && holds ? <BotState shape="running">{t('markets.yours.holding')}</BotState> : <RowState row={row} />}
        </Flex>
        <chakra.span fontSize="12px" lineHeight="16px" color="fg.muted" overflowWrap="anywhere">
          {next && bot.stateReason === null && need === undefined ? (
            <>
              {waiting(next.waitsFor)}
              {next.distancePct !== null && (
                <>
                  {' · '}
                  <Distance value={next.distancePct} reason="" />
                </>
              )}
            </>
          ) : (
            <RowSentence row={row} />
          )}
        </chakra.span>
      </LineLink>
    </Line>
  );
}

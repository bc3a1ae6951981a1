import { Box, chakra, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import type { AutoTradeDetail, Evaluation } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge, Panel } from '../../ui/controls.tsx';
import { Button } from '../../ui/primitives.tsx';
import { EmptyState } from '../../ui/state-panels.tsx';
import { useStayingChoice } from '../../ui/use-staying-choice.ts';
import { CoinHaltDialog } from '../coin-halts.tsx';
import { Waiting, waitingColour } from '../list/bot-card.tsx';
import { EnterCoin } from './enter-coin.tsx';
import { isEntering, RuleList } from './rule-list.tsx';

/** With more coins than this one is chosen from a list. */
const CARDS = 4;

/** Why a coin is, or is not, traded: every rule of its last evaluation in the order it was judged. */
export function WhyPanel({ bot }: { bot: AutoTradeDetail }) {
  const { t } = useTranslation();
  const [chosen, choose] = useStayingChoice(bot.evaluations[0]?.symbol);
  if (bot.evaluations.length === 0)
    return (
      <Panel>
        <EmptyState icon="info" title={t('autoTrades.why.none')}>
          {t('autoTrades.why.noneLead')}
        </EmptyState>
      </Panel>
    );
  if (bot.evaluations.length <= CARDS)
    return (
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' }} gap="5" alignItems="start">
        {bot.evaluations.map((evaluation) => (
          <CoinEvaluation key={evaluation.symbol} bot={bot} evaluation={evaluation} />
        ))}
      </Grid>
    );
  const shown = bot.evaluations.find(({ symbol }) => symbol === chosen);
  return (
    <Grid templateColumns={{ base: 'minmax(0, 1fr)', lg: '320px minmax(0, 1fr)' }} gap="5" alignItems="start">
      <Panel p="2">
        <Flex as="ul" direction="column" gap="1" listStyleType="none" maxH={{ base: '260px', lg: '640px' }} overflowY="auto">
          {bot.evaluations.map((each) => (
            <li key={each.symbol}>
              <chakra.button
                type="button"
                w="100%"
                px="3"
                py="2"
                textAlign="start"
                borderRadius="control"
                cursor="pointer"
                aria-pressed={each.symbol === chosen}
                bg={each.symbol === chosen ? 'brand.subtle' : 'transparent'}
                _hover={{ bg: each.symbol === chosen ? 'brand.subtle' : 'bg.raised' }}
                onClick={() => choose(each.symbol)}
              >
                <Text fontWeight="600" lang="en" translate="no">
                  {each.symbol}
                </Text>
                <Text fontSize="13px" color="fg.muted">
                  {isEntering(each)
                    ? each.stoppedBy
                      ? t('autoTrades.why.stoppedBy', { rule: t(`why.${each.stoppedBy}`, { defaultValue: each.stoppedBy }) })
                      : t('autoTrades.why.nothingStops')
                    : t(`positionStates.${each.state}`)}
                </Text>
              </chakra.button>
            </li>
          ))}
        </Flex>
      </Panel>
      {shown && <CoinEvaluation key={shown.symbol} bot={bot} evaluation={shown} />}
    </Grid>
  );
}

function CoinEvaluation({ bot, evaluation }: { bot: AutoTradeDetail; evaluation: Evaluation }) {
  const { t } = useTranslation();
  const [halting, setHalting] = useState(false);
  const entering = isEntering(evaluation);
  const { waitsFor } = evaluation;
  const atWork = !bot.unreadPair && (bot.state === 'Running' || bot.state === 'Paused' || bot.state === 'Blocked');
  return (
    <Panel>
      <Flex justify="space-between" gap="3" mb="2" wrap="wrap" align="center">
        <Flex gap="2" align="center">
          <Heading as="h2" fontSize="16px" fontWeight="600" lang="en" translate="no">
            {evaluation.symbol}
          </Heading>
          <Badge tone={entering ? 'neutral' : evaluation.state === 'NeedsAttention' ? 'danger' : 'brand'}>
            {t(`positionStates.${evaluation.state}`)}
          </Badge>
        </Flex>
        <Flex gap="2" wrap="wrap">
          {entering && atWork && <EnterCoin bot={bot} symbol={evaluation.symbol} />}
          <Button
            size="xs"
            variant="outline"
            color="fg"
            aria-label={t('autoTrades.coinHalt.haltOf', { symbol: evaluation.symbol })}
            onClick={() => setHalting(true)}
          >
            {t('autoTrades.coinHalt.short')}
          </Button>
        </Flex>
      </Flex>
      {waitsFor && (
        <Text fontWeight="600" color={waitingColour(waitsFor)}>
          <Waiting symbol={evaluation.symbol} waitsFor={waitsFor} />
        </Text>
      )}
      <RuleList evaluation={evaluation} currency={bot.currency} />
      <Box>
        <CoinHaltDialog open={halting} bot={bot} symbol={evaluation.symbol} onClose={() => setHalting(false)} />
      </Box>
    </Panel>
  );
}

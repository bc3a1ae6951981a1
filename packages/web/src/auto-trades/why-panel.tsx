import { Box, chakra, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import type { AutoTradeDetail, Evaluation } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { isDecimalText } from '@pilotfish/core/money/decimal';
import { formatQuantity } from '@pilotfish/core/money/format';
import { useTranslation } from 'react-i18next';
import { Badge, Panel } from '../ui/controls.tsx';
import { Icon } from '../ui/icons.tsx';
import { EmptyState } from '../ui/state-panels.tsx';

/** Why a coin is, or is not, traded: every rule of its last evaluation in the order it was judged. */
export function WhyPanel({ bot }: { bot: AutoTradeDetail }) {
  const { t } = useTranslation();
  if (bot.evaluations.length === 0)
    return (
      <Panel>
        <EmptyState icon="info" title={t('autoTrades.why.none')}>
          {t('autoTrades.why.noneLead')}
        </EmptyState>
      </Panel>
    );
  return (
    <Grid templateColumns={{ base: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' }} gap="5" alignItems="start">
      {bot.evaluations.map((evaluation) => (
        <CoinEvaluation key={evaluation.symbol} evaluation={evaluation} />
      ))}
    </Grid>
  );
}

const ENTERING = new Set(['Watching', 'TrailingEntry']);

function CoinEvaluation({ evaluation }: { evaluation: Evaluation }) {
  const { t, i18n } = useTranslation();
  const entering = ENTERING.has(evaluation.state);
  const value = (text: string | null) =>
    text === null
      ? null
      : isDecimalText(text)
        ? formatQuantity(text)
        : /^\d{4}-\d\d-\d\dT/.test(text)
          ? new Date(text).toLocaleTimeString(i18n.language)
          : text;
  const { waitsFor } = evaluation;
  return (
    <Panel>
      <Flex justify="space-between" gap="3" mb="1" wrap="wrap">
        <Heading as="h2" fontSize="16px" fontWeight="600" lang="en" translate="no">
          {evaluation.symbol}
        </Heading>
        <Badge tone={entering ? 'neutral' : 'brand'}>{t(`positionStates.${evaluation.state}`)}</Badge>
      </Flex>
      <Text fontSize="13px" color="fg.muted">
        {evaluation.at
          ? t('autoTrades.why.at', {
              time: new Date(evaluation.at).toLocaleTimeString(i18n.language),
              price: evaluation.price ? formatQuantity(evaluation.price) : '–',
            })
          : t('why.no-data')}
      </Text>
      {waitsFor && (
        <Text mt="2" fontWeight="600" color="brand.fg">
          {t(`waitsFor.${waitsFor.code}`, {
            price: waitsFor.price ? formatQuantity(waitsFor.price) : '–',
            at: waitsFor.at ? new Date(waitsFor.at).toLocaleTimeString(i18n.language) : '–',
          })}
        </Text>
      )}
      <Flex as="ul" direction="column" listStyleType="none" mt="3">
        {evaluation.rules.map((rule) => {
          const stops = entering && rule.rule === evaluation.stoppedBy;
          return (
            <chakra.li
              key={rule.rule}
              display="flex"
              gap="3"
              py="2"
              px="2"
              mx="-2"
              borderTopWidth="1px"
              borderColor="border.subtle"
              bg={stops ? 'secondary.muted' : undefined}
              borderRadius={stops ? 'control' : undefined}
            >
              <Box color={rule.pass ? 'brand.fg' : stops ? 'secondary.fg' : 'fg.muted'} flexShrink="0" pt="1px">
                <Icon name={rule.pass ? 'check' : entering ? 'cross' : 'info'} size={18} />
              </Box>
              <Box flex="1" minW="0">
                <Text>
                  {t(`why.${rule.rule}`, { defaultValue: rule.rule })}
                  <span className="visually-hidden">: {t(rule.pass ? 'ui.yes' : 'ui.no')}</span>
                </Text>
                {!entering && !rule.pass && (
                  <Text fontSize="13px" color="fg.muted">
                    {t('autoTrades.why.notYet')}
                  </Text>
                )}
                {stops && (
                  <Text fontSize="13px" fontWeight="600">
                    {t('autoTrades.why.stops')}
                  </Text>
                )}
              </Box>
              <Text className="figure" fontSize="13px" color="fg.muted">
                {rule.observed !== null && value(rule.observed)}
                {rule.limit !== null && rule.observed !== null && ' / '}
                {rule.limit !== null && value(rule.limit)}
              </Text>
            </chakra.li>
          );
        })}
      </Flex>
    </Panel>
  );
}

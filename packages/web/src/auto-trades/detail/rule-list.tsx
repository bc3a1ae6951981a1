import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import type { Evaluation } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { ruleFigures } from '@pilotfish/core/auto-trades/rule-figures';
import { isDecimalText } from '@pilotfish/core/money/decimal';
import { formatPrice, formatQuantity, UNKNOWN } from '@pilotfish/core/money/format';
import { useTranslation } from 'react-i18next';
import { usePairs } from '../../prices/use-prices.ts';
import { Icon } from '../../ui/icons.tsx';
import { useMoment } from '../../ui/use-moment.ts';
import { shownName } from './chart-layout.ts';

const ENTERING: ReadonlySet<string> = new Set(['Watching', 'TrailingEntry']);
export const isEntering = ({ state }: Pick<Evaluation, 'state'>): boolean => ENTERING.has(state);

/** The checklist of one coin: each rule with what was seen and what it must be, and the first that stopped it. */
export function RuleList({ evaluation, currency }: { evaluation: Evaluation; currency: string }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const entering = isEntering(evaluation);
  const pricePrecision = usePairs()?.get(evaluation.symbol)?.pricePrecision;
  const value = (text: string, detail: string | undefined): string => {
    if (isDecimalText(text)) return formatQuantity(text);
    if (/^\d{4}-\d\d-\d\dT/.test(text)) return moment(text);
    const keys = [`botReasons.${text}`, `stopReasons.${text}`, `errors.${text}.title`, `botStates.${shownName(text)}`];
    return t(keys, { detail, defaultValue: text });
  };
  /** What was seen and what it must be; yes and no need no second telling beside the tick, nor does a wait that is over. */
  const figures = (each: Evaluation['rules'][number]): string => {
    const { rule, pass, observed, limit, detail } = each;
    if (rule === 'cooldown-over' && pass) return '';
    const seen = [observed, limit].filter((text) => text !== null && text !== 'true' && text !== 'false' && text !== 'running');
    // Two numbers are compared; of words and moments each says something of its own.
    return ruleFigures(each, { currency, pricePrecision }) ?? seen.map((text) => value(text ?? '', detail)).join(' · ');
  };
  return (
    <>
      <Text fontSize="13px" color="fg.muted">
        {evaluation.at
          ? t('autoTrades.why.at', {
              time: moment(evaluation.at, 'second'),
              price: evaluation.price ? formatPrice(evaluation.price, pricePrecision) : UNKNOWN,
            })
          : t('why.no-data')}
      </Text>
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
              {/* Side by side while there is room, one below the other where there is none. */}
              <Flex flex="1" minW="0" wrap="wrap" columnGap="3" justify="space-between">
                <Box minW="0">
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
                {/* What an exchange says is longer than a line of a phone. */}
                <Text
                  className="figure"
                  fontSize="13px"
                  minW="0"
                  textAlign="start"
                  whiteSpace="normal"
                  overflowWrap="anywhere"
                  color={stops ? 'fg' : 'fg.muted'}
                >
                  {figures(rule)}
                </Text>
              </Flex>
            </chakra.li>
          );
        })}
      </Flex>
    </>
  );
}

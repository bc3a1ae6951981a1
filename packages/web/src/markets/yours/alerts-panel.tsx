import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import type { Price } from '@pilotfish/core/money/figure';
import type { PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { useTranslation } from 'react-i18next';
import { NotPermitted } from '../../platform/use-trading.tsx';
import { isActive, liveDistance } from '../../price-alerts/alert-distance.ts';
import { AlertLineField } from '../../price-alerts/alert-line-field.tsx';
import { useAlertEditor } from '../../price-alerts/use-alert-editor.ts';
import { useAlertWords, usePriceAlerts } from '../../price-alerts/use-price-alerts.ts';
import { useCalmPrice } from '../../prices/use-prices.ts';
import { Distance } from '../../ui/kit/price.tsx';
import { TitledPanel } from '../../ui/kit/titled-panel.tsx';
import { Line, LineLink, Part, SIDES } from './parts.tsx';
import { roundAbove } from './round-above.ts';

const MOST = 5;
const NOTHING_TYPED = { line: '' };

/** One line that becomes an alert of the pair, and the alerts that wait there, nearest first. */
export function AlertsPanel({ pair }: { pair: Pair }) {
  const { t } = useTranslation();
  const alerts = usePriceAlerts();
  const price = useCalmPrice(pair.symbol);
  const own = nearestFirst(alerts.data ?? [], pair.symbol, price);
  return (
    <TitledPanel title={t('markets.yours.alerts')} count={own.length > 0 ? own.length : undefined} flush>
      <Box {...SIDES} pb="3">
        <NotPermitted permission="price-alerts" />
        <NewAlert key={pair.symbol} pair={pair} price={price} />
      </Box>
      <Part query={alerts} rows={2}>
        {own.length > 0 && (
          <Box as="ul" listStyleType="none">
            {own.slice(0, MOST).map(({ alert, distance }) => (
              <AlertLine key={alert.id} alert={alert} distance={distance} pair={pair} />
            ))}
            {own.length > MOST && (
              <Line>
                <LineLink to={`/price-alerts?pair=${pair.symbol}`}>{t('markets.yours.allAlerts', { count: own.length })}</LineLink>
              </Line>
            )}
          </Box>
        )}
      </Part>
    </TitledPanel>
  );
}

/** The alerts of a pair that still wait, by how far the newest price is from each; those without a level come last. */
function nearestFirst(alerts: readonly PriceAlert[], symbol: string, price: Price | undefined) {
  const far = (distance: PriceAlert['distancePct']) => (distance === null ? Number.POSITIVE_INFINITY : Math.abs(Number(distance)));
  return alerts
    .filter((alert) => alert.symbol === symbol && isActive(alert))
    .map((alert) => ({ alert, distance: liveDistance(alert, price) }))
    .sort((one, other) => far(one.distance) - far(other.distance) || (one.alert.id < other.alert.id ? 1 : -1));
}

function NewAlert({ pair, price }: { pair: Pair; price: Price | undefined }) {
  const { t, i18n } = useTranslation();
  const editor = useAlertEditor(NOTHING_TYPED, undefined, () => undefined, pair.symbol);
  return (
    <>
      <AlertLineField
        editor={editor}
        submit={t('markets.yours.add')}
        example={price === undefined ? '> 100' : `> ${roundAbove(price, i18n.language === 'tr' ? 'tr' : 'en')}`}
      />
      {editor.problem && (
        <Text role="alert" mt="1" fontSize="12px" color="danger.fg">
          {editor.problem.detail ?? editor.problem.title}
        </Text>
      )}
    </>
  );
}

function AlertLine({ alert, distance, pair }: { alert: PriceAlert; distance: PriceAlert['distancePct']; pair: Pair }) {
  const say = useAlertWords();
  return (
    <Line>
      <LineLink to={`/price-alerts?pair=${pair.symbol}`}>
        <Flex justify="space-between" gap="3" align="baseline">
          <Text as="span" minW="0" overflowWrap="anywhere">
            {say({ symbol: pair.baseAsset, condition: alert.condition })}
          </Text>
          {distance !== null && (
            <chakra.span color="fg.muted" flexShrink="0">
              <Distance value={distance} reason="" />
            </chakra.span>
          )}
        </Flex>
      </LineLink>
    </Line>
  );
}

import { Box, Flex, Text } from '@chakra-ui/react';
import { formatPrice } from '@pilotfish/core/money/format';
import { alertAction, type PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { formatDuration } from '@pilotfish/core/time/duration';
import { useTranslation } from 'react-i18next';
import { useApp } from '../platform/app-context.tsx';
import { useRefusal } from '../platform/use-trading.tsx';
import { useTicker } from '../prices/use-prices.ts';
import { Badge, IconButton } from '../ui/controls.tsx';
import { said } from '../ui/dialogs/use-confirming.ts';
import { Distance } from '../ui/kit/price.tsx';
import { Button } from '../ui/primitives.tsx';
import { useMoment } from '../ui/use-moment.ts';
import { isActive, liveDistance, nearness } from './alert-distance.ts';
import { useAlertActions, useAlertWords } from './use-price-alerts.ts';

const TONES = { Armed: 'brand', Warming: 'neutral', Fired: 'secondary', Cooldown: 'secondary', Failed: 'danger' } as const;

/** One alert: what it waits for, how it stands, how far it is, and what can be done with it. */
export function AlertRow({
  alert,
  pair,
  names,
  onEdit,
  onSnooze,
  onDelete,
}: {
  alert: PriceAlert;
  pair: Pair | undefined;
  /** Names of filters and bots by their ids. */
  names: ReadonlyMap<string, string>;
  onEdit: () => void;
  onSnooze: () => void;
  onDelete: () => void;
}) {
  const { t, i18n } = useTranslation();
  const say = useAlertWords();
  const moment = useMoment();
  const actions = useAlertActions();
  const refusal = useRefusal('price-alerts');
  const { now } = useApp().browser;
  const about = names.get(alert.coinFilterId ?? alert.autoTradeId ?? '');
  const words = `${about === undefined ? '' : `${about}: `}${say(alert)}`;
  const isSnoozed = alert.snoozedUntil !== null && Date.parse(alert.snoozedUntil) > now();
  const isOver = alert.state === 'Expired' || alert.state === 'Disabled' || alert.state === 'Failed';
  // One button for its rest: what rests is woken first.
  const offered = alertAction.options.filter(
    (action) => alert.allowed.includes(action) && !(action === 'snooze' && alert.allowed.includes('wake')),
  );
  const rest = formatDuration(alert.cooldownMin * 60_000, i18n.language, 4);
  const facts = [
    isSnoozed && t('alerts.page.snoozedUntil', { until: moment(alert.snoozedUntil!) }),
    alert.cooldownUntil && t('alerts.page.restsUntil', { until: moment(alert.cooldownUntil) }),
    alert.repeat === 'every'
      ? t('alerts.page.every', { time: rest })
      : alert.repeat === 'untilAcknowledged' && t('alerts.page.untilAcknowledged', { time: rest }),
    alert.quietHours && t('alerts.page.hasQuiet'),
    alert.priceSource === 'mark-mid' && t('alerts.source.mark-mid'),
    alert.channels.length > 1 &&
      alert.channels
        .filter((channel) => channel !== 'app')
        .map((channel) => t(`notifications.channels.${channel}`))
        .join(', '),
    alert.expiresAt === null
      ? t('alerts.page.neverExpires')
      : t(alert.state === 'Expired' ? 'alerts.page.expired' : 'alerts.page.expires', { at: moment(alert.expiresAt) }),
    alert.firedCount > 0 &&
      t('alerts.page.firedTimes', { count: alert.firedCount, at: alert.lastFiredAt ? moment(alert.lastFiredAt) : '' }),
  ].filter((each): each is string => typeof each === 'string' && each !== '');
  return (
    <Flex
      as="li"
      direction={{ base: 'column', md: 'row' }}
      gap={{ base: 3, md: 5 }}
      py="3"
      borderTopWidth="1px"
      borderColor="border.subtle"
      align={{ base: 'stretch', md: 'center' }}
      aria-label={words}
    >
      <Box flex="1" minW="0">
        <Flex gap="2" align="center" wrap="wrap">
          <Text fontWeight="600" overflowWrap="anywhere" color={isOver ? 'fg.muted' : 'fg'}>
            {words}
          </Text>
          <Badge tone={isSnoozed && !isOver ? 'neutral' : (TONES[alert.state as keyof typeof TONES] ?? 'neutral')}>
            {isSnoozed && !isOver ? t('alerts.page.asleep') : t(`alerts.state.${alert.state}`)}
          </Badge>
        </Flex>
        {alert.reason !== null && (
          <Text fontSize="13px" color={alert.state === 'Failed' ? 'danger.fg' : 'fg.muted'}>
            {t(`alerts.reason.${alert.reason}`, { defaultValue: alert.reason })}
          </Text>
        )}
        <Text fontSize="13px" color="fg.muted" overflowWrap="anywhere">
          {facts.join(' · ')}
        </Text>
        {alert.note !== '' && (
          <Text fontSize="13px" overflowWrap="anywhere">
            “{alert.note}”
          </Text>
        )}
      </Box>
      {alert.distancePct !== null && isActive(alert) && <AlertDistance alert={alert} pair={pair} />}
      <Flex gap="1" wrap="wrap" flexShrink="0">
        {offered.map((action) => (
          <Button
            key={action}
            size="xs"
            {...(action === 'acknowledge' ? { colorPalette: 'brand' } : { variant: 'outline', color: 'fg' })}
            {...(action === 'enable' ? refusal : {})}
            onClick={() => (action === 'snooze' ? onSnooze() : said(actions[action](alert)))}
          >
            {t(`alerts.page.${action === 'enable' && !isOver ? 'rearm' : action}`)}
          </Button>
        ))}
        <Button size="xs" variant="outline" color="fg" onClick={onEdit}>
          {t('alerts.page.edit')}
        </Button>
        <IconButton icon="trash" size="xs" w="8" label={t('alerts.page.deleteNamed', { alert: words })} onClick={onDelete} />
      </Flex>
    </Flex>
  );
}

/** How far the price is from firing, as a figure and a bar that fills as it comes near. */
function AlertDistance({ alert, pair }: { alert: PriceAlert; pair: Pair | undefined }) {
  const { t } = useTranslation();
  const ticker = useTicker(alert.symbol ?? '');
  const distance = liveDistance(alert, ticker?.price) ?? '0';
  return (
    <Box w={{ base: '100%', md: '150px' }} flexShrink="0">
      <Flex justify="space-between" fontSize="13px" css={{ fontVariantNumeric: 'tabular-nums' }}>
        <Text as="span" color="fg.muted">
          {t('alerts.page.away')}
        </Text>
        <Text as="span" fontWeight="600">
          <Distance value={distance} reason="" />
        </Text>
      </Flex>
      <Box h="6px" mt="1" borderRadius="full" bg="bg.raised" overflow="hidden" aria-hidden="true">
        <Box h="100%" borderRadius="full" bg="fg.subtle" style={{ width: `${nearness(distance)}%` }} />
      </Box>
      {alert.anchor !== null && (
        <Text fontSize="12px" color="fg.muted" mt="1">
          {t('alerts.page.anchor', { price: formatPrice(alert.anchor, pair?.pricePrecision) })}
        </Text>
      )}
    </Box>
  );
}

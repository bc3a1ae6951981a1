import { Flex, Heading, Text } from '@chakra-ui/react';
import { formatPrice, UNKNOWN } from '@pilotfish/core/money/format';
import type { PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAutoTrades } from '../auto-trades/use-auto-trades.ts';
import { useCoinFilters } from '../coin-filters/use-coin-filters.ts';
import { usePairs, useTicker } from '../prices/use-prices.ts';
import { CoinIcon } from '../ui/coin-icon.tsx';
import { Panel, TextLink } from '../ui/controls.tsx';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';
import { ResultPercent } from '../ui/kit/result.tsx';
import { type AlertGroup, groupAlerts } from './alert-distance.ts';
import { AlertRow } from './alert-row.tsx';
import { SnoozeDialog } from './snooze-dialog.tsx';
import { useAlertActions, useAlertWords } from './use-price-alerts.ts';

/** Alerts by pair, nearest to firing first. */
export function AlertList({ alerts, onEdit }: { alerts: readonly PriceAlert[]; onEdit: (alert: PriceAlert) => void }) {
  const { t } = useTranslation();
  const pairs = usePairs();
  const say = useAlertWords();
  const actions = useAlertActions();
  const filters = useCoinFilters();
  const bots = useAutoTrades();
  const [snoozing, setSnoozing] = useState<PriceAlert>();
  const [deleting, setDeleting] = useState<PriceAlert>();
  const names = useMemo(
    () => new Map([...(filters.data ?? []), ...(bots.data ?? [])].map(({ id, name }) => [id, name])),
    [filters.data, bots.data],
  );
  const groups = useMemo(() => groupAlerts(alerts), [alerts]);
  return (
    <Flex direction="column" gap="4">
      {groups.map((group) => (
        <Group key={group.key} group={group} pair={pairs?.get(group.key)}>
          {group.alerts.map((alert) => (
            <AlertRow
              key={alert.id}
              alert={alert}
              pair={pairs?.get(group.key)}
              names={names}
              onEdit={() => onEdit(alert)}
              onSnooze={() => setSnoozing(alert)}
              onDelete={() => setDeleting(alert)}
            />
          ))}
        </Group>
      ))}
      <SnoozeDialog alert={snoozing} onClose={() => setSnoozing(undefined)} />
      <ConfirmDialog
        open={deleting !== undefined}
        title={t('alerts.page.deleteTitle')}
        confirm={t('alerts.page.delete')}
        danger
        onConfirm={async () => deleting && actions.remove(deleting)}
        onClose={() => setDeleting(undefined)}
      >
        {deleting && (
          <>
            <Text>{say(deleting)}</Text>
            <Text>{t('alerts.page.deleteLead')}</Text>
          </>
        )}
      </ConfirmDialog>
    </Flex>
  );
}

function Group({ group: { key, symbol }, pair, children }: { group: AlertGroup; pair: Pair | undefined; children: React.ReactNode }) {
  const { t } = useTranslation();
  return (
    <Panel py="4">
      <Flex justify="space-between" align="baseline" gap="3" wrap="wrap" mb="1">
        <Heading as="h2" textStyle="title" {...(symbol ? { lang: 'en', translate: 'no' as const } : {})}>
          {symbol ? (
            <TextLink to={`/prices?pair=${symbol}`} color="fg" textDecoration="none" _hover={{ textDecoration: 'underline' }}>
              {pair && <CoinIcon code={pair.baseAsset} />}
              {pair ? `${pair.baseAsset} / ${pair.quoteAsset}` : symbol}
            </TextLink>
          ) : (
            t(`alerts.group.${key}`)
          )}
        </Heading>
        {symbol && <LivePrice symbol={symbol} pair={pair} />}
      </Flex>
      <Flex as="ul" direction="column" listStyleType="none">
        {children}
      </Flex>
    </Panel>
  );
}

const LivePrice = ({ symbol, pair }: { symbol: string; pair: Pair | undefined }) => {
  const ticker = useTicker(symbol);
  return (
    <Flex gap="3" align="baseline" css={{ fontVariantNumeric: 'tabular-nums' }}>
      <Text fontWeight="600">{ticker ? formatPrice(ticker.price, pair?.pricePrecision) : UNKNOWN}</Text>
      <Text fontSize="13px">{ticker && <ResultPercent value={ticker.changePct} reason="" />}</Text>
    </Flex>
  );
};

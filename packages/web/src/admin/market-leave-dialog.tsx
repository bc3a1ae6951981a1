import { Text } from '@chakra-ui/react';
import { type MarketChoice, marketToRest } from '@pilotfish/core/admin/market-choice-contract';
import type { MarketSource } from '@pilotfish/core/prices/prices-contract';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';

/** Names what a change leaves without anybody to follow it; *Cancel* has the focus. */
export function LeaveMarketDialog({
  choice,
  wanted,
  onConfirm,
  onClose,
}: {
  choice: MarketChoice;
  wanted: MarketSource | undefined;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const rest = wanted && marketToRest(choice, wanted);
  const present = t(`exchange.${choice.market}.name`);
  return (
    <ConfirmDialog
      open={wanted !== undefined}
      title={t('marketChoice.leave.title', { market: present })}
      confirm={t('marketChoice.leave.confirm')}
      danger
      onConfirm={async () => onConfirm()}
      onClose={onClose}
    >
      {rest && rest.runningBots > 0 && <Text>{t('marketChoice.leave.bots', { count: rest.runningBots, market: present })}</Text>}
      {rest && rest.liveOpenPositions > 0 && <Text>{t('marketChoice.leave.positions', { count: rest.liveOpenPositions })}</Text>}
      <Text>{t('marketChoice.leave.orders')}</Text>
    </ConfirmDialog>
  );
}

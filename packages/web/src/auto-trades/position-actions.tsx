import { Flex, Text } from '@chakra-ui/react';
import type { AutoTradeDetail, AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { formatQuantity } from '@pilotfish/core/money/format';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePairs } from '../prices/use-prices.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Button } from '../ui/primitives.tsx';
import { PositionTarget } from './position-target.tsx';
import { useBotChange } from './use-auto-trades.ts';

type Action = 'sell' | 'detach' | 'resume';

/** What may be done by hand with a position in its state; money that is on its way is waited for. */
export function positionActions({ state, quantity }: Pick<AutoTradePosition, 'state' | 'quantity'>): readonly Action[] {
  const holds = /[1-9]/.test(quantity);
  if (state === 'NeedsAttention') return ['resume', 'detach'];
  if (!holds || state === 'Closed' || state === 'Detached') return [];
  return ['sell', 'detach'];
}

export function PositionActions({ bot, position }: { bot: AutoTradeDetail; position: AutoTradePosition }) {
  const { t } = useTranslation();
  const pair = usePairs()?.get(position.symbol);
  const { change, running } = useBotChange();
  const [asking, setAsking] = useState<Action>();
  const actions = positionActions(position);
  if (actions.length === 0) return null;
  const params = { id: bot.id, positionId: position.id };
  const run = (action: Action) =>
    change(
      (client) => {
        switch (action) {
          case 'sell':
            return client.sellAutoTradePosition({ params }, { idempotencyKey: crypto.randomUUID() });
          case 'detach':
            return client.detachAutoTradePosition({ params });
          case 'resume':
            return client.resumeAutoTradePosition({ params });
        }
      },
      t(`autoTrades.byHand.done.${action}`, { symbol: position.symbol }),
      bot.id,
    );
  const values = { symbol: position.symbol, quantity: formatQuantity(position.quantity), name: bot.name };
  return (
    <Flex gap="3" mt="4" pt="4" borderTopWidth="1px" borderColor="border.subtle" justify="space-between" align="flex-end" wrap="wrap">
      {actions.includes('sell') ? <PositionTarget botId={bot.id} position={position} pair={pair} /> : <span />}
      <Flex gap="2" wrap="wrap">
        {actions.map((action) => (
          <Button
            key={action}
            size="sm"
            variant={action === 'resume' ? 'solid' : 'outline'}
            colorPalette={action === 'sell' ? 'danger' : 'brand'}
            color={action === 'resume' ? undefined : action === 'sell' ? 'danger.fg' : 'fg'}
            disabled={running}
            onClick={() => setAsking(action)}
          >
            {t(`autoTrades.byHand.action.${action}`)}
          </Button>
        ))}
      </Flex>
      <ConfirmDialog
        open={asking !== undefined}
        title={asking ? t(`autoTrades.byHand.ask.${asking}.title`, values) : ''}
        confirm={asking ? t(`autoTrades.byHand.action.${asking}`) : ''}
        danger={asking === 'sell'}
        onConfirm={() => asking && void run(asking)}
        onClose={() => setAsking(undefined)}
      >
        <Text>{asking ? t(`autoTrades.byHand.ask.${asking}.what`, values) : ''}</Text>
      </ConfirmDialog>
    </Flex>
  );
}

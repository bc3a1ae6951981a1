import { Flex, Text } from '@chakra-ui/react';
import {
  type AutoTradeDetail,
  type AutoTradePosition,
  type BotPositionAction,
  botPositionAction,
} from '@pilotfish/core/auto-trades/auto-trades-contract';
import { isTraded } from '@pilotfish/core/auto-trades/held-positions';
import { saleWords } from '@pilotfish/core/auto-trades/sale-outlook';
import { shownProblem } from '@pilotfish/core/http/problem';
import { formatQuantity } from '@pilotfish/core/money/format';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOnce } from '../../platform/use-once.ts';
import { WhyDisabled } from '../../platform/use-trading.tsx';
import { usePairs, useTicker } from '../../prices/use-prices.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Button } from '../../ui/primitives.tsx';
import { problemText } from '../../ui/toasts.ts';
import { useBotChange } from '../use-auto-trades.ts';
import { PositionCarryOver } from './position-carry-over.tsx';
import { PositionTarget } from './position-target.tsx';

/** What is asked by a word; the others have a form. */
type Action = Exclude<BotPositionAction, 'target' | 'levels' | 'carryOver'>;
const isButton = (action: BotPositionAction): action is Action => action !== 'target' && action !== 'levels' && action !== 'carryOver';

/** What its buttons offer, those that the keys withhold among them. */
const offeredBy = ({ allowed, withheld }: AutoTradePosition): Action[] =>
  botPositionAction.options
    .filter(isButton)
    .filter((action) => allowed.includes(action) || withheld.some((each) => each.action === action));

/** All that may be asked of a position: its own exit price, and buttons with their dialogs. @param without what stands elsewhere */
export function PositionActions({
  bot,
  position,
  without = [],
  isInPanel = false,
}: {
  bot: AutoTradeDetail;
  position: AutoTradePosition;
  without?: readonly (Action | 'carryOver')[];
  /** There is room for the buttons alone. */
  isInPanel?: boolean;
}) {
  const pair = usePairs()?.get(position.symbol);
  const { allowed, withheld } = position;
  if (allowed.length + withheld.length === 0) return null;
  return (
    <Flex gap="3" flex="1" justify="space-between" align="center" wrap="wrap">
      {allowed.includes('target') ? <PositionTarget botId={bot.id} position={position} pair={pair} isBare={isInPanel} /> : <span />}
      <Flex gap="2" wrap="wrap">
        {allowed.includes('carryOver') && !without.includes('carryOver') && <PositionCarryOver bot={bot} position={position} pair={pair} />}
        <PositionButtons bot={bot} position={position} without={without} />
      </Flex>
    </Flex>
  );
}

/** The buttons of a position with their dialogs. @param only this one, by another name: `Sell BTC` */
export function PositionButtons({
  bot,
  position,
  without = [],
  only,
}: {
  bot: AutoTradeDetail;
  position: AutoTradePosition;
  without?: readonly (Action | 'carryOver')[];
  only?: { readonly action: Action; readonly label?: string };
}) {
  const { t } = useTranslation();
  const pair = usePairs()?.get(position.symbol);
  const { change, running } = useBotChange();
  const once = useOnce();
  const [asking, setAsking] = useState<Action>();
  const [due, setDue] = useState<string>();
  const ticker = useTicker(position.symbol);
  const whyId = useId();
  const { withheld } = position;
  const isWithheld = (action: Action) => withheld.some((each) => each.action === action);
  const actions = offeredBy(position).filter((action) => (only ? action === only.action : !without.includes(action)));
  if (actions.length === 0) return null;
  const params = { id: bot.id, positionId: position.id };
  const run = (action: Action, sellNow = false) =>
    change(
      (client) => {
        switch (action) {
          case 'sell':
            return once(params, (idempotencyKey) => client.sellAutoTradePosition({ params }, { idempotencyKey }));
          case 'detach':
            return client.detachAutoTradePosition({ params });
          case 'resume':
            return client.resumeAutoTradePosition({ params, body: sellNow ? { sellNow } : {} }, { quiet: true });
        }
      },
      t(`autoTrades.byHand.done.${action}`, { symbol: position.symbol }),
      bot.id,
    );
  // An exit that is due sells as soon as the position goes on: asked for as the sale it is.
  const unlessDue = (thrown: unknown) => {
    const problem = shownProblem(thrown);
    if (problem.code !== 'would-sell-now') throw thrown;
    setDue(problemText(problem, t));
  };
  // What the market pays now, as last heard: the sale itself is at whatever it pays then.
  const seen = ticker?.price ?? bot.evaluations.find(({ symbol }) => symbol === position.symbol)?.price;
  const sale = saleWords(t, position, seen, {
    currency: bot.currency,
    pricePrecision: pair?.pricePrecision,
    isTraded: isTraded(bot, position.symbol),
  });
  const values = { symbol: position.symbol, quantity: formatQuantity(position.quantity), name: bot.name };
  return (
    <>
      {actions.map((action) => (
        <Button
          key={action}
          size="sm"
          variant={action === 'resume' ? 'solid' : 'outline'}
          colorPalette={action === 'sell' ? 'danger' : 'brand'}
          color={action === 'resume' ? undefined : action === 'sell' ? 'danger.fg' : 'fg'}
          disabled={running || isWithheld(action)}
          aria-describedby={isWithheld(action) ? whyId : undefined}
          onClick={() => setAsking(action)}
        >
          {only?.label ?? t(`autoTrades.byHand.action.${action}`)}
        </Button>
      ))}
      {actions.some(isWithheld) && <WhyDisabled id={whyId} reason={withheld[0]?.reason} />}
      <ConfirmDialog
        open={asking !== undefined}
        title={asking ? t(`autoTrades.byHand.ask.${asking}.title`, values) : ''}
        confirm={asking ? t(`autoTrades.byHand.action.${asking}`) : ''}
        danger={asking === 'sell'}
        onConfirm={async () => asking && (await run(asking).catch(unlessDue))}
        onClose={() => setAsking(undefined)}
      >
        <Text>{asking ? t(`autoTrades.byHand.ask.${asking}.what`, values) : ''}</Text>
        {asking === 'sell' && <Text>{sale}</Text>}
      </ConfirmDialog>
      <ConfirmDialog
        open={due !== undefined}
        title={t('autoTrades.byHand.ask.sell.title', values)}
        confirm={t('autoTrades.byHand.action.sell')}
        danger
        follows
        onConfirm={() => run('resume', true)}
        onClose={() => setDue(undefined)}
      >
        <Text>{due}</Text>
      </ConfirmDialog>
    </>
  );
}

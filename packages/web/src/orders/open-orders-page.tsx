import { Box, chakra, Flex, Grid, Table, Text } from '@chakra-ui/react';
import { decimal, divide, HUNDRED, isPositive, multiply, rescale, toText } from '@pilotfish/core/money/decimal';
import { formatPrice, formatQuantity } from '@pilotfish/core/money/format';
import type { Order } from '@pilotfish/core/orders/orders-contract';
import { useSelector } from '@xstate/react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../platform/app-context.tsx';
import { useTradingDenied, WhyDisabled } from '../platform/use-trading.tsx';
import { PositionsFrame } from '../positions/positions-tabs.tsx';
import { useLiveTickers, usePairs } from '../prices/use-prices.ts';
import { Badge, LinkButton, Notice, Panel, TextLink } from '../ui/controls.tsx';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';
import { Button } from '../ui/primitives.tsx';
import { EmptyState, ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { problemText } from '../ui/toasts.ts';
import { useMedia } from '../ui/use-media.ts';
import { useMoment } from '../ui/use-moment.ts';
import { type OrderActor, orderActor, useOpenOrders } from './use-orders.ts';

/** What stands in the exchange's book, live; each order is cancelled by itself. */
export default function OpenOrdersPage() {
  const { t } = useTranslation();
  const moment = useMoment();
  useLiveTickers();
  const query = useOpenOrders();
  const { data } = query;
  const isPhone = useMedia('(max-width: 899px)');
  const whyId = useId();
  const notCancellable = useTradingDenied() ? whyId : undefined;
  const orders = [...(data ?? [])].sort((a, b) => b.createdAt.localeCompare(a.createdAt));
  return (
    <PositionsFrame title={t('routes.openOrders')} note={t('orders.lead')}>
      {query.isStale && query.loadedAt !== undefined && (
        <Box mb="3">
          <Notice tone="warning">{t('positions.stale', { time: moment(query.loadedAt, 'second') })}</Notice>
        </Box>
      )}
      {query.hasFailed && query.problem?.code !== 'not-connected' ? (
        <Panel>
          <ErrorPanel problem={query.problem} onRetry={query.retry} />
        </Panel>
      ) : query.accountKnown && !query.connected ? null : !data ? (
        <Panel>
          <Skeleton rows={4} height={40} />
        </Panel>
      ) : orders.length === 0 ? (
        <Panel>
          <EmptyState
            icon="check"
            title={t('orders.none')}
            action={
              <LinkButton to="/prices" variant="outline" color="fg">
                {t('features.openPrices')}
              </LinkButton>
            }
          >
            {t('orders.noneLead')}
          </EmptyState>
        </Panel>
      ) : (
        <Panel p={{ base: '3', md: '4' }} className={query.isStale ? 'stale' : undefined}>
          <Text role="status" color="fg.muted" fontSize="13px" mb="2">
            {t('orders.count', { count: orders.length })}
          </Text>
          {notCancellable && (
            <Box mb="3">
              <WhyDisabled id={notCancellable} />
            </Box>
          )}
          {isPhone ? (
            <Flex as="ul" direction="column" gap="3" listStyleType="none">
              {orders.map((order) => (
                <li key={`${order.symbol}:${order.orderId}`}>
                  <OrderCard order={order} whyNot={notCancellable} />
                </li>
              ))}
            </Flex>
          ) : (
            <OrderTable orders={orders} whyNot={notCancellable} />
          )}
        </Panel>
      )}
    </PositionsFrame>
  );
}

const head = {
  px: '2.5',
  py: '2',
  textAlign: 'end',
  fontSize: '12px',
  fontWeight: '550',
  color: 'fg.muted',
  whiteSpace: 'nowrap',
} as const;
const cell = {
  px: '2.5',
  py: '2.5',
  textAlign: 'end',
  verticalAlign: 'middle',
  borderTopWidth: '1px',
  borderColor: 'border.subtle',
} as const;

/** The id of the sentence on why no order can be cancelled now; undefined where they can. */
type WhyNot = { whyNot: string | undefined };

function OrderTable({ orders, whyNot }: { orders: readonly Order[] } & WhyNot) {
  const { t } = useTranslation();
  return (
    <chakra.section tabIndex={0} aria-label={t('routes.openOrders')} overflowX="auto" position="relative">
      <Table.Root>
        <thead>
          <tr>
            {(['pair', 'side', 'price', 'quantity', 'filled', 'amount', 'placed', 'state'] as const).map((column, index) => (
              <chakra.th key={column} scope="col" {...head} textAlign={index < 2 ? 'start' : 'end'}>
                {t(`orders.column.${column}`)}
              </chakra.th>
            ))}
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <OrderRow key={`${order.symbol}:${order.orderId}`} order={order} whyNot={whyNot} />
          ))}
        </tbody>
      </Table.Root>
    </chakra.section>
  );
}

/** The texts of an order. A market order has no price of its own, a stop has one that awakens it. */
function useOrderTexts(order: Order) {
  const { t } = useTranslation();
  const moment = useMoment();
  const pair = usePairs()?.get(order.symbol);
  const precision = pair?.pricePrecision ?? 8;
  const hasPrice = isPositive(decimal(order.price));
  const filledPct = isPositive(decimal(order.quantity))
    ? toText(rescale(divide(multiply(decimal(order.executedQuantity), HUNDRED), decimal(order.quantity)), 1, 'down'))
    : '0';
  return {
    pair: pair ? `${pair.baseAsset} / ${pair.quoteAsset}` : order.symbol,
    side: t(`prices.side.${order.side}`),
    type: t(`orders.type.${order.type}`, { defaultValue: order.type }),
    price: hasPrice ? formatPrice(order.price, precision) : t('orders.atMarket'),
    stop: order.stopPrice === undefined ? undefined : t('orders.stop', { price: formatPrice(order.stopPrice, precision) }),
    quantity: formatQuantity(order.quantity),
    filled: `${formatQuantity(order.executedQuantity)} (${filledPct}%)`,
    amount: hasPrice
      ? `${formatQuantity(toText(multiply(decimal(order.price), decimal(order.quantity))), 2)} ${pair?.quoteAsset ?? ''}`
      : '–',
    placed: moment(order.createdAt),
  };
}

function OrderRow({ order, whyNot }: { order: Order } & WhyNot) {
  const texts = useOrderTexts(order);
  return (
    <tr>
      <chakra.td {...cell} textAlign="start" fontWeight="600" lang="en" translate="no">
        {texts.pair}
      </chakra.td>
      <chakra.td {...cell} textAlign="start">
        <Text as="span" fontWeight="600">
          {texts.side}
        </Text>{' '}
        <Text as="span" color="fg.muted">
          {texts.type}
        </Text>
        {order.bot && <BotOfOrder bot={order.bot} />}
      </chakra.td>
      <chakra.td {...cell}>
        {texts.price}
        {texts.stop && (
          <Text color="fg.muted" fontSize="12px">
            {texts.stop}
          </Text>
        )}
      </chakra.td>
      <chakra.td {...cell}>{texts.quantity}</chakra.td>
      <chakra.td {...cell}>{texts.filled}</chakra.td>
      <chakra.td {...cell}>{texts.amount}</chakra.td>
      <chakra.td {...cell} whiteSpace="nowrap">
        {texts.placed}
      </chakra.td>
      <chakra.td {...cell}>
        <Flex justify="flex-end">
          <CancellingOf order={order} whyNot={whyNot} />
        </Flex>
      </chakra.td>
    </tr>
  );
}

function OrderCard({ order, whyNot }: { order: Order } & WhyNot) {
  const { t } = useTranslation();
  const texts = useOrderTexts(order);
  return (
    <Panel as="article" bg="bg" p="3.5">
      <Flex justify="space-between" gap="3" mb="2">
        <Text fontWeight="650" lang="en" translate="no">
          {texts.pair}
        </Text>
        <Badge tone={order.side === 'Buy' ? 'brand' : 'secondary'}>
          {texts.side} · {texts.type}
        </Badge>
      </Flex>
      {order.bot && <BotOfOrder bot={order.bot} />}
      <Grid as="dl" templateColumns="repeat(2, minmax(0, 1fr))" gap="2" mb="3" fontSize="13px" css={{ fontVariantNumeric: 'tabular-nums' }}>
        {(['price', 'quantity', 'filled', 'placed'] as const).map((column) => (
          <Box key={column}>
            <Text as="dt" color="fg.muted" fontSize="12px">
              {t(`orders.column.${column}`)}
            </Text>
            <dd>
              {texts[column]}
              {column === 'price' && texts.stop && <Text color="fg.muted">{texts.stop}</Text>}
            </dd>
          </Box>
        ))}
      </Grid>
      <CancellingOf order={order} whyNot={whyNot} />
    </Panel>
  );
}

const BotOfOrder = ({ bot }: { bot: NonNullable<Order['bot']> }) => (
  <Text fontSize="12px">
    <TextLink to={`/auto-trade/detail/${bot.id}`}>
      <bdi>{bot.name}</bdi>
    </TextLink>
  </Text>
);

/** The cancelling of the order: one actor for each, kept by the app. */
function CancellingOf({ order, whyNot }: { order: Order } & WhyNot) {
  return <OrderState order={order} actor={orderActor(useApp(), order)} whyNot={whyNot} />;
}

/** What is known of the order's cancelling, in words, and the buttons for what its machine takes now. */
export function OrderState({ order, actor, whyNot }: { order: Order; actor: OrderActor } & WhyNot) {
  const { t } = useTranslation();
  const snapshot = useSelector(actor, (held) => held);
  const [asking, setAsking] = useState(false);
  const texts = useOrderTexts(order);
  const { problem, end } = snapshot.context;
  const words = snapshot.matches('sending')
    ? t('orders.state.sending')
    : snapshot.matches({ unknown: 'looking' })
      ? t('orders.state.looking')
      : snapshot.matches({ unknown: 'waiting' })
        ? t('orders.state.waiting')
        : snapshot.matches({ unknown: 'asking' })
          ? t('orders.state.asking')
          : snapshot.matches('stillOpen')
            ? t('orders.state.stillOpen')
            : snapshot.matches('refused')
              ? t('orders.state.refused', { reason: problem ? problemText(problem, t) : '' })
              : end
                ? t(`orders.end.${end}`)
                : '';
  return (
    <Flex gap="2.5" align="center" wrap="wrap" justify={{ base: 'space-between', md: 'flex-end' }}>
      <Text role="status" fontSize="12px" color={snapshot.matches('refused') ? 'danger.fg' : 'fg.muted'} maxW="220px" textAlign="start">
        {words}
      </Text>
      {snapshot.can({ type: 'cancel.asked' }) && (
        <Button
          size="xs"
          variant="outline"
          color="danger.fg"
          disabled={whyNot !== undefined}
          aria-describedby={whyNot}
          aria-label={t('orders.cancelOf', { side: texts.side, pair: texts.pair, price: texts.price })}
          onClick={() => setAsking(true)}
        >
          {t('orders.cancel')}
        </Button>
      )}
      {snapshot.can({ type: 'look.asked' }) && (
        <Button size="xs" variant="outline" color="fg" onClick={() => actor.send({ type: 'look.asked' })}>
          {t('orders.look')}
        </Button>
      )}
      <ConfirmDialog
        open={asking}
        title={t('orders.ask.title')}
        confirm={t('orders.cancel')}
        danger
        onConfirm={async () => actor.send({ type: 'cancel.asked' })}
        onClose={() => setAsking(false)}
      >
        <Text>{t('orders.ask.what', { side: texts.side, quantity: texts.quantity, pair: texts.pair, price: texts.price })}</Text>
        {order.bot && <Text color="fg">{t(`orders.ask.bot.${order.bot.purpose}`, { name: order.bot.name })}</Text>}
        {isPositive(decimal(order.executedQuantity)) && <Text>{t('orders.ask.filled', { filled: texts.filled })}</Text>}
      </ConfirmDialog>
    </Flex>
  );
}

import type { TextValues } from '@pilotfish/core/fields/text-values';
import type { Client } from '@pilotfish/core/http/client';
import { AppError, isConnectivity } from '@pilotfish/core/http/problem';
import { orderActors } from '@pilotfish/core/orders/order-api';
import { orderMachine } from '@pilotfish/core/orders/order-machine';
import { type Order, ordersContract } from '@pilotfish/core/orders/orders-contract';
import { type ActorRefFrom, createActor, type SnapshotFrom } from 'xstate';
import type { Context, Timers } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, Interrupted, LocalFailure, ShownFailure, UsageError } from '../app/failure.ts';
import { requireTrading } from '../app/require-trading.ts';
import { problemText, showError } from '../app/show-error.ts';
import { printOne, printRows } from '../ui/output.ts';
import { canAsk, confirm } from '../ui/prompt.ts';
import { orders, orderTeller } from './orders.ts';

/** How long a lost answer is looked for before the command says that it does not know. */
const PATIENCE_MS = 60_000;

type Snapshot = SnapshotFrom<typeof orderMachine>;
type OrderActor = ActorRefFrom<typeof orderMachine>;

type CancelFlags = { symbol: string; orderId?: string; all?: true; dryRun?: true };

/** Names the orders before it asks; --dry-run stops there. What becomes of one order is no failure of the others. */
export async function cancel(context: Context, { symbol, orderId, all, dryRun }: CancelFlags): Promise<void> {
  if ((orderId === undefined) === (all === undefined)) throw new UsageError('orderOrAll');
  const client = await context.client(ordersContract);
  const pair = symbol.toUpperCase();
  const open = await client.listOpenOrders({ params: { exchange: 'Binance', symbol: pair } });
  const wanted = all ? open : open.filter((each) => each.orderId === orderId);
  const [first] = wanted;
  if (!first) {
    if (!all) throw new AppError('unknown-order');
    return printRows(context, orders, []);
  }
  const named = await orderTeller(context);
  if (dryRun) {
    for (const order of wanted) await context.say('cli.orders.wouldCancel', named(order));
    return;
  }
  await requireTrading(context);
  const t = await context.texts();
  // An order of a bot is part of a plan: what becomes of it is said before it is taken away.
  for (const { bot } of wanted) if (bot) context.stderr.write(`${t(`orders.ask.bot.${bot.purpose}`, { name: bot.name })}\n`);
  const asked = all
    ? confirm(context, 'cli.orders.cancelAll', { count: wanted.length, symbol: pair })
    : confirm(context, 'cli.orders.cancel', named(first));
  if (!(await asked)) throw new Ended(EXIT.failed);
  if (!all) {
    await printOne(context, orders, await cancelOrder(context, client, first));
    return;
  }
  await cancelAll(context, client, wanted);
}

/** One after the other: the exchange counts orders of one account, and the answers come in this order. */
async function cancelAll(context: Context, client: Client<typeof ordersContract>, wanted: readonly Order[]): Promise<void> {
  const cancelled: Order[] = [];
  const failed: { order: Order; failure: unknown }[] = [];
  for (const order of wanted) {
    try {
      cancelled.push(await cancelOrder(context, client, order));
    } catch (failure) {
      failed.push({ order, failure });
      if (failure instanceof Interrupted) break;
    }
  }
  if (cancelled.length > 0) await printRows(context, orders, cancelled);
  let exit: number = EXIT.done;
  for (const { order, failure } of failed) {
    if (failure instanceof Interrupted) throw failure;
    // A refusal of the server names no order.
    if (!(failure instanceof LocalFailure)) await context.say('cli.orders.notCancelled', (await orderTeller(context))(order));
    const code = await showError(context, failure);
    exit ||= code;
  }
  if (exit !== EXIT.done) throw new Ended(exit);
}

/**
 * Cancels one order, and answers it as the exchange then had it. Where the answer is lost it is looked up what became of the
 * order; nothing is sent a second time unless the person at the terminal says so.
 * @throws LocalFailure `orderFilled`, `orderGone`, `orderStands` or `orderUnknown`; ShownFailure where it was refused
 */
async function cancelOrder(context: Context, client: Client<typeof ordersContract>, order: Order): Promise<Order> {
  const actor = createActor(orderMachine.provide({ actors: orderActors(client) }), { input: order, clock: context.timers });
  const about = (await orderTeller(context))(order);
  actor.start();
  try {
    for (;;) {
      const ending = untilSettled(actor, context.timers, (snapshot) => sayProgress(context, snapshot, about));
      actor.send({ type: 'cancel.asked' });
      const snapshot = await ending;
      const { end, answered, problem } = snapshot.context;
      if (end === 'Filled') throw new LocalFailure('orderFilled', about, { exit: EXIT.conflict });
      if (end !== undefined && answered) return answered;
      if (end !== undefined) throw new LocalFailure('orderGone', about, { exit: EXIT.notFound });
      if (snapshot.matches('refused')) throw new ShownFailure(problem ?? { code: 'internal' });
      if (!snapshot.matches('stillOpen')) throw new LocalFailure('orderUnknown', about);
      // A yes that was given beforehand was given to one cancel.
      const mayAsk = canAsk(context) && !context.globals.yes;
      if (!(mayAsk && (await confirm(context, 'cli.orders.again', about))))
        throw new LocalFailure('orderStands', about, { exit: EXIT.conflict });
    }
  } finally {
    actor.stop();
  }
}

/** Resolves when nothing more happens by itself, or when it has been looked for long enough. */
function untilSettled(actor: OrderActor, timers: Timers, onStep: (snapshot: Snapshot) => void): Promise<Snapshot> {
  return new Promise((resolve) => {
    let patience: unknown;
    const settle = (snapshot: Snapshot) => {
      subscription.unsubscribe();
      if (patience !== undefined) timers.clearTimeout(patience);
      resolve(snapshot);
    };
    const subscription = actor.subscribe((snapshot) => {
      const isLooking = snapshot.matches({ unknown: 'looking' }) || snapshot.matches({ unknown: 'waiting' });
      if (!isLooking && !snapshot.matches('sending')) return settle(snapshot);
      if (isLooking) patience ??= timers.setTimeout(() => settle(actor.getSnapshot()), PATIENCE_MS);
      onStep(snapshot);
    });
  });
}

/** Says once why it is being looked, and once that this takes longer. */
function sayProgress(context: Context, snapshot: Snapshot, about: TextValues): void {
  const { problem, failures } = snapshot.context;
  if (snapshot.matches({ unknown: 'waiting' }) && failures === 1) void context.say('orders.state.waiting');
  if (!snapshot.matches({ unknown: 'looking' }) || failures > 0) return;
  if (!problem) void context.say('cli.orders.taken', about);
  else if (isConnectivity(problem)) void context.say('cli.orders.lost', about);
  else void context.texts().then((t) => context.say('cli.orders.unsure', { ...about, reason: problemText(t, problem) }));
}

import type { AutoTradeDetail, AutoTradePosition, PositionLevel } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { fieldOf, type LevelField, pointedPrice, steppedPrice, tickOf } from '@pilotfish/core/auto-trades/levels-draft';
import { levelsDraftActors } from '@pilotfish/core/auto-trades/levels-draft-api';
import {
  changesLevel,
  draftPrice,
  type LevelsDraftContext,
  levelsDraftMachine,
  type TakenLevel,
} from '@pilotfish/core/auto-trades/levels-draft-machine';
import { digits, type Price } from '@pilotfish/core/money/figure';
import { formatPrice } from '@pilotfish/core/money/format';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { useActorRef, useSelector } from '@xstate/react';
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { waitFor } from 'xstate';
import { useApp, useStore } from '../../../platform/app-context.tsx';
import { usePairs } from '../../../prices/use-prices.ts';
import { showToast } from '../../../ui/toasts.ts';
import { staleAfterChange } from '../../use-auto-trades.ts';
import { type BotCoin, isOver } from './chosen-coin.ts';
import type { Cockpit } from './use-cockpit.ts';

/** How far the draft is: held by a hand or by keys, awaiting an answer, answered, or over. */
export type DraftPhase = 'moving' | 'asking' | 'checked' | 'noticed' | 'refused' | 'confirming' | 'selling' | 'settling' | 'lost';

export type OpenDraft = Pick<LevelsDraftContext, 'verdict' | 'problem' | 'sale' | 'notice' | 'lost'> & {
  readonly phase: DraftPhase;
  readonly level: TakenLevel;
  /** Of the level in the list and on the chart. */
  readonly id: string;
  /** As moved or typed; null: back to the settings. */
  readonly asked: string | null;
  /** Where it would be; null while that is not known. */
  readonly price: Price | null;
  /** The verdict is of another price than the one that is asked for. */
  readonly isVerdictOld: boolean;
  readonly changes: boolean;
  /** How often it was taken to be typed: then its field has the focus. */
  readonly typings: number;
};

export type LevelsDraft = {
  /** What can be moved now, by the ids of levels. */
  readonly movable: ReadonlyMap<string, LevelField>;
  readonly open: OpenDraft | undefined;
  readonly pair: Pair | undefined;
  readonly isStale: boolean;
  /** @param typed by a press that has no arrows: the price is typed */
  take: (id: string, typed: boolean) => boolean;
  /** A hand points at a price of the drawing. */
  point: (id: string, price: number) => void;
  release: () => void;
  type: (price: string) => void;
  /** Back to where the settings of the bot have it. */
  putBack: () => void;
  confirm: () => void;
  discard: () => void;
  /** Resolves when the sale was made, or the bar says why it was not. */
  sell: () => Promise<void>;
  decline: () => void;
  /** Whether the market has come to it, where it is or where it would be. */
  stand: (isReached: boolean) => void;
  /** A key on the level; answers whether it was one of these. */
  press: (id: string, event: KeyboardEvent) => boolean;
};

const NONE: ReadonlyMap<string, LevelField> = new Map();

/** What of a position can be moved, by the ids of its levels. */
export function movableLevels(position: Pick<AutoTradePosition, 'levels' | 'allowed'> | undefined): ReadonlyMap<string, LevelField> {
  if (!position?.allowed.includes('levels')) return NONE;
  return new Map((position.levels ?? []).flatMap((level) => ofField(level)));
}
function ofField(level: PositionLevel): [string, LevelField][] {
  const field = fieldOf(level);
  return field ? [[level.id, field]] : [];
}

/** How many ticks a key moves a level, upwards above zero; undefined of any other key. */
export function ticksOf({ key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>): number | undefined {
  const step = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 10, PageDown: -10 }[key];
  return step !== undefined && shiftKey && Math.abs(step) === 1 ? step * 10 : step;
}

type Value = ReturnType<ReturnType<typeof useActorRef<typeof levelsDraftMachine>>['getSnapshot']>['value'];
function phaseOf(value: Value): DraftPhase | undefined {
  if (typeof value === 'string') return value === 'idle' ? undefined : value;
  if ('moving' in value) return 'moving';
  return value.drafted === 'pausing' || value.drafted === 'checking' ? 'asking' : value.drafted;
}

/** The level of one position that is being moved, if any. Nothing of it is in force before the server has said so. */
export function useLevelsDraft(
  { bot, isStale: isOld }: Pick<Cockpit, 'bot' | 'isStale'>,
  coin: BotCoin | undefined,
  isInForce: boolean,
): LevelsDraft {
  const app = useApp();
  // Also while the exchange sends no prices: a level would be put beside an old one.
  const isDelayed = useStore(app.live.status) === 'delayed';
  const isStale = isOld || isDelayed;
  const pair = usePairs()?.get(coin?.symbol ?? '');
  const machine = useMemo(() => levelsDraftMachine.provide({ actors: levelsDraftActors(app.client, bot.id) }), [app, bot.id]);
  const actor = useActorRef(machine);
  const snapshot = useSelector(actor, (each) => each);
  const [typings, setTypings] = useState(0);
  const position = coin?.position;
  const allowed = useMemo(() => (isInForce ? movableLevels(position) : NONE), [isInForce, position]);
  const { context } = snapshot;
  const phase = phaseOf(snapshot.value);
  const level = phase && context.level;
  useFollowing(actor, snapshot.value, context, { positions: bot.positions, shown: position?.id, allowed });
  useMoved(actor, bot, pair);

  const tick = tickOf(pair?.filters.tickSize ?? '0', pair?.pricePrecision ?? 8);
  const takenOf = (id: string): TakenLevel | undefined => {
    const field = allowed.get(id);
    const found = position?.levels?.find((each) => each.id === id);
    return field && found && position ? { positionId: position.id, field, price: digits(found.price) } : undefined;
  };
  const isOpen = (id: string) => level !== undefined && level.field === allowed.get(id) && phase !== 'lost' && phase !== 'settling';
  /** Answers whether it could be taken: what is moved after a no would be a level that was taken before. */
  const take = (id: string, typed: boolean): boolean => {
    const taken = takenOf(id);
    if (!taken || isStale) return false;
    if (!isOpen(id) || !typed) actor.send({ type: 'level.taken', level: taken });
    setTypings((count) => (typed ? count + 1 : 0));
    return true;
  };
  const moveTo = (id: string, price: string) => {
    const isHeld = actor.getSnapshot().context.level?.field === allowed.get(id) && actor.getSnapshot().matches('moving');
    if (isHeld || take(id, false)) actor.send({ type: 'price.moved', price });
  };
  const confirm = () => {
    if (actor.getSnapshot().matches('moving')) actor.send({ type: 'level.released' });
    else actor.send({ type: 'confirm.asked', isCurrent: !isStale });
  };
  const discard = () => actor.send({ type: 'draft.discarded' });
  const stand = useCallback((is: boolean) => actor.send({ type: 'standing.changed', isReached: is }), [actor]);
  const id = level && [...movableLevels(position && { ...position, allowed: ['levels'] })].find(([, field]) => field === level.field)?.[0];
  return {
    movable: isStale ? NONE : allowed,
    open: phase &&
      level && {
        ...context,
        level,
        phase,
        id: id ?? '',
        asked: context.price,
        price: draftPrice(context),
        isVerdictOld: context.verdict?.of !== context.price,
        changes: changesLevel(context),
        typings,
      },
    pair,
    isStale,
    take,
    point: (at, price) => moveTo(at, pointedPrice(price, tick)),
    release: () => actor.send({ type: 'level.released' }),
    type: (price) => actor.send({ type: 'price.typed', price }),
    putBack: () => level && actor.send({ type: 'putBack.asked', level }),
    confirm,
    discard,
    sell: async () => {
      actor.send({ type: 'sale.confirmed', isCurrent: !isStale });
      await waitFor(actor, (each) => !each.matches('confirming'));
    },
    stand,
    decline: () => actor.send({ type: 'sale.declined' }),
    press: (at, event) => {
      const ticks = ticksOf(event);
      if (event.ctrlKey || event.metaKey || event.altKey) return false;
      if (ticks !== undefined) {
        const from = isOpen(at) ? (draftPrice(actor.getSnapshot().context) ?? level?.price) : takenOf(at)?.price;
        if (from !== undefined && !isStale) moveTo(at, steppedPrice(digits(from), tick, ticks));
      } else if (event.key === 'Escape' && level) discard();
      // A key that is held down says yes only once.
      else if (event.key === 'Enter' && !event.repeat) {
        if (isOpen(at)) confirm();
        else take(at, false);
      } else return event.key === 'Enter';
      event.preventDefault();
      return true;
    },
  };
}

type Actor = ReturnType<typeof useActorRef<typeof levelsDraftMachine>>;
type Shown = {
  readonly positions: readonly AutoTradePosition[];
  /** The position that is looked at. */
  readonly shown: string | undefined;
  readonly allowed: ReadonlyMap<string, LevelField>;
};

/** What happens to the level while it is being moved. */
function useFollowing(actor: Actor, value: Value, context: LevelsDraftContext, { positions, shown, allowed }: Shown): void {
  const { level } = context;
  const position = positions.find(({ id }) => id === level?.positionId);
  const now = position?.levels?.find((each) => fieldOf(each) === level?.field)?.price;
  const isGone = !position || isOver(position) || now === undefined;
  const isLeft = !isGone && position.id !== shown;
  const isAllowed = level !== undefined && [...allowed.values()].includes(level.field);
  const phase = JSON.stringify(value);
  // Also when the machine has gone on: what it took no notice of in one state may matter in the next.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (level === undefined) return;
    if (isGone) return actor.send({ type: 'level.gone', why: 'closed' });
    if (isLeft) return actor.send({ type: 'draft.discarded' });
    if (!isAllowed) return actor.send({ type: 'level.gone', why: 'notAllowed' });
    if (digits(now) !== level.price) actor.send({ type: 'level.elsewhere', price: digits(now) });
  }, [actor, phase, level, isLeft, isGone, isAllowed, now]);
  const held = useRef<{ readonly of: string; readonly holding: string }>(undefined);
  const of = level && `${level.positionId} ${level.field}`;
  const holding = position && `${digits(position.quantity)} ${digits(position.averageCost ?? '')}`;
  useEffect(() => {
    const before = held.current;
    held.current = of === undefined || holding === undefined ? undefined : { of, holding };
    if (before && before.of === of && before.holding !== holding) actor.send({ type: 'holding.changed' });
  }, [actor, of, holding]);
}

/** Says that a level was moved, and loads what shows it. */
function useMoved(actor: Actor, { id, positions }: AutoTradeDetail, pair: Pair | undefined): void {
  const app = useApp();
  const { t } = useTranslation();
  useEffect(() => {
    const moved = actor.on('level.moved', ({ level, price }) => {
      const symbol = positions.find((each) => each.id === level.positionId)?.symbol ?? '';
      const name = nameOf(t, level.field);
      void showToast(
        'success',
        price === null
          ? t('autoTrades.draft.off', { name, symbol })
          : t('autoTrades.draft.moved', { name, symbol, price: formatPrice(price, pair?.pricePrecision) }),
      );
      app.queries.invalidate(...staleAfterChange(id));
    });
    return () => moved.unsubscribe();
  }, [actor, app, t, id, positions, pair]);
}

/** A level by the name of its field. */
export function nameOf(t: (key: string, values?: Record<string, string>) => string, field: LevelField): string {
  const [kind, level] = field.split('.');
  return t(`autoTrades.levels.${kind}`, { level: level ?? '' });
}

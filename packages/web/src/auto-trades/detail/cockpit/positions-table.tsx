import { Box, chakra, Table, Text } from '@chakra-ui/react';
import type { AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { distancePct } from '@pilotfish/core/auto-trades/position-risk';
import { formatMoney, formatPrice, UNKNOWN } from '@pilotfish/core/money/format';
import { formatSpan } from '@pilotfish/core/time/duration';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../../platform/app-context.tsx';
import { usePairs } from '../../../prices/use-prices.ts';
import { CoinIcon } from '../../../ui/coin-icon.tsx';
import { Tag } from '../../../ui/kit/badges.tsx';
import { LevelTrack } from '../../../ui/kit/level-track.tsx';
import { Distance } from '../../../ui/kit/price.tsx';
import { Result } from '../../../ui/kit/result.tsx';
import { EmptyState } from '../../../ui/state-panels.tsx';
import { Cell, HeadCell, RowHead } from '../../../ui/tables/table-cells.tsx';
import { useMoment } from '../../../ui/use-moment.ts';
import { useWaiting } from '../../bot-marks.tsx';
import { type BotCoin, isHeld, isOver } from './chosen-coin.ts';
import { PositionFacts } from './position-facts.tsx';
import { type Cockpit, usePresentPrice } from './use-cockpit.ts';

/** Shown only where there is room for all columns. */
const WIDE = { base: 'none', lg: 'table-cell' } as const;

/** What is held first, then what is being entered, then what is over, the newest first. */
export const inOrder = (positions: readonly AutoTradePosition[]): AutoTradePosition[] =>
  [...positions].sort(
    (a, b) =>
      Number(isOver(a)) - Number(isOver(b)) ||
      Number(isHeld(b)) - Number(isHeld(a)) ||
      (isOver(a) ? (b.closedAt ?? '').localeCompare(a.closedAt ?? '') : (a.openedAt ?? '').localeCompare(b.openedAt ?? '')),
  );

/** Every position of the bot; the chosen one is the one on the chart, with all of its figures below. */
export function PositionsTable({
  cockpit,
  coin,
  onChoose,
}: {
  cockpit: Cockpit;
  coin: BotCoin | undefined;
  onChoose: (position: AutoTradePosition) => void;
}) {
  const { t } = useTranslation();
  const { bot, isStale } = cockpit;
  if (bot.positions.length === 0)
    return (
      <EmptyState icon="positions" title={t('autoTrades.noPositions')}>
        {t('autoTrades.noPositionsLead')}
      </EmptyState>
    );
  const column = (key: string) => t(`autoTrades.cockpit.column.${key}`);
  return (
    <>
      <Box overflowX="auto" className={isStale ? 'stale rings-inside' : 'rings-inside'}>
        <Table.Root tableLayout={{ base: 'auto', lg: 'fixed' }}>
          <caption className="visually-hidden">{t('autoTrades.tab.positions')}</caption>
          <thead>
            <tr>
              <HeadCell w={{ lg: '16%' }}>{column('coin')}</HeadCell>
              <HeadCell textAlign="end" display={WIDE} w="10%">
                {column('value')}
              </HeadCell>
              <HeadCell textAlign="end" display={WIDE} w="20%">
                {column('averagePrice')}
              </HeadCell>
              <HeadCell textAlign="end" w={{ lg: '10%' }}>
                {column('result')}
              </HeadCell>
              <HeadCell minW="120px" w={{ lg: '16%' }}>
                {column('stopTarget')}
              </HeadCell>
              <HeadCell display={WIDE}>{column('next')}</HeadCell>
              <HeadCell textAlign="end" display={WIDE} w="9%">
                {column('age')}
              </HeadCell>
            </tr>
          </thead>
          <tbody>
            {inOrder(bot.positions).map((position) => (
              <Row
                key={position.id}
                cockpit={cockpit}
                position={position}
                isChosen={position.id === coin?.position?.id}
                onChoose={onChoose}
              />
            ))}
          </tbody>
        </Table.Root>
      </Box>
      {coin?.position && <PositionFacts bot={bot} position={coin.position} />}
    </>
  );
}

const evaluationOf = ({ evaluations }: Cockpit['bot'], symbol: string) => evaluations.find((each) => each.symbol === symbol);

function Row({
  cockpit: { bot, held },
  position,
  isChosen,
  onChoose,
}: {
  cockpit: Cockpit;
  position: AutoTradePosition;
  isChosen: boolean;
  onChoose: (position: AutoTradePosition) => void;
}) {
  const { t } = useTranslation();
  const pair = usePairs()?.get(position.symbol);
  const row = held.get(position.id);
  const over = isOver(position);
  // That of the levels and of the chart: the row's own is as old as its answer.
  const present = usePresentPrice(bot, { symbol: position.symbol, evaluation: evaluationOf(bot, position.symbol) });
  const reason = t('autoTrades.cockpit.unknown');
  const name = pair?.baseAsset ?? position.symbol;
  const price = (value: Parameters<typeof formatPrice>[0] | null | undefined) =>
    value == null ? UNKNOWN : formatPrice(value, pair?.pricePrecision);
  return (
    <chakra.tr bg={isChosen ? 'color-mix(in srgb, var(--chakra-colors-fg) 4%, transparent)' : undefined}>
      <RowHead>
        <chakra.button
          type="button"
          display="flex"
          alignItems="center"
          gap="2"
          minH={{ base: '11', md: '8' }}
          textAlign="start"
          cursor="pointer"
          borderRadius="control"
          _hover={{ textDecoration: 'underline' }}
          aria-pressed={isChosen}
          onClick={() => onChoose(position)}
        >
          <chakra.span fontWeight="600" lang="en" translate="no">
            <CoinIcon code={name} />
            {name}
          </chakra.span>{' '}
          <chakra.span fontSize="12px" color={position.state === 'NeedsAttention' ? 'danger.fg' : over ? 'fg.subtle' : 'fg.muted'}>
            {t(`positionStates.${position.state}`)}
          </chakra.span>
        </chakra.button>
      </RowHead>
      <Cell textAlign="end" display={WIDE}>
        {row?.value == null ? UNKNOWN : formatMoney(row.value, bot.currency)}
      </Cell>
      <Cell textAlign="end" display={WIDE}>
        {over ? (
          UNKNOWN
        ) : (
          <>
            <chakra.span color="fg.muted">{price(position.averageCost)} →</chakra.span> {price(present)}
          </>
        )}
      </Cell>
      <Cell textAlign="end" fontWeight="600">
        {over ? (
          <Result value={position.realised} currency={bot.currency} closeness="fine" reason="" />
        ) : isHeld(position) ? (
          <Result value={row?.result ?? null} percent={row?.resultPct ?? null} below currency={bot.currency} reason={reason} />
        ) : (
          UNKNOWN
        )}
      </Cell>
      <Cell>
        {over ? (
          position.exitReason && <Tag>{t(`exitReasons.${position.exitReason}`, { defaultValue: position.exitReason })}</Tag>
        ) : row ? (
          <LevelTrack
            symbol={name}
            places={pair?.pricePrecision}
            levels={{ stop: row.stop, rebuys: row.rebuys, breakEven: row.breakEven, price: present, target: row.target }}
          />
        ) : null}
      </Cell>
      <Cell display={WIDE} whiteSpace="normal">
        <Next bot={bot} position={position} />
      </Cell>
      <Cell textAlign="end" display={WIDE} color="fg.muted">
        <Age position={position} />
      </Cell>
    </chakra.tr>
  );
}

/** What it waits for and how far that is; of one that is over, when it ended. */
function Next({ bot, position }: { bot: Cockpit['bot']; position: AutoTradePosition }) {
  const moment = useMoment();
  const waiting = useWaiting(position.symbol);
  if (isOver(position)) return position.closedAt ? <Text color="fg.muted">{moment(position.closedAt)}</Text> : null;
  return <Waits bot={bot} symbol={position.symbol} waiting={waiting} />;
}

function Waits({ bot, symbol, waiting }: { bot: Cockpit['bot']; symbol: string; waiting: ReturnType<typeof useWaiting> }) {
  const evaluation = evaluationOf(bot, symbol);
  const price = usePresentPrice(bot, { symbol, evaluation });
  if (!evaluation?.waitsFor) return null;
  const distance = distancePct(price, evaluation.waitsFor.price);
  return (
    <span>
      {waiting(evaluation.waitsFor)}{' '}
      {distance !== null && (
        <chakra.span color="fg.muted">
          <Distance value={distance} reason="" />
        </chakra.span>
      )}
    </span>
  );
}

/** How long it has been held, or was. */
function Age({ position: { openedAt, closedAt } }: { position: AutoTradePosition }) {
  const { i18n } = useTranslation();
  const { now } = useApp().browser;
  if (openedAt === null) return <>{UNKNOWN}</>;
  return <>{formatSpan((closedAt === null ? now() : Date.parse(closedAt)) - Date.parse(openedAt), i18n.language)}</>;
}

import { Box } from '@chakra-ui/react';
import { distancePct } from '@pilotfish/core/auto-trades/position-risk';
import { isNothing } from '@pilotfish/core/money/figure';
import { formatPrice } from '@pilotfish/core/money/format';
import type { HeldPositionRow } from '@pilotfish/core/positions/held-positions-contract';
import { useTranslation } from 'react-i18next';
import { useWaiting } from '../auto-trades/bot-marks.tsx';
import { isOver } from '../auto-trades/detail/cockpit/chosen-coin.ts';
import { PositionActions } from '../auto-trades/detail/position-actions.tsx';
import { useAutoTradeDetail, useFills } from '../auto-trades/use-auto-trades.ts';
import { type Fact, Facts, useHeldFacts } from '../positions/detail/position-facts.tsx';
import { exitFeeOf } from '../positions/open/live-held.ts';
import { BrokenReasons } from '../positions/position-state.tsx';
import { usePairs } from '../prices/use-prices.ts';
import { TextLink } from '../ui/controls.tsx';
import { Result } from '../ui/kit/result.tsx';
import { StatusSentence } from '../ui/kit/status-sentence.tsx';
import { AsOf } from '../ui/kit/titled-panel.tsx';
import { ErrorPanel } from '../ui/state-panels.tsx';
import type { Chosen } from './chosen.ts';
import { pageOf } from './chosen-places.ts';
import { HeldOutcomes, useReasons } from './held-outcomes.tsx';
import { BotPositionChart } from './panel-chart.tsx';
import { PanelFills } from './panel-fills.tsx';
import { Actions, Ended, Part, Sentence } from './panel-parts.tsx';

type OfBot = Extract<Chosen, { kind: 'bot' }>;

/** An open position of a bot: what becomes of it, what its bot does next, and what may be asked of it. */
export function BotPosition({ chosen, botId }: { chosen: OfBot; botId: string }) {
  const { t } = useTranslation();
  const { row, ledger } = chosen;
  const bot = useAutoTradeDetail(botId);
  const position = bot.data?.positions.find(({ id }) => id === row.positionId);
  const isGone = bot.data !== undefined && (position === undefined || isOver(position));
  const fills = useFills(botId, row.positionId);
  const facts = useHeldFacts({ ...row, exitFee: exitFeeOf(row) }, useReasons(row));
  const realised: Fact[] =
    row.realised === null || isNothing(row.realised)
      ? []
      : [
          {
            term: t('positions.panel.realisedSoFar'),
            value: <Result value={row.realised} currency={row.quoteAsset} reason="" />,
          },
        ];
  return (
    <>
      {isGone && <Ended page={pageOf(chosen)} />}
      <Box px="4" pb="2.5" className={isGone ? 'stale' : undefined}>
        <HeldOutcomes row={row} />
      </Box>
      <BotPositionChart row={row} bot={bot.data} position={position} />
      {!isGone && <Next row={row} why={pageOf(chosen, 'why')} />}
      <Part className={isGone ? 'stale' : undefined}>
        <Facts facts={[...facts, ...realised]} />
      </Part>
      {ledger && (
        <Part>
          <BrokenReasons broken={ledger.broken} asset={row.baseAsset} compact />
          <TextLink to={`/positions/detail/${ledger.id}`}>{t('positions.panel.whole', { asset: row.baseAsset })}</TextLink>
        </Part>
      )}
      <PanelFills
        query={{ ...fills, fills: fills.data && [...fills.data].sort((a, b) => b.at.localeCompare(a.at)) }}
        row={row}
        page={pageOf(chosen)}
      />
      {bot.data ? (
        position &&
        !isGone &&
        position.allowed.length + position.withheld.length > 0 && (
          <Actions>
            <AsOf query={bot} />
            <PositionActions key={position.id} bot={bot.data} position={position} isInPanel />
          </Actions>
        )
      ) : (
        <Actions>
          {bot.hasFailed ? (
            <ErrorPanel problem={bot.problem} onRetry={bot.retry} />
          ) : (
            <div className="skeleton" style={{ height: 32, flex: 1 }} />
          )}
        </Actions>
      )}
    </>
  );
}

/** The wait says it all, without a sentence about the stop: no exit is sent, or the wait is about the stop itself. */
const SAYS_ALL: ReadonlySet<string> = new Set(['protected-cost', 'frozen', 'halted', 'user', 'sale-again']);

/** The stop, then what the bot waits for next and how far away that is; what needs the owner comes before both. */
function Next({ row, why }: { row: HeldPositionRow; why: string }) {
  const { t } = useTranslation();
  const waiting = useWaiting(row.symbol);
  const places = usePairs()?.get(row.symbol)?.pricePrecision;
  const { stop, next, attention, price } = row;
  const text = next && waiting(next.waitsFor);
  const stopWords = stop === null ? t('positions.panel.neverSells') : t('positions.panel.stopSells', { price: formatPrice(stop, places) });
  const saysAll = next !== null && SAYS_ALL.has(next.waitsFor.code);
  const lead = attention !== null ? t(`errors.${attention}.detail`, { defaultValue: attention }) : saysAll ? `${text}.` : stopWords;
  const distance = next && (distancePct(price, next.waitsFor.price) ?? next.distancePct);
  return (
    <Sentence why={why}>
      {text === null || saysAll || attention !== null ? (
        <StatusSentence lead={lead} />
      ) : (
        <StatusSentence lead={lead} next={text} distance={distance} />
      )}
    </Sentence>
  );
}

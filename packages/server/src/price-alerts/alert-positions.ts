import { decimal, divide, HUNDRED, multiply, subtract, toFloat, toText } from '@pilotfish/core/money/decimal';
import type { AppContext } from '../app/context.ts';
import type { Market } from '../market/market.ts';
import { positionReader } from '../positions/position-reader.ts';
import type { PositionsService } from '../positions/positions-service.ts';
import type { PositionLook } from './alert-polls.ts';

/** The open positions of an account by pair, as alerts look at them. A position whose figures are not trusted has no return. */
export function alertPositions(context: Pick<AppContext, 'texts' | 'database'>, service: PositionsService, market: Market) {
  const reader = positionReader(context, service, market);
  return async (accountId: string): Promise<ReadonlyMap<string, PositionLook>> => {
    const look = await reader.look(accountId, 'en');
    const open = look.book.positions.filter(({ position }) => position.closedAt === null);
    return new Map(
      open.map((of): [string, PositionLook] => {
        const valued = look.valued(of);
        const { returnPct } = valued.figures;
        const target = of.override?.targetPrice == null ? null : decimal(of.override.targetPrice);
        return [
          of.position.symbol,
          {
            returnPct: returnPct === null || look.standing(valued) === 'broken' ? null : toFloat(returnPct),
            target: target === null ? null : toText(target),
            targetDistancePct:
              target === null || valued.price === null
                ? null
                : toFloat(divide(multiply(subtract(target, valued.price), HUNDRED), valued.price)),
          },
        ];
      }),
    );
  };
}

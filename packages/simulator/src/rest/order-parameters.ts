import { randomToken } from '../accounts/api-key.ts';
import type { OrderType } from '../matching/order.ts';
import { clientId } from '../matching/order-request.ts';
import { ApiError } from './api-error.ts';
import type { RequestParameters } from './request-parameters.ts';

const DAY = 86_400_000;

/** The id that a cancel gives itself. */
export const cancelIdOf = (parameters: RequestParameters, name: string): string => clientId(parameters, name) ?? randomToken().slice(0, 22);

export type Detail = 'ACK' | 'RESULT' | 'FULL';

/** How much the answer to a new order tells: market and limit orders tell everything unless asked otherwise. */
export function readDetail(parameters: RequestParameters, type: OrderType, most: Detail = 'FULL'): Detail {
  const standard = type === 'MARKET' || type === 'LIMIT' ? most : 'ACK';
  const error = new ApiError(-1130, "Data sent for parameter 'newOrderRespType' is not valid.");
  return parameters.choice('newOrderRespType', ['ACK', 'RESULT', 'FULL'], error) ?? standard;
}

/** [startTime, endTime], at most a day apart. */
export function readWindow(parameters: RequestParameters): { startTime: number | undefined; endTime: number | undefined } {
  const startTime = parameters.time('startTime');
  const endTime = parameters.time('endTime');
  if (startTime !== undefined && endTime !== undefined && endTime - startTime > DAY) {
    throw new ApiError(-1127, 'More than 24 hours between startTime and endTime.');
  }
  return { startTime, endTime };
}

/** From the oldest when a lower bound is given, else the most recent; always in time order. */
export const page = <T>(rows: T[], limit: number, fromOldest: boolean): T[] => (fromOldest ? rows.slice(0, limit) : rows.slice(-limit));

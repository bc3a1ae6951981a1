/** Fields that are moments in answers and in account events. A trade's `t` is its id, a candle's its begin: see below. */
const MOMENTS = new Set([
  'serverTime',
  'time',
  'updateTime',
  'transactTime',
  'transactionTime',
  'workingTime',
  'trailingTime',
  'openTime',
  'closeTime',
  'E',
  'T',
  'O',
  'C',
  'W',
  'D',
  'u',
]);
/** Where the moments are in a candle of REST: its begin and its end. */
const CANDLE_LENGTH = 12;

const isMoment = (value: unknown): value is number => typeof value === 'number' && value > 1e11 && value < 1e14;
const micro = (value: number): number => value * 1000;
/** The last millisecond of a candle ends with its last microsecond. */
const microEnd = (value: number): number => value * 1000 + 999;

/** The same answer or event with its moments in microseconds (`X-MBX-TIME-UNIT: MICROSECOND`, `timeUnit=MICROSECOND`). */
export function inMicroseconds(answer: unknown): unknown {
  if (Array.isArray(answer)) {
    if (answer.length === CANDLE_LENGTH && isMoment(answer[0]) && isMoment(answer[6])) {
      return answer.map((value: unknown, index) =>
        index === 0 ? micro(value as number) : index === 6 ? microEnd(value as number) : value,
      );
    }
    return answer.map(inMicroseconds);
  }
  if (typeof answer !== 'object' || answer === null) return answer;
  const isCandle = 't' in answer && 'i' in answer && 'x' in answer && 'o' in answer;
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]: [string, unknown]) => {
      if (isCandle && name === 't' && isMoment(value)) return [name, micro(value)];
      if (isCandle && name === 'T' && isMoment(value)) return [name, microEnd(value)];
      return [name, MOMENTS.has(name) && isMoment(value) ? micro(value) : inMicroseconds(value)];
    }),
  );
}

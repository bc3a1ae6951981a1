/** What a file of candles may hold, for backtests and the simulated exchange alike. */
export type CandleRoom = {
  /** As it is on the disk, and unpacked. */
  readonly bytes: number;
  readonly rows: number;
  /** Bytes of one line, separators included. */
  readonly record: number;
};

/** Eleven years of minutes, and fewer bytes than the longest text of the engine; what is read takes a few times as much memory. */
export const CANDLE_ROOM: CandleRoom = { bytes: 500_000_000, rows: 6_000_000, record: 2000 };

/** A file of candles holds more than may be read. `line` is where, from 1; 0 where the whole file is too large. */
export class CandleRoomError extends Error {
  override readonly name = 'CandleRoomError';
  readonly code: 'TOO_LARGE' | 'TOO_MANY_ROWS' | 'LONG_RECORD';
  readonly limit: number;
  readonly line: number;
  constructor(code: CandleRoomError['code'], limit: number, line = 0) {
    const what = { TOO_LARGE: `holds more than ${limit} bytes`, TOO_MANY_ROWS: `holds more than ${limit} rows` };
    super(code === 'LONG_RECORD' ? `line ${line} is longer than ${limit} bytes` : what[code]);
    this.code = code;
    this.limit = limit;
    this.line = line;
  }
}

const NEW_LINE = 10;

/**
 * Looks through the bytes of an unpacked file before a text, a line or a cell of it is made: one line of commas alone
 * becomes gigabytes of cells. @throws CandleRoomError
 */
export function requireCandleRoom(bytes: Uint8Array, { bytes: most, rows: mostRows, record }: CandleRoom = CANDLE_ROOM): void {
  if (bytes.length > most) throw new CandleRoomError('TOO_LARGE', most);
  let rows = 0;
  for (let from = 0; from < bytes.length; rows += 1) {
    if (rows === mostRows) throw new CandleRoomError('TOO_MANY_ROWS', mostRows, rows + 1);
    const end = bytes.indexOf(NEW_LINE, from);
    const to = end < 0 ? bytes.length : end;
    if (to - from > record) throw new CandleRoomError('LONG_RECORD', record, rows + 1);
    from = to + 1;
  }
}

/** Rows that are worked on in a moment: a month of minutes in one go would hold back orders for half a second. */
const PIECE = 250;
/** Lets the process answer others before the next piece. */
const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Works through rows in order, answering others in between. `work` may throw, which ends it. */
export async function eachInPieces<Row>(rows: readonly Row[], work: (row: Row, index: number) => void): Promise<void> {
  for (let from = 0; from < rows.length; from += PIECE) {
    if (from > 0) await breathe();
    const to = Math.min(rows.length, from + PIECE);
    for (let index = from; index < to; index += 1) work(rows[index]!, index);
  }
}

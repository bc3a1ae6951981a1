/** Rows that are worked on in a moment: a month of minutes in one go would hold back orders for half a second. */
const PIECE = 250;
/** Lets the process answer others before the next piece. */
const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Works through rows in order, answering others in between. `work` may throw, which ends it. */
export async function eachInPieces<Row>(rows: Iterable<Row>, work: (row: Row) => void): Promise<void> {
  let done = 0;
  for (const row of rows) {
    if (done > 0 && done % PIECE === 0) await breathe();
    work(row);
    done += 1;
  }
}

/** Items that are gone through before others have their turn. */
const AT_ONCE = 2000;
const pause = () => new Promise<void>((done) => setImmediate(done));

/** Takes the steps of some work, with a turn for others between two. */
export async function inTurns<Value>(steps: Generator<undefined, Value, void>): Promise<Value> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await pause();
  }
}

/** Does something with each, with a turn for others in between. */
export async function eachInTurns<Item>(items: readonly Item[], work: (item: Item) => void): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % AT_ONCE === 0) await pause();
    work(item);
  }
}

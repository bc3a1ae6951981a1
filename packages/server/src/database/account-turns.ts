export type AccountTurns = ReturnType<typeof accountTurns>;

/**
 * Lets one piece of work at a time look at what is stored of an account and then write: between the look and the
 * write nothing comes in that the look did not see. A turn must not ask for another of the same account.
 */
export function accountTurns() {
  const last = new Map<string, Promise<unknown>>();
  return <Answer>(accountId: string, work: () => Promise<Answer>): Promise<Answer> => {
    const before = last.get(accountId) ?? Promise.resolve();
    const turn = before.then(work, work);
    const settled = turn
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        if (last.get(accountId) === settled) last.delete(accountId);
      });
    last.set(accountId, settled);
    return turn;
  };
}

import { codeOf, isConnectivity } from '@pilotfish/core/http/problem';

/** Sends under a key that stands for what is sent. */
export type Once = <Answer>(what: unknown, send: (idempotencyKey: string) => Promise<Answer>) => Promise<Answer>;

/**
 * What must happen once although it is pressed twice. A call whose answer is lost may have been heard: the same asked for
 * again goes out under the same key, and the server answers what it did then. Anything else, and anything after an
 * answer, has a key of its own.
 */
export function onceOf(newKey: () => string): Once {
  let unheard: { readonly text: string; readonly key: string } | undefined;
  return async (what, send) => {
    const text = JSON.stringify(what);
    const mine = unheard?.text === text ? unheard : { text, key: newKey() };
    unheard = mine;
    const forget = () => {
      if (unheard === mine) unheard = undefined;
    };
    try {
      const answer = await send(mine.key);
      forget();
      return answer;
    } catch (error) {
      // What a proxy says for a server that does not answer is no answer of the server.
      if (!isConnectivity(error) && codeOf(error) !== 'internal') forget();
      throw error;
    }
  };
}

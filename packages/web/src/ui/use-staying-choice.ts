import { useState } from 'react';

/**
 * Which one of a list is shown beside it. What is shown stays, also when it ends, others come before it or it leaves
 * the list: a press meant for one must never meet the next.
 * @param first what is shown before anything was chosen; choosing `undefined` asks for the first again
 */
export function useStayingChoice(first: string | undefined): [chosen: string | undefined, choose: (id: string | undefined) => void] {
  const [chosen, setChosen] = useState(first);
  if (chosen === undefined && first !== undefined) setChosen(first);
  return [chosen ?? first, setChosen];
}

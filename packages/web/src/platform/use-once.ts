import { useState } from 'react';
import { type Once, onceOf } from './once.ts';

/** For a form or a button that makes something: `onceOf`, kept as long as it is shown. */
export function useOnce(): Once {
  const [once] = useState(() => onceOf(() => crypto.randomUUID()));
  return once;
}

import { useState } from 'react';

/** A value, or while there is none the last that there was: what was read stays in sight until the next answer is there. */
export function useLast<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(() => value);
  return value ?? last;
}

import { useEffect, useReducer } from 'react';
import { afterEcho, changed, type OwnWrites } from '../own-writes.ts';

const ADDRESS_MS = 300;

/**
 * What is being typed, and the address it is written to after a pause. The router follows in transitions, and a field
 * bound to it would lose letters; an address that changed by itself is taken over.
 */
export function useTyped(address: string, write: (text: string) => void): [typed: string, onType: (text: string) => void] {
  const [held, setHeld] = useReducer(changed<OwnWrites & { text: string }>, { text: address, from: address, sent: [] });
  let current = held;
  if (address !== held.from) {
    const own = afterEcho(held, address);
    current = own ? { ...held, ...own } : { text: address, from: address, sent: [] };
    const seen = current;
    setHeld(() => seen);
  }
  const isAhead = current.text !== address;
  useEffect(() => {
    if (!isAhead) return;
    const timer = setTimeout(() => {
      setHeld((before) => ({ ...before, sent: [...before.sent, current.text] }));
      write(current.text);
    }, ADDRESS_MS);
    return () => clearTimeout(timer);
  }, [isAhead, current.text, write]);
  return [current.text, (text) => setHeld((before) => ({ ...before, text }))];
}

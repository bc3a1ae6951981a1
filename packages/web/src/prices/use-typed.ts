import { useEffect, useState } from 'react';

const ADDRESS_MS = 300;

/**
 * What is being typed, and the address it is written to after a pause. The router follows in transitions, and a field
 * bound to it would lose letters; an address that changed by itself is taken over.
 */
export function useTyped(address: string, write: (text: string) => void): [typed: string, onType: (text: string) => void] {
  const [held, setHeld] = useState({ text: address, from: address });
  let current = held;
  if (address !== held.from && address !== held.text) {
    current = { text: address, from: address };
    setHeld(current);
  }
  const isAhead = current.text !== address;
  useEffect(() => {
    if (!isAhead) return;
    const timer = setTimeout(() => write(current.text), ADDRESS_MS);
    return () => clearTimeout(timer);
  }, [isAhead, current.text, write]);
  return [current.text, (text) => setHeld({ text, from: address })];
}

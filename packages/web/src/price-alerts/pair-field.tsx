import { nameFrom } from '@pilotfish/core/money/asset-name';
import { isOffered } from '@pilotfish/core/prices/currency';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { useId } from 'react';
import { fold } from '../prices/pair-search.ts';
import { Field } from '../ui/controls.tsx';
import { Input } from '../ui/primitives.tsx';

/** Pairs offered at a time. */
const MOST = 30;

/** A pair by its name, with those that begin like it offered. */
export function PairField({
  label,
  value,
  pairs,
  error,
  onChange,
}: {
  label: string;
  value: string;
  pairs: ReadonlyMap<string, Pair> | undefined;
  error: string | undefined;
  onChange: (symbol: string) => void;
}) {
  const id = useId();
  const typed = nameFrom(fold(value));
  const offered = [...(pairs?.values() ?? [])]
    .filter((pair) => isOffered(pair) && pair.symbol.startsWith(typed) && pair.symbol !== typed)
    .map(({ symbol }) => symbol)
    .slice(0, MOST);
  return (
    <Field label={label} error={error}>
      {(control) => (
        <>
          <Input
            {...control}
            list={id}
            name="symbol"
            value={value}
            autoComplete="off"
            spellCheck={false}
            maxLength={20}
            placeholder="BTCUSDT"
            onChange={(event) => onChange(nameFrom(fold(event.currentTarget.value)))}
          />
          <datalist id={id}>
            {offered.map((symbol) => (
              <option key={symbol} value={symbol} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

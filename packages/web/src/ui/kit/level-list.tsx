import { chakra, Flex } from '@chakra-ui/react';
import type { Percent } from '@pilotfish/core/money/figure';
import { type KeyboardEvent, type ReactNode, type Ref, useId, useState } from 'react';
import { Distance } from './price.tsx';

export type LevelItem = {
  id: string;
  name: ReactNode;
  /** What happens there. */
  note?: ReactNode;
  price: ReactNode;
  tone: 'gain' | 'loss' | 'brand' | 'neutral' | 'warning';
  /** How far the price has to go; left out where no price is known. */
  distance?: Percent | null;
  /** What it brings. */
  outcome?: ReactNode;
  /** The present price, which stands among the levels and is none. */
  isPresent?: boolean;
};

const COLOURS = { gain: 'chart.up', loss: 'chart.down', brand: 'brand.solid', neutral: 'fg.subtle', warning: 'secondary.solid' } as const;
const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/**
 * The levels of a position from the highest price to the lowest, with the present one in its place. One stop of the Tab key;
 * arrows go from level to level, which `onChoose` follows.
 * @param isStale they are out of force, or old: grey
 */
export function LevelList({
  label,
  items,
  isStale = false,
  onChoose,
  ref,
}: {
  label: string;
  items: readonly LevelItem[];
  isStale?: boolean;
  onChoose?: (id: string) => void;
  ref?: Ref<HTMLUListElement>;
}) {
  const key = useId();
  const [chosen, setChosen] = useState<string>();
  const at = items.findIndex(({ id }) => id === chosen);
  const choose = (index: number) => {
    const item = items[Math.min(Math.max(index, 0), items.length - 1)];
    if (!item) return;
    setChosen(item.id);
    document.getElementById(`${key}${item.id}`)?.scrollIntoView({ block: 'nearest' });
    onChoose?.(item.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    const to = step === undefined ? { Home: 0, End: items.length - 1 }[event.key] : at < 0 ? 0 : at + step;
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    choose(to);
  };
  return (
    <chakra.ul
      ref={ref}
      role="listbox"
      aria-label={label}
      aria-activedescendant={at < 0 ? undefined : `${key}${chosen}`}
      tabIndex={0}
      className={isStale ? 'stale rings-inside' : 'rings-inside'}
      listStyleType="none"
      outlineOffset="-2px"
      onKeyDown={onKeyDown}
      onFocus={() => at < 0 && choose(0)}
    >
      {items.map((item, index) => (
        <chakra.li
          key={item.id}
          id={`${key}${item.id}`}
          role="option"
          aria-selected={index === at}
          display="grid"
          gridTemplateColumns="4px minmax(0, 1fr) auto"
          gap="2.5"
          alignItems="center"
          ps="4"
          pe="4"
          minH={item.isPresent ? '7' : '42px'}
          py="1"
          borderTopWidth="1px"
          borderColor="border.subtle"
          bg={item.isPresent ? 'fg' : undefined}
          color={item.isPresent ? 'bg' : undefined}
          lineHeight="16px"
          css={{
            fontVariantNumeric: 'tabular-nums',
            '&[aria-selected=true]': item.isPresent ? { textDecoration: 'underline' } : { background: 'var(--chakra-colors-bg-raised)' },
          }}
          onClick={() => choose(index)}
        >
          {item.isPresent ? (
            <>
              <span />
              <span>{item.name}</span>
              <chakra.span fontWeight="650">{item.price}</chakra.span>
            </>
          ) : (
            <Level {...item} isStale={isStale} />
          )}
        </chakra.li>
      ))}
    </chakra.ul>
  );
}

const Level = ({ name, note, price, tone, distance, outcome, isStale }: LevelItem & { isStale: boolean }) => (
  <>
    <chakra.i h="6" borderRadius="2px" bg={isStale ? 'border.control' : COLOURS[tone]} />
    <chakra.span minW="0">
      <chakra.span display="block" fontWeight="560" truncate>
        {name}
      </chakra.span>
      {note !== undefined && (
        <chakra.span display="block" fontSize="12px" color={isStale ? undefined : 'fg.muted'} truncate>
          {note}
        </chakra.span>
      )}
    </chakra.span>
    <Flex as="span" direction="column" align="flex-end">
      <chakra.span fontWeight="560">{price}</chakra.span>
      <chakra.span fontSize="12px" color={isStale ? undefined : 'fg.muted'} whiteSpace="nowrap">
        {distance != null && <Distance value={distance} reason="" />}
        {distance != null && outcome !== undefined && ' · '}
        {outcome}
      </chakra.span>
    </Flex>
  </>
);

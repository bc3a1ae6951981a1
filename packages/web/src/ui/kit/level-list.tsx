import { chakra, Flex } from '@chakra-ui/react';
import type { Percent } from '@pilotfish/core/money/figure';
import { type KeyboardEvent, type ReactNode, type Ref, useId, useState } from 'react';
import { Icon } from '../icons.tsx';
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
  /** It can be moved. `value` says it in words: `Stop 95,900.00, sells all`. */
  grip?: { label: string; value: string; now: number };
  /** It is being moved: arrows move it. */
  isTaken?: boolean;
  /** Where it would go, while that is not confirmed. */
  draft?: ReactNode;
};

/** What moves the levels that have a grip. */
export type LevelListMoves = {
  /** @param byKey Enter: arrows move it from then on */
  onTake: (id: string, byKey: boolean) => void;
  /** Of the level that is being moved. Answers whether it took the key. */
  onKeyDown: (id: string, event: KeyboardEvent) => boolean;
  /** What its keys do, for who hears of it. */
  hint: string;
};

const COLOURS = { gain: 'chart.up', loss: 'chart.down', brand: 'brand.solid', neutral: 'fg.subtle', warning: 'secondary.solid' } as const;
const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/**
 * The levels of a position from the highest price to the lowest, with the present one in its place. One stop of the Tab key;
 * arrows go from level to level, and Enter takes hold of one that can be moved.
 * @param isStale they are out of force, or old: grey
 */
export function LevelList({
  label,
  items,
  isStale = false,
  moves,
  ref,
}: {
  label: string;
  items: readonly LevelItem[];
  isStale?: boolean;
  moves?: LevelListMoves | undefined;
  ref?: Ref<HTMLUListElement>;
}) {
  const key = useId();
  const [chosen, setChosen] = useState<string>();
  const at = Math.max(
    0,
    items.findIndex(({ id }) => id === chosen),
  );
  const hasGrips = items.some(({ grip }) => grip);
  const onKeyDown = (event: KeyboardEvent) => {
    const item = items[at];
    if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
    if (item.isTaken && moves?.onKeyDown(item.id, event)) return;
    const step = STEPS[event.key];
    const to = step === undefined ? { Home: 0, End: items.length - 1 }[event.key] : at + step;
    if (to !== undefined) document.getElementById(`${key}${items[Math.min(Math.max(to, 0), items.length - 1)]?.id}`)?.focus();
    else if ((event.key === 'Enter' || event.key === ' ') && item.grip && !event.repeat) moves?.onTake(item.id, true);
    else return;
    event.preventDefault();
  };
  return (
    <>
      {moves && (
        <span id={`${key}hint`} className="visually-hidden">
          {moves.hint}
        </span>
      )}
      <chakra.ul
        ref={ref}
        aria-label={label}
        className={isStale ? 'stale rings-inside' : 'rings-inside'}
        listStyleType="none"
        css={{ '& :focus-visible': { outlineOffset: '-2px' } }}
        onKeyDown={onKeyDown}
      >
        {items.map((item, index) => {
          const spot = {
            id: `${key}${item.id}`,
            tabIndex: index === at ? 0 : -1,
            onFocus: () => setChosen(item.id),
            // So that it is known which level the keys belong to.
            'data-level': item.id,
          };
          return (
            <chakra.li
              key={item.id}
              display="grid"
              gridTemplateColumns={
                hasGrips ? { base: '4px minmax(0, 1fr) auto 44px', md: '4px minmax(0, 1fr) auto 28px' } : '4px minmax(0, 1fr) auto'
              }
              columnGap={hasGrips ? { base: '1.5', md: '2.5' } : '2.5'}
              alignItems="center"
              ps="4"
              pe={hasGrips ? { base: '0', md: '1.5' } : '4'}
              minH={item.isPresent ? '7' : '42px'}
              py={item.grip ? '0' : '1'}
              borderTopWidth="1px"
              borderColor="border.subtle"
              lineHeight="16px"
              {...(item.isPresent ? { bg: 'fg', color: 'bg' } : {})}
              css={{
                fontVariantNumeric: 'tabular-nums',
                ...(item.isTaken && { background: 'color-mix(in srgb, var(--chakra-colors-secondary-solid) 9%, transparent)' }),
                '&:focus-within': item.isPresent ? { textDecoration: 'underline' } : { background: 'var(--chakra-colors-bg-raised)' },
              }}
              {...(item.grip ? {} : spot)}
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
              {item.grip && <Grip {...item.grip} spot={spot} hintId={`${key}hint`} onTake={() => moves?.onTake(item.id, false)} />}
            </chakra.li>
          );
        })}
      </chakra.ul>
    </>
  );
}

/** Of a level that can be moved: what has the focus, and what a finger or a mouse takes hold of. */
const Grip = ({
  label,
  value,
  now,
  spot,
  hintId,
  onTake,
}: NonNullable<LevelItem['grip']> & { spot: object; hintId: string; onTake: () => void }) => (
  <chakra.span
    {...spot}
    role="slider"
    aria-label={label}
    aria-describedby={hintId}
    aria-orientation="vertical"
    aria-valuemin={0}
    aria-valuemax={now * 2}
    aria-valuenow={now}
    aria-valuetext={value}
    display="inline-flex"
    alignItems="center"
    justifyContent="center"
    w={{ base: '11', md: '7' }}
    h={{ base: '11', md: '9' }}
    borderRadius="control"
    color="fg.muted"
    cursor="pointer"
    _hover={{ color: 'fg' }}
    onClick={onTake}
  >
    <Icon name="edit" size={15} />
  </chakra.span>
);

const Level = ({ name, note, price, tone, distance, outcome, isTaken, draft, isStale }: LevelItem & { isStale: boolean }) => (
  <>
    <chakra.i h="6" borderRadius="2px" bg={isTaken ? 'secondary.solid' : isStale ? 'border.control' : COLOURS[tone]} />
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
      <chakra.span fontWeight="560" whiteSpace="nowrap">
        {draft ?? price}
      </chakra.span>
      <chakra.span fontSize="12px" color={isStale ? undefined : 'fg.muted'} whiteSpace="nowrap">
        {draft !== undefined && (
          <>
            <s>{price}</s>{' '}
          </>
        )}
        {distance != null && <Distance value={distance} reason="" />}
        {distance != null && outcome !== undefined && ' · '}
        {outcome}
      </chakra.span>
    </Flex>
  </>
);

import { Box, chakra, Flex, Heading, Text } from '@chakra-ui/react';
import { add, decimal, toFloat, toText, ZERO } from '@pilotfish/core/money/decimal';
import { isNothing, type Money } from '@pilotfish/core/money/figure';
import { formatResult, formatRoughly } from '@pilotfish/core/money/format';
import { dayAfter } from '@pilotfish/core/time/calendar-day';
import { type CSSProperties, type KeyboardEvent, useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton, Panel } from '../controls.tsx';
import { addMonths, monthWeeks, weekStart } from './calendar-weeks.ts';
import { Result } from './result.tsx';

export type CalendarDay = { readonly day: string; readonly exits: number; readonly net: Money };

/** A fee that was paid with a coin has a result without an exit. */
const hasResult = ({ exits, net }: CalendarDay): boolean => exits > 0 || !isNothing(net);

/** How strong the tint of a day is: never so faint that it is none, never so strong that the figure on it is hard to read. */
const TINT = { least: 10, most: 48 } as const;
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/** The month in sight: the last one of the days, until another one of them is chosen. */
export function useMonth(days: readonly CalendarDay[]) {
  const [chosen, choose] = useState<string>();
  const [first, last] = [days[0]?.day.slice(0, 7), days.at(-1)?.day.slice(0, 7)];
  const month = chosen !== undefined && first !== undefined && last !== undefined && chosen >= first && chosen <= last ? chosen : last;
  const step = (by: number): boolean => {
    const next = month === undefined ? undefined : addMonths(month, by);
    if (next === undefined || first === undefined || last === undefined || next < first || next > last) return false;
    choose(next);
    return true;
  };
  return { month, first, last, step, choose };
}

/**
 * Results day by day, one month at a time: a table, with the sign and the figure in every day, so that colour says nothing
 * alone. Days with results are buttons, of which one is a stop of the Tab key; arrows go from one to the next.
 */
export function DayCalendar({
  days,
  month,
  today,
  chosen,
  currency,
  view,
  onDay,
}: {
  days: readonly CalendarDay[];
  month: string;
  today: string;
  /** A day that the page is about. */
  chosen: string | undefined;
  currency: string;
  view: ReturnType<typeof useMonth>;
  onDay: (day: string) => void;
}) {
  const { t, i18n } = useTranslation();
  const id = useId();
  const table = useRef<HTMLTableElement>(null);
  const language = i18n.language;
  const of = useMemo(() => new Map(days.filter(({ day }) => day.startsWith(month)).map((each) => [each.day, each])), [days, month]);
  const weeks = useMemo(() => monthWeeks(month, weekStart(globalThis.navigator?.language)), [month]);
  const pickable = [...of.values()].filter(hasResult).map(({ day }) => day);
  const sizes = [...of.values()].map(({ net }) => Math.abs(toFloat(decimal(net))));
  const largest = Math.max(...sizes, 0) || 1;
  const total = [...of.values()].reduce((sum, { net }) => add(sum, decimal(net)), ZERO);
  const [at, setAt] = useState<string>();
  const stop = [at, chosen, pickable.at(-1)].find((day) => day !== undefined && pickable.includes(day));
  // A key went over the edge of a month: the focus goes along, once its days are there.
  const goes = useRef<'first' | 'last'>(undefined);
  const focus = (day: string | undefined) => {
    if (day === undefined) return;
    setAt(day);
    table.current?.querySelector<HTMLElement>(`[data-day="${day}"]`)?.focus();
  };
  const land = useEffectEvent(() => {
    if (goes.current) focus(goes.current === 'first' ? pickable[0] : pickable.at(-1));
    goes.current = undefined;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another month moves the focus
  useEffect(() => land(), [month]);
  const onKeyDown = (event: KeyboardEvent) => {
    const byMonth = { PageUp: -1, PageDown: 1 }[event.key];
    const step = STEPS[event.key];
    if (stop === undefined || (byMonth === undefined && step === undefined)) return;
    event.preventDefault();
    const wanted = step === undefined ? undefined : dayAfter(stop, step);
    // The nearest day that way: those without exits are no buttons.
    const next =
      wanted === undefined || step === undefined
        ? undefined
        : step < 0
          ? pickable.findLast((day) => day <= wanted)
          : pickable.find((day) => day >= wanted);
    const by = byMonth ?? (step !== undefined && step < 0 ? -1 : 1);
    if (next !== undefined) focus(next);
    else if (view.step(by)) goes.current = by < 0 ? 'last' : 'first';
  };
  const name = (options: Intl.DateTimeFormatOptions, day: string) =>
    new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { ...options, timeZone: 'UTC' }).format(Date.parse(day));
  const title = name({ month: 'long', ...(month.slice(0, 4) === today.slice(0, 4) ? {} : { year: 'numeric' }) }, `${month}-01`);
  return (
    <Panel p="0" aria-labelledby={id} display="flex" flexDirection="column">
      <Flex align="center" gap="2.5" minH="11" py="1.5" ps={{ base: '3.5', md: '4' }} pe="2">
        <Heading as="h2" id={id} fontSize="13px" lineHeight="18px" fontWeight="620">
          {title}
        </Heading>
        <Text as="span" fontSize="13px" fontWeight="600">
          <Result value={toText(total)} currency={currency} reason="" />
        </Text>
        <Flex ms="auto" gap="1" css={{ '@media (max-width: 767px)': { '& button': { minHeight: '44px', minWidth: '44px' } } }}>
          <IconButton icon="back" label={t('performance.previousMonth')} disabled={month === view.first} onClick={() => view.step(-1)} />
          <Box css={{ '& svg': { transform: 'scaleX(-1)' } }}>
            <IconButton icon="back" label={t('performance.nextMonth')} disabled={month === view.last} onClick={() => view.step(1)} />
          </Box>
        </Flex>
      </Flex>
      <Box px={{ base: '2.5', md: '3' }} pb="3" flex="1">
        <span id={`${id}-keys`} className="visually-hidden">
          {t('performance.calendarKeys')}
        </span>
        <chakra.table
          ref={table}
          aria-labelledby={id}
          aria-describedby={`${id}-keys`}
          w="100%"
          css={{ tableLayout: 'fixed', borderCollapse: 'separate', borderSpacing: '4px' }}
          onKeyDown={onKeyDown}
        >
          <thead>
            <tr>
              {Array.from({ length: 7 }, (_, place) => dayAfter(weeks[1]?.[0] ?? `${month}-01`, place)).map((day) => (
                <chakra.th
                  key={day}
                  scope="col"
                  abbr={name({ weekday: 'long' }, day)}
                  fontSize="11px"
                  lineHeight="14px"
                  fontWeight="450"
                  color="fg.subtle"
                  textAlign="center"
                >
                  {name({ weekday: 'short' }, day)}
                </chakra.th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeks.map((week, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: weeks never move
              <tr key={row}>
                {week.map((day, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: days never move
                  <chakra.td key={place} p="0" h={{ base: '44px', md: '49px' }}>
                    {day !== undefined && (
                      <Day
                        day={day}
                        of={of.get(day)}
                        share={Math.abs(toFloat(decimal(of.get(day)?.net ?? '0'))) / largest}
                        isToday={day === today}
                        isChosen={day === chosen}
                        isStop={day === stop}
                        label={name({ day: 'numeric', month: 'long' }, day)}
                        currency={currency}
                        onPick={() => {
                          setAt(day);
                          onDay(day);
                        }}
                      />
                    )}
                  </chakra.td>
                ))}
              </tr>
            ))}
          </tbody>
        </chakra.table>
      </Box>
    </Panel>
  );
}

const cell = {
  position: 'relative',
  display: 'flex',
  flexDirection: 'column',
  justifyContent: 'space-between',
  w: '100%',
  h: '100%',
  px: '6px',
  py: '4px',
  borderRadius: '5px',
  borderWidth: '1px',
  borderColor: 'transparent',
  textAlign: 'start',
  overflow: 'hidden',
  fontSize: '10.5px',
  lineHeight: '12px',
} as const;

function Day({
  day,
  of,
  share,
  isToday,
  isChosen,
  isStop,
  label,
  currency,
  onPick,
}: {
  day: string;
  of: CalendarDay | undefined;
  /** Of the largest result of the month, 0 to 1. */
  share: number;
  isToday: boolean;
  isChosen: boolean;
  isStop: boolean;
  label: string;
  currency: string;
  onPick: () => void;
}) {
  const { t } = useTranslation();
  const number = Number(day.slice(8));
  const ring = isToday ? { boxShadow: '0 0 0 2px var(--chakra-colors-fg)' } : {};
  const words = isToday ? <span className="visually-hidden">, {t('performance.today')}</span> : null;
  if (of === undefined || !hasResult(of))
    return (
      <Box
        {...cell}
        css={ring}
        {...(of === undefined ? { borderStyle: 'dashed', borderColor: 'border.subtle', color: 'fg.subtle' } : { bg: 'bg.raised' })}
      >
        <span>
          {number}
          {words}
        </span>
      </Box>
    );
  const text = formatRoughly(of.net);
  const tone = /^[+]/.test(text) ? 'up' : /[1-9]/.test(text) ? 'down' : undefined;
  const tint = TINT.least + (TINT.most - TINT.least) * share;
  return (
    <chakra.button
      type="button"
      {...cell}
      cursor="pointer"
      data-day={day}
      tabIndex={isStop ? 0 : -1}
      aria-pressed={isChosen}
      aria-current={isToday ? 'date' : undefined}
      // In a class, not in the style: grey days have another ground (`app.css`).
      css={{ ...ring, background: 'var(--tint)', '&[aria-pressed=true]': { borderColor: 'var(--chakra-colors-fg)', borderWidth: '2px' } }}
      style={
        {
          '--tint':
            tone === undefined
              ? 'var(--chakra-colors-bg-raised)'
              : `color-mix(in srgb, var(--chakra-colors-chart-${tone}) ${tint.toFixed(0)}%, var(--chakra-colors-bg-panel))`,
        } as CSSProperties
      }
      onClick={onPick}
    >
      <span aria-hidden="true">{number}</span>
      <span className="visually-hidden">
        {t('performance.dayLabel', {
          day: label,
          amount: formatResult(of.net, currency),
          exits: t('performance.exits', { count: of.exits }),
        })}
      </span>
      <chakra.span
        aria-hidden="true"
        alignSelf="flex-end"
        fontSize={{ base: '11px', sm: '12px' }}
        lineHeight="14px"
        fontWeight="620"
        css={{ fontVariantNumeric: 'tabular-nums' }}
      >
        {text}
      </chakra.span>
    </chakra.button>
  );
}

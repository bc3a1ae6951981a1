import { UNKNOWN } from '../money/format.ts';

/** Who reads a time, and when: it decides the words, the clock, the zone and whether the day has to be said. */
export type TimeReader = {
  language: string;
  /** By the region of the reader (`clockOf`), not by the language: English is read in Istanbul, too. */
  clock: '24h' | '12h';
  /** The machine's own where it is left out. */
  timeZone?: string | undefined;
  /** Epoch ms. */
  now: number;
};

/**
 * How much of a moment is said. `brief`: the clock today, the day else, `14:21`, `24 Nov`. `minute` and `second`: the same with the
 * clock on every day, `24 Nov 14:21`, `24 Nov 14:21:08`. `dated`: to the minute, with the day also today. `day`, `month`, `clock`: only that.
 */
export type MomentDetail = 'brief' | 'minute' | 'second' | 'dated' | 'day' | 'month' | 'clock';

/** What a locale knows of its region; engines have one of the two, or none, and the compiler's library neither. */
type WithCycles = Intl.Locale & { readonly hourCycles?: readonly string[]; readonly getHourCycles?: () => readonly string[] };

/** The clock of a locale's region, `en-US` or `en_US.UTF-8`; 24 hours where it names none. */
export function clockOf(locale: string | undefined): TimeReader['clock'] {
  const region = /^[a-z]{2,3}(?:[-_][a-z]{4})?[-_]([a-z]{2})(?![a-z\d])/i.exec(locale ?? '')?.[1];
  if (region === undefined) return '24h';
  // A format asks the language first: in English it has 12 hours for Istanbul, too.
  const known: WithCycles = new Intl.Locale(`und-${region}`);
  const cycle = (known.getHourCycles?.() ?? known.hourCycles)?.[0];
  const has12 =
    cycle === undefined ? new Intl.DateTimeFormat(known.maximize().toString(), { hour: 'numeric' }).resolvedOptions().hour12 : cycle < 'h2';
  return has12 ? '12h' : '24h';
}

/** One is slow to make, and a table asks for the same one in every row. */
const formats = new Map<string, Intl.DateTimeFormat>();
function formatOf(kind: string, language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${kind} ${language} ${options.timeZone ?? ''}`;
  const held = formats.get(key);
  // Without a zone it is the machine's, which a test or the page may change.
  if (held && options.timeZone !== undefined) return held;
  const made = new Intl.DateTimeFormat(language, options);
  formats.set(key, made);
  return made;
}

type Day = { readonly day: string; readonly month: string; readonly year: string };
function dayOf(at: number, { language, timeZone }: TimeReader): Day {
  const parts = formatOf('day', language, { day: 'numeric', month: 'short', year: 'numeric', timeZone }).formatToParts(at);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  return { day: part('day'), month: part('month'), year: part('year') };
}
const isSame = (one: Day, other: Day): boolean => one.day === other.day && one.month === other.month && one.year === other.year;

function clockText(at: number, { language, clock, timeZone }: TimeReader, seconds: boolean): string {
  const options: Intl.DateTimeFormatOptions = {
    ...(clock === '12h' ? { hour: 'numeric', hour12: true } : { hour: '2-digit', hourCycle: 'h23' }),
    minute: '2-digit',
    ...(seconds ? { second: '2-digit' } : {}),
    timeZone,
  };
  // Its narrow space before AM and PM is missing in many a terminal's font.
  return formatOf(`${clock}${seconds}`, language, options).format(at).replaceAll('\u202f', ' ');
}

const DAY_MS = 86_400_000;

/**
 * A moment as its reader writes it: today by the clock, yesterday and within the year by the day, else with the year.
 * @param at epoch ms, or an ISO text; a dash for what is neither
 */
export function formatMoment(at: number | string, reader: TimeReader, detail: MomentDetail = 'brief'): string {
  const ms = typeof at === 'string' ? Date.parse(at) : at;
  if (Number.isNaN(ms)) return UNKNOWN;
  if (detail === 'clock') return clockText(ms, reader, false);
  const [then, today] = [dayOf(ms, reader), dayOf(reader.now, reader)];
  if (detail === 'month') return `${then.month} ${then.year}`;
  const isToday = isSame(then, today);
  const clock = detail === 'day' || (detail === 'brief' && !isToday) ? '' : clockText(ms, reader, detail === 'second');
  if (isToday && clock !== '' && detail !== 'dated') return clock;
  const needsYear = then.year !== today.year && !isSame(then, dayOf(reader.now - DAY_MS, reader));
  return [then.day, then.month, needsYear ? then.year : '', clock].filter((part) => part !== '').join(' ');
}

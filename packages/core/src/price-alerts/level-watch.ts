import { type LevelIndex, levelIndex } from './level-index.ts';
import type { LevelRule } from './level-rule.ts';

export type LevelEvent<Key> = {
  readonly key: Key;
  readonly what: 'fired' | 'left';
  /** The price that was looked at; of a bar, the level that it went through. */
  readonly price: number;
  /** Market time, ms; the open time of a bar. */
  readonly at: number;
};
export type LevelBar = { readonly openTime: number; readonly high: number; readonly low: number; readonly close: number };
/** Bars are of one minute. */
const BAR_MS = 60_000;
type Watched<Key> = { readonly key: Key; readonly symbol: number; readonly rule: LevelRule; since: number; ids: number[] };

export type LevelWatch<Key> = ReturnType<typeof levelWatch<Key>>;

/** Rules over many symbols, woken by an index of their thresholds. Whoever hears an event arms the rule again, or removes it. */
export function levelWatch<Key>(tell: (event: LevelEvent<Key>) => void) {
  const index: LevelIndex = levelIndex();
  const watched = new Map<Key, Watched<Key>>();
  const byId: (Watched<Key> | undefined)[] = [];

  function sleep(entry: Watched<Key>): void {
    for (const id of entry.ids) {
      index.remove(id);
      byId[id] = undefined;
    }
    entry.ids = [];
  }
  function wait(entry: Watched<Key>): void {
    sleep(entry);
    if (watched.get(entry.key) !== entry) return;
    const { up, down } = entry.rule.wakes();
    for (const [side, threshold] of [
      ['up', up],
      ['down', down],
    ] as const) {
      if (threshold === undefined) continue;
      const id = index.add(entry.symbol, side, threshold);
      entry.ids.push(id);
      byId[id] = entry;
    }
  }
  function look(entry: Watched<Key>, price: number, at: number): boolean {
    if (watched.get(entry.key) !== entry) return false;
    const before = entry.rule.memory;
    const found = entry.rule.look(price);
    // A bar is told after its beginning: what is known of a later moment stays known of that.
    if (entry.rule.memory !== before) entry.since = Math.max(entry.since, at);
    if (found === undefined) return false;
    tell({ key: entry.key, what: found.what, price, at });
    return found.what === 'fired';
  }

  return {
    /** Watches a rule; one that has no price yet waits for `begin`. `since`: market time from which its memory is true. */
    add: (key: Key, symbol: number, rule: LevelRule, since: number): void => {
      const known = watched.get(key);
      if (known) sleep(known);
      const entry: Watched<Key> = { key, symbol, rule, since, ids: [] };
      watched.set(key, entry);
      wait(entry);
    },
    remove: (key: Key): void => {
      const entry = watched.get(key);
      if (entry === undefined) return;
      sleep(entry);
      watched.delete(key);
    },
    /** The rule was changed from outside: its thresholds are read anew. */
    changed: (key: Key, since: number): void => {
      const entry = watched.get(key);
      if (entry === undefined) return;
      entry.since = since;
      wait(entry);
    },
    since: (key: Key): number | undefined => watched.get(key)?.since,
    tick: (symbol: number, price: number, at: number): void => {
      let reached: Set<Watched<Key>> | undefined;
      // All of them are taken out before any is looked at: looking hands out ids anew.
      index.tick(symbol, price, (id) => {
        const entry = byId[id];
        byId[id] = undefined;
        if (entry === undefined) return;
        entry.ids = entry.ids.filter((each) => each !== id);
        reached ??= new Set();
        reached.add(entry);
      });
      for (const entry of reached ?? []) {
        look(entry, price, at);
        wait(entry);
      }
    },
    /**
     * A bar that ended: fires what its ends reached and no tick told of. Only rules whose memory is older than the bar
     * are asked about its ends: of the others nobody knows which came first. Its close came after all that was known
     * while it ran, so of those it still tells that the price is beyond the level now.
     */
    bar: (symbol: number, { openTime, high, low, close }: LevelBar): void => {
      const entries = new Set(index.within(symbol, low, high).map((id) => byId[id]));
      for (const entry of entries) {
        if (entry === undefined || entry.since >= openTime + BAR_MS) continue;
        const ends = entry.since > openTime ? [] : entry.rule.highFirst ? [high, low] : [low, high];
        for (const price of [...ends, close]) if (look(entry, price, openTime)) break;
        wait(entry);
      }
    },
    get size(): number {
      return watched.size;
    },
  };
}

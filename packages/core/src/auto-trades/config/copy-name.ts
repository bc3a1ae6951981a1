const MOST_LENGTH = 64;

/**
 * A free name for a copy: `Dip copy`, then `Dip copy 2`. Capital letters do not tell names apart.
 * @param suffix what follows the name, in the reader's language: `copy`
 */
export function copyName(name: string, taken: readonly string[], suffix: string): string {
  const used = new Set(taken.map((each) => each.toLowerCase()));
  // A copy of a copy is one more copy of the first.
  const base = name.replace(new RegExp(` ${suffix}( \\d+)?$`, 'i'), '');
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? ` ${suffix}` : ` ${suffix} ${number}`;
    const free = `${base.slice(0, MOST_LENGTH - end.length).trimEnd()}${end}`;
    if (!used.has(free.toLowerCase())) return free;
  }
}

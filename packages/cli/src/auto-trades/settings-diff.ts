import type { Draft } from './bot-source.ts';

/** One setting that differs, by its path in a file; null where one side does not have it. */
export type SettingChange = { readonly path: string; readonly before: string | null; readonly after: string | null };

/** Lists that are read as one thing: coins, names and rules. */
const WHOLE: ReadonlySet<string> = new Set(['symbols', 'filters', 'rules', 'conditions']);

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(text).join(', ');
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const { match, rules } = value as { match?: string; rules?: unknown[] };
  if (match !== undefined && Array.isArray(rules)) return `${match}(${rules.map(text).join('; ')})`;
  return JSON.stringify(value);
}

function leaves(value: unknown, path: string, key: string, into: Map<string, string>): Map<string, string> {
  const entries = typeof value === 'object' && value !== null && !WHOLE.has(key) ? Object.entries(value) : [];
  if (entries.length > 0) for (const [name, each] of entries) leaves(each, path === '' ? name : `${path}.${name}`, name, into);
  else if (value !== undefined && !(Array.isArray(value) && value.length === 0)) into.set(path, text(value));
  return into;
}

/** What differs between two settings in the form of a file, in the order of the second. */
export function settingsDiff(before: Draft, after: Draft): SettingChange[] {
  const [old, fresh] = [leaves(before, '', '', new Map()), leaves(after, '', '', new Map())];
  // A setting that is null on one side and has parts on the other is told by its parts.
  const isTold = (path: string, other: ReadonlyMap<string, string>) => [...other.keys()].some((each) => each.startsWith(`${path}.`));
  const changes: SettingChange[] = [];
  for (const path of new Set([...fresh.keys(), ...old.keys()])) {
    const [was, is] = [old.get(path) ?? null, fresh.get(path) ?? null];
    if (was === is || (was === 'null' && is === null && isTold(path, fresh)) || (is === 'null' && was === null && isTold(path, old)))
      continue;
    changes.push({ path, before: was, after: is });
  }
  return changes;
}

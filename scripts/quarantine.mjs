// `quarantine.json`: tests that are known to fail by chance, `{ file, test, since, feature, reason }` each. They run and
// are told, and refuse nothing; so there may be few of them, and for a short time. Part of `npm run structure`.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changedFiles } from './changed-files.mjs';

const MOST = 15;
const MOST_DAYS = 14;
const DAY_MS = 86_400_000;
const FIELDS = ['file', 'test', 'since', 'feature', 'reason'];

/** What is wrong with one entry in itself. */
function problemsOf(entry, root, now) {
  const problems = FIELDS.filter((field) => typeof entry[field] !== 'string' || entry[field].trim() === '').map((field) => `no ${field}`);
  if (problems.length > 0) return problems;
  if (!existsSync(join(root, entry.file))) return ['the file does not exist; delete the entry'];
  // The names of suites are joined by " > ", and what `test.each` puts in is not in the text: its longest other piece is.
  const piece = entry.test
    .split(' > ')
    .at(-1)
    .split(/['"`\\\d{}$%]/)
    .sort((one, other) => other.length - one.length)[0];
  if (!readFileSync(join(root, entry.file), 'utf8').includes(piece)) problems.push('no such test; delete the entry');
  const age = now - Date.parse(`${entry.since}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(entry.since) || !(age >= 0)) problems.push(`since ${entry.since}, which is no day until today`);
  return problems;
}

/**
 * What is wrong with the list. An entry that only grew too old is a warning unless the change has to do with it: no change
 * is refused because a night went by.
 * @param root the repository
 * @returns {{ problems: string[], warnings: string[] }}
 */
export function quarantineProblems(root, { now = Date.now(), changed = changedFiles(root) } = {}) {
  const path = join(root, 'quarantine.json');
  if (!existsSync(path)) return { problems: [], warnings: [] };
  const entries = JSON.parse(readFileSync(path, 'utf8'));
  const problems = entries.length > MOST ? [`quarantine.json: ${entries.length} entries, at most ${MOST}: mend one first`] : [];
  const warnings = [];
  const seen = new Set();
  for (const entry of entries) {
    const place = `quarantine.json: ${entry.file} > ${entry.test}`;
    problems.push(...problemsOf(entry, root, now).map((problem) => `${place}: ${problem}`));
    if (seen.has(place)) problems.push(`${place}: named twice`);
    seen.add(place);
    const days = Math.floor((now - Date.parse(entry.since)) / DAY_MS);
    if (days <= MOST_DAYS) continue;
    const isTouched = changed.includes('quarantine.json') || changed.includes(entry.file);
    (isTouched ? problems : warnings).push(`${place}: ${days} days in quarantine, at most ${MOST_DAYS}: mend the test, or delete it`);
  }
  return { problems, warnings };
}

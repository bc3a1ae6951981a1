// `npm run asvs`: writes docs/asvs.md, and the items that are not met in docs/security.md, from docs/asvs.json.
// `npm run structure` says when either is older than that, and when a test that an item names is not there.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const APPLIES = ['yes', 'partly', 'not met', 'operator', 'no'];
const [BEGIN, END] = ['<!-- not met: npm run asvs -->', '<!-- /not met -->'];
const NOTE = '<!-- Written by `npm run asvs` from asvs.json. -->';

const read = (root) => JSON.parse(readFileSync(join(root, 'docs/asvs.json'), 'utf8'));

function table(head, rows) {
  const wide = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(wide[column])).join(' | ')} |`;
  return [line(head), line(wide.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** The generated documents by their path. */
function documents(root) {
  const { standard, chapters, items } = read(root);
  const named = ({ id, title }) => `${id} ${title}`;
  const all = Object.entries(chapters).map(([chapter, title]) => {
    const rows = items
      .filter(({ id }) => id.startsWith(`${chapter}.`))
      .map((item) => [
        named(item),
        item.applies === 'not met' ? '**not met**' : item.applies,
        item.how,
        item.evidence.map((path) => `\`${path}\``).join(', '),
      ]);
    return `## V${chapter} ${title}\n\n${table(['Item', 'Applies', 'How', 'Evidence'], rows)}\n`;
  });
  const lead =
    '**Applies** says _yes_ (met), _partly_, **not met** with reason and risk, _operator_ (what the one who runs it must do), or _no_ (there is nothing of the kind; the evidence then is the test of what there is instead). Paths begin in `packages/`.';
  const notMet = items.filter(({ applies }) => applies === 'not met').map((item) => [named(item), item.how]);
  const security = readFileSync(join(root, 'docs/security.md'), 'utf8');
  const [before, rest] = security.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`docs/security.md: ${BEGIN} … ${END} is not there`);
  return {
    'docs/asvs.md': `${NOTE}\n\n# ${standard}\n\n${lead}\n\n${all.join('\n')}`,
    'docs/security.md': `${before}${BEGIN}\n\n${table(['Item', 'Why, and the risk'], notMet)}\n\n${END}${after}`,
  };
}

/** What is wrong with the items, and which document is stale. */
export function asvsProblems(root) {
  const problems = read(root).items.flatMap(({ id, title, applies, how, evidence }) => {
    const place = `docs/asvs.json: ${id}`;
    const unknown = evidence.filter((path) => !existsSync(join(root, 'packages', path)) || !/\.(test|e2e)\.tsx?$/.test(path));
    return [
      ...(title === '' || how === '' || evidence.length === 0 ? [`${place} lacks a title, a how or a test`] : []),
      ...(APPLIES.includes(applies) ? [] : [`${place} says ${applies}, not one of ${APPLIES.join(', ')}`]),
      ...(applies === 'not met' && !/\brisk\b/i.test(how) ? [`${place} is not met and names no risk`] : []),
      ...unknown.map((path) => `${place} names packages/${path}, which is no test that exists`),
    ];
  });
  for (const [path, text] of Object.entries(documents(root)))
    if (!existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text) problems.push(`${path} is stale: npm run asvs`);
  return problems;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  for (const [path, text] of Object.entries(documents(root))) writeFileSync(join(root, path), text);
}

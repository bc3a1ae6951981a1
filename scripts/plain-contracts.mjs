// Puts contracts without schemas into the terminal app: what is asked of the server is the same, and its answers are
// checked by data that was made of the schemas here (core/src/http/plain-answer.ts). Building schemas takes longer than
// everything else a command that prints JSON does.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const core = join(root, 'packages/core/src');
const cli = join(root, 'packages/cli/src');
const CLIENT = join(core, 'http/client.ts');
const PREFIX = '\0plain:';

const contracts = readdirSync(core, { recursive: true })
  .filter((name) => name.endsWith('-contract.ts') || name === join('http', 'problem-document.ts'))
  .map((name) => join(core, name))
  .sort();

/** The contracts as they are, and the functions that describe them. */
async function load() {
  const folder = mkdtempSync(join(root, 'node_modules', '.contracts-'));
  try {
    const lines = contracts.map((file, index) => `export * as c${index} from ${JSON.stringify(file)};`);
    const entry = [...lines, `export * from ${JSON.stringify(join(core, 'http/describe-answer.ts'))};`].join('\n');
    const build = await rolldown({
      input: 'entry',
      platform: 'node',
      plugins: [
        {
          name: 'entry',
          resolveId: (id) => (id === 'entry' ? '\0entry' : undefined),
          load: (id) => (id === '\0entry' ? entry : undefined),
        },
      ],
    });
    await build.write({ file: join(folder, 'contracts.mjs'), format: 'esm' });
    await build.close();
    return await import(pathToFileURL(join(folder, 'contracts.mjs')).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const isSchema = (value) => typeof value === 'object' && value !== null && '_zod' in value;

/** The module that stands for one contract: described endpoints as data, all else from the contract itself. */
function plainModule(file, exports, { describeAnswer, isEndpoint, plainEndpoint }) {
  const lines = [`import { plainAnswer } from ${JSON.stringify(join(core, 'http/plain-answer.ts'))};`];
  const kept = [];
  const names = new Map();
  const isContract = (value) =>
    typeof value === 'object' && value !== null && Object.values(value).length > 0 && Object.values(value).every(isEndpoint);
  for (const [name, value] of Object.entries(exports)) {
    const isProblem = file.endsWith('problem-document.ts') && isSchema(value);
    if (isContract(value)) continue;
    const described = isEndpoint(value) ? describeAnswer(value.answer) : isProblem ? describeAnswer(value) : undefined;
    if (described?.shape === undefined) {
      kept.push(name);
      continue;
    }
    const answer = `plainAnswer(/* @__PURE__ */ JSON.parse(${JSON.stringify(JSON.stringify(described.shape))}))`;
    const made = isProblem
      ? answer
      : `/* @__PURE__ */ Object.assign(${JSON.stringify(plainEndpoint(value))}, { answer: /* @__PURE__ */ ${answer} })`;
    lines.push(`export const ${name} = /* @__PURE__ */ ${made};`);
    names.set(value, name);
  }
  if (kept.length > 0) lines.push(`export { ${kept.join(', ')} } from ${JSON.stringify(file)};`);
  for (const [name, value] of Object.entries(exports)) {
    if (!isContract(value)) continue;
    const own = new Map(Object.entries(exports).map(([each, endpoint]) => [endpoint, each]));
    const parts = Object.entries(value).map(([id, endpoint]) => {
      const by = own.get(endpoint);
      if (by === undefined) throw new Error(`${relative(root, file)}: ${id} of ${name} is not exported on its own`);
      return names.has(endpoint) ? `${id}: ${by}` : `${id}: full_${by}`;
    });
    const full = Object.values(value).filter((endpoint) => !names.has(endpoint));
    if (full.length > 0)
      lines.push(
        `import { ${full.map((endpoint) => `${own.get(endpoint)} as full_${own.get(endpoint)}`).join(', ')} } from ${JSON.stringify(file)};`,
      );
    lines.push(`export const ${name} = { ${parts.join(', ')} };`);
  }
  return lines.join('\n');
}

/** For the files of the terminal app only: the server checks what it is given by the schemas. */
export async function plainContracts() {
  const loaded = await load();
  const modules = new Map(contracts.map((file, index) => [file, plainModule(file, loaded[`c${index}`], loaded)]));
  return {
    name: 'plain-contracts',
    resolveId(source, importer) {
      if (importer?.startsWith(PREFIX)) return modules.has(source) ? { id: source, moduleSideEffects: false } : undefined;
      if (importer === undefined || !(importer.startsWith(`${cli}/`) || importer === CLIENT)) return undefined;
      const file = source.startsWith('@pilotfish/core/')
        ? join(core, `${source.slice('@pilotfish/core/'.length)}.ts`)
        : source.startsWith('.') && join(dirname(importer), source);
      return file && modules.has(file) ? { id: `${PREFIX}${file}`, moduleSideEffects: false } : undefined;
    },
    load: (id) =>
      id.startsWith(PREFIX) ? { code: modules.get(id.slice(PREFIX.length)), moduleType: 'js', moduleSideEffects: false } : undefined,
  };
}

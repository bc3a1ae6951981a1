// Puts the landing page, as a guest sees it before any answer has come, into the built web app: landing.html and
// landing.tr.html beside index.html. `node scripts/prerender.mjs` after the build; scripts/build.mjs does both.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** A test that builds says NODE_ENV=test, and would get what nobody runs. */
const PRODUCTION = { ...process.env, NODE_ENV: 'production' };

const root = fileURLToPath(new URL('..', import.meta.url));
const web = join(root, 'packages/web');
const LANDING_FILES = { en: 'landing.html', tr: 'landing.tr.html' };

const attributeText = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** The chunks of some modules and of all that they import, by the build's manifest. */
function chunksOf(manifest, wanted) {
  const found = new Set();
  const walk = (key) => {
    if (found.has(manifest[key].file)) return;
    found.add(manifest[key].file);
    for (const each of manifest[key].imports ?? []) walk(each);
  };
  for (const key of Object.keys(manifest).filter(wanted)) walk(key);
  if (found.size === 0) throw new Error('The build does not hold what its first page needs.');
  return [...found];
}

/** Tags that fetch modules ahead of the script that asks for them, and so all at once. */
const preloads = (files, page) =>
  files
    .filter((file) => !page.includes(file))
    .map((file) => `<link rel="modulepreload" href="/${file}" />`)
    .join('\n    ');

/** What `prerender` is asked for in a process of its own: the page must be made as production makes it. */
export function prerender() {
  const out = join(web, 'node_modules/.prerender');
  rmSync(out, { recursive: true, force: true });
  const run = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/vite/bin/vite.js'),
      'build',
      '--ssr',
      'src/app/prerender.tsx',
      '--outDir',
      out,
      '--emptyOutDir',
      '--logLevel',
      'warn',
    ],
    { cwd: web, stdio: ['ignore', 'inherit', 'inherit'], env: PRODUCTION },
  );
  if (run.status !== 0) throw new Error('The landing page could not be prepared.');
  const made = spawnSync(process.execPath, [fileURLToPath(import.meta.url), 'render', join(out, 'prerender.js')], {
    encoding: 'utf8',
    env: PRODUCTION,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (made.status !== 0) throw new Error(`The landing page could not be drawn.\n${made.stderr}`);
  const pages = JSON.parse(made.stdout);
  const dist = join(web, 'dist');
  const shell = readFileSync(join(dist, 'index.html'), 'utf8');
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
  const first = chunksOf(manifest, (key) => manifest[key].name === 'first');
  // In the page itself: its first paint waits for no second answer. Where the link stood, so before Emotion's rules.
  const styled = shell.replaceAll(
    /<link rel="stylesheet"[^>]* href="\/([^"]+)"[^>]*>/g,
    (_, file) => `<style>${readFileSync(join(dist, file), 'utf8').replaceAll('url(./', `url(/${dirname(file)}/`)}</style>`,
  );
  if (styled === shell) throw new Error('index.html names no styles.');
  for (const [language, { html, styles, title, description }] of Object.entries(pages)) {
    // English is in the app's own code.
    const texts = language === 'en' ? [] : chunksOf(manifest, (key) => key.endsWith(`${language}.json?part=first`));
    const page = styled
      .replace('<html lang="en"', `<html lang="${language}"`)
      .replace(/<title>[^<]*<\/title>/, `<title>${attributeText(title)}</title>`)
      .replace(/(<meta name="description" content=")[^"]*(")/, `$1${attributeText(description)}$2`)
      .replace('</head>', () => `  ${preloads([...first, ...texts], shell)}\n    ${styles}\n  </head>`)
      .replace('<div id="root"></div>', () => `<div id="root" data-prerendered="${language}">${html}</div>`);
    writeFileSync(join(dist, LANDING_FILES[language]), page);
  }
  writeFileSync(join(dist, 'index.html'), shell.replace('</head>', `  ${preloads(first, shell)}\n  </head>`));
  rmSync(out, { recursive: true, force: true });
}

if (process.argv[2] === 'render') {
  const { prerenderLanding } = await import(pathToFileURL(process.argv[3]).href);
  const pages = {};
  for (const language of Object.keys(LANDING_FILES)) pages[language] = await prerenderLanding(language);
  process.stdout.write(JSON.stringify(pages), () => process.exit(0));
} else if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(join(web, 'dist'), { recursive: true });
  prerender();
}

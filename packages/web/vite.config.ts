import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const server = process.env.PILOTFISH_URL ?? 'http://127.0.0.1:4600';
const proxy = Object.fromEntries(['/gateway', '/bff', '/icons'].map((path) => [path, { target: server, changeOrigin: false }]));

/** Texts that only the terminal, e-mails and the server speak: the browser need not carry them. */
const ELSEWHERE = ['cli', 'mail', 'sms'];
/** What a guest's landing page and its frame say: whole sections, and single texts of others. The rest comes with the first other page. */
const FIRST_SECTIONS = ['ui', 'nav', 'landing', 'routes', 'stream', 'exchange'];
const FIRST_TEXTS: Record<string, readonly string[]> = {
  auth: ['signIn', 'signOut', 'createAccount'],
  palette: ['open'],
  // What the client says by itself; any other error brings its words with it.
  errors: ['offline', 'timeout', 'rate-limited', 'unauthenticated', 'forbidden', 'not-found', 'payload-too-large', 'internal'],
};
/** Of those sections, what only who is signed in reads: its panels bring the rest with them. */
const NOT_FIRST: Record<string, RegExp> = {
  landing: /^(?:unpriced|range|chartLater|holdings|noHoldings|moreHoldings_\w+|onward)$/,
};
type Section = Record<string, unknown>;
const isFirst = (name: string, key: string): boolean =>
  FIRST_SECTIONS.includes(name) ? NOT_FIRST[name]?.test(key) !== true : FIRST_TEXTS[name]?.includes(key) === true;
/** The texts of a section that belong to one of the two parts. */
const cut = (name: string, section: Section, part: string): Section =>
  Object.fromEntries(Object.entries(section).filter(([key]) => isFirst(name, key) === (part === 'first')));
export const browserTexts: Plugin = {
  name: 'browser-texts',
  enforce: 'pre',
  transform(code, id) {
    const [, part] = /[\\/]core[\\/]src[\\/]locales[\\/]\w+\.json\?part=(first|rest)$/.exec(id) ?? [];
    if (part === undefined) return null;
    const texts = Object.entries(JSON.parse(code) as Record<string, Section>)
      .filter(([section]) => !ELSEWHERE.includes(section))
      .map(([section, all]) => [section, cut(section, all, part)] as const)
      .filter(([, kept]) => Object.keys(kept).length > 0);
    return { code: `export default ${JSON.stringify(Object.fromEntries(texts))}`, map: null, moduleType: 'js' };
  },
};

/** What the landing page begins with stands in `index.html` itself, in each language: `{{key}}` is that text of the element's language. */
const firstWords: Plugin = {
  name: 'first-words',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) =>
      html.replace(/ lang="(\w+)">([^\n]*?)<\/div>/g, (element, language: string, content: string) =>
        element.replace(content, () =>
          content.replace(/\{\{([\w.]+)\}\}/g, (_key, path: string) => {
            const file = new URL(`../core/src/locales/${language}.json`, import.meta.url);
            const found = path.split('.').reduce<unknown>((texts, key) => (texts as Section)[key], JSON.parse(readFileSync(file, 'utf8')));
            if (typeof found !== 'string' || /[<&]/.test(found)) throw new Error(`index.html: ${path} is no plain text of ${language}`);
            return found;
          }),
        ),
      ),
  },
};

/** The router's package names only the files with its warnings for developers. */
const routerWithoutWarnings: Plugin = {
  name: 'router-without-warnings',
  apply: 'build',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (!/^react-router(\/dom)?$/.test(source)) return null;
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    return found && { ...found, id: found.id.replace(/([\\/])development([\\/])/, '$1production$2') };
  },
};

/** What every page names itself: no code has to fetch it ahead. */
const STANDING = /assets\/(?:first|react|rolldown-runtime)-/;

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/',
  experimental: {
    // Files find each other from where they lie, so that the server may be below a path; pages are given it by the server.
    renderBuiltUrl: (_file, { hostType }) => (hostType === 'html' ? undefined : { relative: true }),
  },
  plugins: [browserTexts, firstWords, routerWithoutWarnings, react()],
  server: { host: '127.0.0.1', proxy },
  preview: { host: '127.0.0.1', proxy },
  build: {
    target: 'es2023',
    manifest: true,
    sourcemap: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, files, { hostType }) => (hostType === 'js' ? files.filter((file) => !STANDING.test(file)) : files),
    },
    rolldownOptions: {
      // Required by Emotion for what is not used here; being CommonJS they do not say that nothing happens in them.
      treeshake: { moduleSideEffects: [{ test: /[\\/](?:hoist-non-react-statics|react-is)[\\/]/, sideEffects: false }] },
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/, priority: 2 },
            { name: 'first', test: /src[\\/]app[\\/](?:main|home-page)\.tsx$/, priority: 1 },
            // Each part of its own is named once more in the first one.
            {
              name: 'tone',
              test: /src[\\/](?:ui|platform)[\\/](?:\w+[\\/])?(?:(?:tone|aligned-figures|use-media|use-choice|use-once|use-action|use-staying-choice|use-first-wrong|use-confirming|use-dismissal|use-modal)\.tsx?|coin-icon\.tsx)$/,
              priority: 1,
            },
            { name: 'schemas', test: /src[\\/]platform[\\/]use-address\.ts$/ },
            { name: 'format', test: /src[\\/]money[\\/]format\.ts$/, priority: 1 },
            {
              name: 'time',
              test: /src[\\/](?:time[\\/](?:duration|calendar-day|moment)|ui[\\/](?:(?:fields[\\/])?field-time|time-zone|use-moment))\.ts$/,
              priority: 1,
            },
          ],
        },
      },
    },
  },
});

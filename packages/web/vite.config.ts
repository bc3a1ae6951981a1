import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const server = process.env.PILOTFISH_URL ?? 'http://127.0.0.1:4600';
const proxy = Object.fromEntries(['/gateway', '/bff', '/icons'].map((path) => [path, { target: server, changeOrigin: false }]));

/** Texts that only the terminal, e-mails and the server speak: the browser need not carry them. */
const ELSEWHERE = ['cli', 'mail', 'sms'];
/** What is said on a guest's landing page and in its frame; the rest comes with the first other page. */
const FIRST = ['errors', 'ui', 'nav', 'landing', 'auth', 'routes', 'stream', 'exchange', 'features', 'palette', 'shortcuts'];
export const browserTexts: Plugin = {
  name: 'browser-texts',
  enforce: 'pre',
  transform(code, id) {
    const [, part] = /[\\/]core[\\/]src[\\/]locales[\\/]\w+\.json\?part=(first|rest)$/.exec(id) ?? [];
    if (part === undefined) return null;
    const texts = Object.entries(JSON.parse(code) as Record<string, unknown>).filter(
      ([section]) => !ELSEWHERE.includes(section) && FIRST.includes(section) === (part === 'first'),
    );
    return { code: `export default ${JSON.stringify(Object.fromEntries(texts))}`, map: null, moduleType: 'js' };
  },
};

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/',
  plugins: [browserTexts, react()],
  server: { host: '127.0.0.1', proxy },
  preview: { host: '127.0.0.1', proxy },
  build: { target: 'es2023', manifest: true, sourcemap: false, assetsInlineLimit: 0, chunkSizeWarningLimit: 700 },
});

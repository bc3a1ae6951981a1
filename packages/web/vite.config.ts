import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const server = process.env.PILOTFISH_URL ?? 'http://127.0.0.1:4600';
const proxy = Object.fromEntries(['/gateway', '/bff', '/icons'].map((path) => [path, { target: server, changeOrigin: false }]));

/** Texts that only the terminal, e-mails and the server speak: the browser need not carry them. */
const ELSEWHERE = ['cli', 'mail', 'sms'];
const browserTexts: Plugin = {
  name: 'browser-texts',
  enforce: 'pre',
  transform(code, id) {
    if (!/[\\/]core[\\/]src[\\/]locales[\\/]\w+\.json$/.test(id)) return null;
    const texts = JSON.parse(code) as Record<string, unknown>;
    for (const part of ELSEWHERE) delete texts[part];
    return { code: JSON.stringify(texts), map: null };
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

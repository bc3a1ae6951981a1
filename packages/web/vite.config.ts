import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = process.env.PILOTFISH_URL ?? 'http://127.0.0.1:4600';
const proxy = Object.fromEntries(['/gateway', '/bff', '/icons'].map((path) => [path, { target: server, changeOrigin: false }]));

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/',
  plugins: [react()],
  server: { host: '127.0.0.1', proxy },
  preview: { host: '127.0.0.1', proxy },
  build: { target: 'es2023', sourcemap: false, assetsInlineLimit: 0, chunkSizeWarningLimit: 700 },
});

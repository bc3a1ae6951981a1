// `npm run lockfile`: completes package-lock.json with the native packages of other platforms. A registry mirror that
// carries only some platforms makes npm leave them out, and `npm ci` then refuses the file everywhere.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('../package-lock.json', import.meta.url));
const lock = JSON.parse(readFileSync(file, 'utf8'));

/** Words in the names of native packages, and what npm calls them. The first that fits counts. */
const SYSTEMS = {
  darwin: 'darwin',
  win32: 'win32',
  windows: 'win32',
  android: 'android',
  freebsd: 'freebsd',
  openharmony: 'openharmony',
  openbsd: 'openbsd',
  netbsd: 'netbsd',
  sunos: 'sunos',
  aix: 'aix',
  linux: 'linux',
};
const PROCESSORS = {
  arm64: 'arm64',
  aarch64: 'arm64',
  arm: 'arm',
  x64: 'x64',
  x86_64: 'x64',
  ia32: 'ia32',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  loong64: 'loong64',
  mips64el: 'mips64el',
  wasm32: 'wasm32',
};
const first = (words, name) => Object.entries(words).find(([word]) => name.includes(word))?.[1];

/** True when the package is found from `key` upwards, as Node would look for it. */
function isLocked(key, name) {
  for (let at = key; ; at = at.includes('/node_modules/') ? at.slice(0, at.lastIndexOf('/node_modules/')) : '') {
    if (lock.packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`]) return true;
    if (at === '') return false;
  }
}

const added = [];
for (const [key, entry] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isLocked(key, name)) continue;
    const short = name.split('/').pop();
    const system = name === 'fsevents' ? 'darwin' : first(SYSTEMS, short);
    const processor = first(PROCESSORS, short);
    const version = range.replace(/^[\^~]/, '');
    if (!/^\d/.test(version) || (!system && processor !== 'wasm32'))
      throw new Error(`${name}@${range}: not a native package of a platform`);
    lock.packages[`node_modules/${name}`] = {
      version,
      ...(processor ? { cpu: [processor] } : {}),
      ...(entry.dev ? { dev: true } : {}),
      ...(short.includes('musl') ? { libc: ['musl'] } : system === 'linux' && short.includes('gnu') ? { libc: ['glibc'] } : {}),
      optional: true,
      ...(system ? { os: [system] } : {}),
    };
    added.push(`${name}@${version}`);
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(added.length === 0 ? 'the lock file is complete' : `added ${added.join(', ')}`);

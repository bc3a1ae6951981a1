import type { Settings } from '../app/settings.ts';

/** The path that everything lies below for whoever comes from outside, as `/pilotfish`; empty at the root of a site. */
export const basePathOf = ({ publicUrl }: Pick<Settings, 'publicUrl'>): string =>
  publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');

/** A request may name its whole address (RFC 9112, 3.2.2). Routes, and what asks for the path of a request, know paths only. */
const withoutOrigin = (url: string): string => {
  const path = url.replace(/^https?:\/\/[^/?]*/i, '');
  return path === '' || path.startsWith('?') ? `/${path}` : path;
};

/**
 * The address of a request as all routes know it. A proxy may pass the path on as it is or take the base away, and who
 * asks this machine directly knows of none: all of them are served.
 */
export const withoutBasePath = (base: string, asked: string): string => {
  const url = withoutOrigin(asked);
  if (base === '' || !url.startsWith(base)) return url;
  const rest = url.slice(base.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : url;
};

/** Whatever was opened outside of the base goes below it, where its files, its calls and its router are. */
const goBelow = (base: string): string =>
  `((base, { pathname, search, hash }) => {
      if (!pathname.startsWith(base + '/')) location.replace(base + (pathname === base ? '/' : pathname) + search + hash);
    })('${base}', location)`;

/**
 * A page of the web app, which the build wrote for the root of a site: its addresses lie below the base, and its code
 * finds the base in `data-base` (`web/src/platform/base-path.ts`). What code and styles name lies relative to them.
 */
export const pageBelow = (base: string, html: string): string =>
  base === ''
    ? html
    : html
        .replaceAll(/(<[a-z][^<>]*?\s(?:href|src)=")\/(?!\/)/g, `$1${base}/`)
        .replaceAll('url(/', `url(${base}/`)
        .replace('<html', `<html data-base="${base}"`)
        .replace('<head>', `<head>\n    <script>${goBelow(base)}</script>`);

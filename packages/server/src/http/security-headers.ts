import { createHash } from 'node:crypto';

/** On every answer. Static, because computing them per call costs more than the call. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'x-frame-options': 'DENY',
};

/**
 * On answers of the API besides: nobody but who asked keeps them, and one opened as a page by itself is saved instead of
 * shown, under a name that nobody but us chose, and could run and load nothing.
 */
export const API_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-disposition': 'attachment; filename="api.json"',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/**
 * Two years, once the public URL is https. Below a path the site is somebody else's, who alone knows its other names.
 */
export const strictTransport = (base: string): string => `max-age=63072000${base === '' ? '; includeSubDomains' : ''}`;

/** Scripts that stand in the page itself, as CSP hash sources. */
export function inlineScriptHashes(html: string): string[] {
  return [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/gi)]
    .map((match) => match[1] ?? '')
    .filter((script) => script !== '')
    .map((script) => `'sha256-${createHash('sha256').update(script, 'utf8').digest('base64')}'`);
}

/**
 * The policy of an HTML page. Scripts come from our own files (and the page's own theme script, by hash), never from
 * text. Styles allow `unsafe-inline` because Emotion writes its rules into style elements at run time and a hash or
 * nonce cannot name rules that do not exist yet; a style cannot run code.
 */
export function contentSecurityPolicy(html: string): string {
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...new Set(inlineScriptHashes(html))].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

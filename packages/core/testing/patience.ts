import { vi } from 'vitest';
import { patient } from './patience-factor.ts';

// Vitest looks for a second by default, which a busy machine takes for a few messages between two processes. Shorter
// than a test's own limit, so that what did not happen is told and not just that time was up.
export const PATIENCE_MS = patient(90_000);

const { waitFor, waitUntil } = vi;
const withPatience = <Options extends { timeout?: number }>(options: number | Options | undefined) =>
  typeof options === 'number' ? options : { timeout: PATIENCE_MS, ...options };

vi.waitFor = (look, options) => waitFor(look, withPatience(options));
vi.waitUntil = (look, options) => waitUntil(look, withPatience(options));

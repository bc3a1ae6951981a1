/** A database that cannot be used; the message is a sentence for the person who starts the process. */
export class DatabaseStartError extends Error {
  override readonly name = 'DatabaseStartError';
}

/** The database does not answer, or the connection went away: later it may be there again. What was being written may be kept. */
export class DatabaseAwayError extends Error {
  override readonly name = 'DatabaseAwayError';
}

const SQLITE_UNIQUE = new Set(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY']);

/**
 * True when an insert or update met an existing row. With `column`, only when that column's rule was broken
 * (SQLite names `table.column`, PostgreSQL the constraint, which by convention contains the column's name).
 */
export function isUniqueViolation(error: unknown, column?: string): boolean {
  if (!(error instanceof Error)) return false;
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  if (typeof code !== 'string') return false;
  if (SQLITE_UNIQUE.has(code)) return column === undefined || error.message.includes(`.${column}`);
  return code === '23505' && (column === undefined || (typeof constraint === 'string' && constraint.includes(column)));
}

/**
 * SQLite's own code, those it answers instead of it (a quota, the index beside its log), the operating system's, and
 * PostgreSQL's.
 */
const NO_ROOM = new Set(['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC', 'EDQUOT', '53100']);

/** True when a write found no room on the disk. Nothing of it was kept. */
export const isDiskFull = (error: unknown): boolean => error instanceof Error && 'code' in error && NO_ROOM.has(String(error.code));

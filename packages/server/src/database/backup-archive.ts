import { createHash } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, readSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Libsql from 'libsql';
import * as z from 'zod';
import { BackupError } from './backup-error.ts';
import type { SealedKey } from './backup-key.ts';
import { hasSqliteHeader, sqliteFile } from './sqlite.ts';

/** Of the simulated exchange, beside the database. */
export const exchangeFolder = (dataDir: string): string => join(dataDir, 'exchange');
/** Bytes of one piece of a file: a row holds no more than a gigabyte, and is held in memory as a whole. */
const PIECE = 8 * 1024 * 1024;

const manifestSchema = z.object({
  format: z.literal(1),
  /** Of the program that wrote it. */
  version: z.string(),
  createdAt: z.string(),
  reason: z.enum(['manual', 'scheduled', 'upgrade']),
  /** Steps of the schema that the database had taken. */
  migrations: z.array(z.string()),
  tables: z.record(z.string(), z.object({ rows: z.number(), sha256: z.string() })),
  files: z.record(z.string(), z.object({ bytes: z.number(), sha256: z.string() })),
  key: z.object({ salt: z.string(), sealed: z.string() }).nullable(),
});
export type BackupManifest = z.infer<typeof manifestSchema>;

/**
 * Writes one archive of a data folder, while a server works with it or not: the database as it is at one moment, and
 * the simulated exchange as it is a moment later, so that no fill of the database is one that the exchange never made.
 * The archive is itself a SQLite database with two tables more. It has no key but the one that is given, sealed.
 * Blocks until it is done; whole or not there at all.
 * @throws BackupError as a sentence
 */
export function writeArchive(options: {
  readonly dataDir: string;
  readonly file: string;
  readonly version: string;
  readonly createdAt: number;
  readonly reason: BackupManifest['reason'];
  readonly key?: SealedKey | undefined;
}): BackupManifest {
  const { dataDir, file } = options;
  if (existsSync(file)) throw new BackupError(`${file} is there already. Name another file.`);
  const part = `${file}.part`;
  try {
    rmSync(part, { force: true });
    // Made first: it holds hashes, addresses and trades, and is for its owner only from the first byte on.
    closeSync(openSync(part, 'wx', 0o600));
    copyDatabase(sqliteFile(dataDir), part);
    const archive = new Libsql(part);
    try {
      const manifest: BackupManifest = {
        format: 1,
        version: options.version,
        createdAt: new Date(options.createdAt).toISOString(),
        reason: options.reason,
        migrations: migrationsOf(archive),
        tables: tablesOf(archive),
        files: addFiles(archive, exchangeFolder(dataDir)),
        key: options.key ?? null,
      };
      archive.exec('create table backup_manifest (manifest text not null)');
      archive.prepare('insert into backup_manifest values (?)').run(JSON.stringify(manifest));
      requireHealth(archive, part);
      archive.close();
      sync(part);
      renameSync(part, file);
      sync(dirname(file));
      return manifest;
    } finally {
      archive.close();
    }
  } catch (error) {
    rmSync(part, { force: true });
    rmSync(`${part}-journal`, { force: true });
    if (error instanceof BackupError) throw error;
    throw new BackupError(`The backup ${file} could not be written (${(error as Error).message}). Nothing is left of it.`, {
      cause: error,
    });
  }
}

/** The newest state that is committed, read beside whoever writes. */
function copyDatabase(from: string, to: string): void {
  if (!existsSync(from)) throw new BackupError(`There is no database in ${dirname(from)}.`);
  const source = new Libsql(from, { readonly: true } as Libsql.Options);
  try {
    source.exec('PRAGMA busy_timeout = 5000');
    source.prepare('vacuum into ?').run(to);
  } finally {
    source.close();
  }
}

function addFiles(archive: Libsql.Database, folder: string): BackupManifest['files'] {
  archive.exec('create table backup_files (name text not null, piece integer not null, bytes blob not null, primary key (name, piece))');
  const insert = archive.prepare('insert into backup_files values (?, ?, ?)');
  const files: BackupManifest['files'] = {};
  for (const { name } of existsSync(folder) ? readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile()) : []) {
    const hash = createHash('sha256');
    let bytes = 0;
    for (const [index, content] of readPieces(join(folder, name))) {
      insert.run(name, index, content);
      hash.update(content);
      bytes += content.length;
    }
    files[name] = { bytes, sha256: hash.digest('hex') };
  }
  return files;
}

function* readPieces(path: string): Generator<readonly [number, Buffer]> {
  const handle = openSync(path, 'r');
  try {
    for (let index = 0; ; index += 1) {
      const piece = Buffer.alloc(PIECE);
      const length = readSync(handle, piece, 0, PIECE, null);
      if (length === 0) return;
      yield [index, piece.subarray(0, length)];
    }
  } finally {
    closeSync(handle);
  }
}

/**
 * Reads an archive as a whole and holds it against its manifest.
 * @throws BackupError as a sentence
 */
export function verifyArchive(file: string): BackupManifest {
  const archive = openArchive(file);
  try {
    const manifest = readManifest(archive, file);
    requireHealth(archive, file);
    const tables = tablesOf(archive);
    for (const name of new Set([...Object.keys(manifest.tables), ...Object.keys(tables)]))
      if (tables[name]?.sha256 !== manifest.tables[name]?.sha256) throw damaged(file, `table ${name}`);
    for (const [name, { sha256 }] of Object.entries(manifest.files)) {
      const hash = createHash('sha256');
      for (const bytes of piecesOf(archive, name)) hash.update(bytes);
      if (hash.digest('hex') !== sha256) throw damaged(file, `file ${name}`);
    }
    return manifest;
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw damaged(file, (error as Error).message);
  } finally {
    archive.close();
  }
}

/** What an archive says of itself, unchecked. @throws BackupError as a sentence */
export function manifestOf(file: string): BackupManifest {
  const archive = openArchive(file);
  try {
    return readManifest(archive, file);
  } finally {
    archive.close();
  }
}

export function openArchive(file: string): Libsql.Database {
  if (!existsSync(file)) throw new BackupError(`There is no file ${file}.`);
  if (!hasSqliteHeader(file)) throw new BackupError(`${file} is no backup of Pilotfish.`);
  return new Libsql(file, { readonly: true } as Libsql.Options);
}

/** The pieces of a file in an archive, in order. */
export function* piecesOf(archive: Libsql.Database, name: string): Generator<Buffer> {
  const read = archive.prepare('select bytes from backup_files where name = ? and piece = ?');
  for (let piece = 0; ; piece += 1) {
    const row = read.get(name, piece) as { bytes: Buffer } | undefined;
    if (!row) return;
    yield Buffer.from(row.bytes);
  }
}

function readManifest(archive: Libsql.Database, file: string): BackupManifest {
  let row: { manifest: string } | undefined;
  try {
    row = archive.prepare('select manifest from backup_manifest').get() as typeof row;
  } catch (error) {
    throw new BackupError(`${file} is no backup of Pilotfish (${(error as Error).message}).`, { cause: error });
  }
  const manifest = manifestSchema.safeParse(row && JSON.parse(row.manifest));
  if (!manifest.success) throw new BackupError(`${file} was written by another version of Pilotfish; restore it with that one.`);
  return manifest.data;
}

function migrationsOf(archive: Libsql.Database): string[] {
  const rows = archive.prepare('select name from kysely_migration order by name').all() as { name: string }[];
  return rows.map(({ name }) => name);
}

/** Rows and digest of each table of the product, in the order in which the file has them. */
function tablesOf(archive: Libsql.Database): BackupManifest['tables'] {
  const names = archive.prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name").all() as {
    name: string;
  }[];
  const tables: BackupManifest['tables'] = {};
  for (const { name } of names.filter((each) => !each.name.startsWith('backup_'))) {
    const hash = createHash('sha256');
    let rows = 0;
    for (const row of archive.prepare(`select * from "${name}"`).iterate() as Iterable<Record<string, unknown>>) {
      rows += 1;
      hash.update(JSON.stringify(Object.values(row).map((value) => (Buffer.isBuffer(value) ? value.toString('base64') : value))));
    }
    tables[name] = { rows, sha256: hash.digest('hex') };
  }
  return tables;
}

function requireHealth(archive: Libsql.Database, file: string): void {
  const [found] = Object.values((archive.prepare('PRAGMA integrity_check(1)').get() ?? {}) as Record<string, unknown>);
  if (found !== 'ok') throw damaged(file, String(found));
}

const damaged = (file: string, what: string): BackupError => new BackupError(`The backup ${file} is damaged (${what}). Use another one.`);

/** Waits until a file, or the names in a folder, are on the disk. */
export function sync(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

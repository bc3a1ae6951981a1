// Writes rows one by one as the server does and prints each row's number once it is committed, until it is killed.
import { writeSync } from 'node:fs';
import Libsql from 'libsql';

const [file, first] = process.argv.slice(2);
const database = new Libsql(file);
database.exec('PRAGMA busy_timeout = 5000');
database.exec('PRAGMA journal_mode = WAL');
database.exec('PRAGMA synchronous = FULL');
const insert = database.prepare('INSERT INTO throttles (key, failures, blocked_until, updated_at) VALUES (?, ?, 0, 0)');
for (let number = Number(first); ; number += 1) {
  database.exec('BEGIN IMMEDIATE');
  insert.run([`row ${number}`, number]);
  database.exec('COMMIT');
  writeSync(1, `${number}\n`);
}

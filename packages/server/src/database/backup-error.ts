/** Why a backup could not be written, checked or restored; the message is a sentence for the person at the terminal. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

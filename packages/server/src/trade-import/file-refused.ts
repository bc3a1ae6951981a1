import { AppError, type FieldError } from '@pilotfish/core/http/problem';
import type { Language, Texts } from '../http/texts.ts';

/** Why a file cannot be read as a whole; texts under `tradeImport.file.<code>`. */
export type FileFault =
  | 'empty'
  | 'binary'
  | 'encoding'
  | 'lineTooLong'
  | 'tooManyRows'
  | 'tooManyCells'
  | 'fileTooManyCells'
  | 'tookTooLong'
  | 'tooMuchMemory'
  | 'zipBroken'
  | 'zipTooManyFiles'
  | 'zipBomb'
  | 'zipNested'
  | 'zipNothing'
  | 'zipEncrypted'
  | 'xlsxBroken';

/** Thrown while a file is read; becomes an `invalid` of the field `file` in the language of the caller. */
export class FileRefused extends Error {
  readonly code: FileFault;
  readonly limit: string | undefined;
  constructor(code: FileFault, limit?: string | number) {
    super(code);
    this.code = code;
    this.limit = limit === undefined ? undefined : String(limit);
  }
}

export function toFileError(error: unknown, texts: Texts, language: Language): unknown {
  if (!(error instanceof FileRefused)) return error;
  const { code, limit } = error;
  const field: FieldError = {
    path: 'file',
    code,
    message: texts.text(language, `tradeImport.file.${code}`, { limit: limit ?? '' }),
    ...(limit === undefined ? {} : { limit }),
  };
  return new AppError('invalid', { fields: [field] });
}

/**
 * The form of a multipart call. Its fields come before the file: the server reads no further than to the file before it
 * deals with it.
 */
export function fileForm(file: Blob, name: string, fields: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('file', file, name);
  return form;
}

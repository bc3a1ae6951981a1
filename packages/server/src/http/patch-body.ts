import { AppError } from '@pilotfish/core/http/problem';
import * as z from 'zod';

const operationSchema = z.object({ op: z.enum(['add', 'replace']), path: z.string().max(200), value: z.unknown() });
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * A PATCH body as a plain object: either it is one already, or a JSON Patch (RFC 6902) whose `add` and `replace`
 * operations name top-level fields of `fields`.
 * @throws AppError `invalid` for other operations, nested or unknown paths
 */
export function patchBody(body: unknown, fields: readonly string[]): unknown {
  if (!Array.isArray(body)) return body;
  const patch: Record<string, unknown> = {};
  for (const [index, candidate] of body.entries()) {
    const operation = operationSchema.safeParse(candidate);
    if (!operation.success) throw refused(index, 'only add and replace operations are accepted');
    const name = operation.data.path.replace(/^\//, '').replaceAll('~1', '/').replaceAll('~0', '~');
    if (!operation.data.path.startsWith('/') || FORBIDDEN.has(name) || !fields.includes(name))
      throw refused(index, `path must be one of ${fields.map((field) => `/${field}`).join(', ')}`);
    patch[name] = operation.data.value;
  }
  return patch;
}

const refused = (index: number, message: string): AppError =>
  new AppError('invalid', { fields: [{ path: String(index), code: 'patch', message }] });

/** Top-level field names of an object schema, which may be left out as a whole. */
export function fieldNames(schema: z.ZodType | undefined): string[] {
  const inner = schema instanceof z.ZodPrefault || schema instanceof z.ZodDefault ? schema.unwrap() : schema;
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
}

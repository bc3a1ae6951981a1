import type { AnyEndpoint } from './endpoint.ts';
import type { AppError } from './problem.ts';

type Part = 'body' | 'query';
type Input = { readonly body?: unknown; readonly query?: unknown };

/** Whether a call was refused for nothing but fields that the server does not know. */
export const isOfUnknownFields = ({ code, fields }: AppError): boolean =>
  code === 'invalid' && fields.length > 0 && fields.every((field) => field.code.startsWith('unknown_field'));

/** A copy without the field at a path of names and places in lists; undefined where there is no such field. */
function without(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null || name === undefined || !Object.hasOwn(value, name)) return undefined;
  const inner = (value as Record<string, unknown>)[name];
  if (rest.length === 0) {
    // What stands in a list has a place, not a name: without it the others would move.
    if (Array.isArray(value)) return undefined;
    const { [name]: _, ...kept } = value as Record<string, unknown>;
    return kept;
  }
  const changed = without(inner, rest);
  if (changed === undefined) return undefined;
  return Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed };
}

/** What a call means by its own contract, defaults filled in; undefined when it means nothing. */
const meaning = (endpoint: AnyEndpoint, part: Part, value: unknown): string | undefined => {
  const parsed = endpoint[part]?.safeParse(value);
  return parsed?.success ? JSON.stringify(parsed.data) : undefined;
};

/**
 * A server that is older than its client refuses fields that it does not know. Those whose value is what their absence means
 * by our contract can be left out: it answers the same without them; so can guards, which ask for nothing. Undefined when
 * one of them says something: what a person asked for is never dropped in silence.
 */
export function withoutUnknown<Given extends Input>(endpoint: AnyEndpoint, input: Given, { fields }: AppError): Given | undefined {
  let left = input;
  // Without its guards a call asks for the same.
  let asked: Input = input;
  for (const { path } of fields) {
    const part = (['body', 'query'] as const).find((each) => without(left[each], path.split('.')) !== undefined);
    if (part === undefined) return undefined;
    left = { ...left, [part]: without(left[part], path.split('.')) };
    if (part === 'body' && endpoint.guards?.includes(path)) asked = { ...asked, body: without(asked.body, [path]) };
  }
  const isSame = (['body', 'query'] as const).every(
    (part) => left[part] === asked[part] || (meaning(endpoint, part, left[part]) ?? '') === meaning(endpoint, part, asked[part]),
  );
  return isSame ? left : undefined;
}

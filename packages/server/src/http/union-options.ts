import type * as z from 'zod';

type Definition = {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly catchall?: z.core.$ZodType;
  readonly innerType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly in?: z.ZodType;
  readonly getter?: () => z.ZodType;
};

const isPrimitive = (value: unknown): boolean => typeof value !== 'object' || value === null;
const accepts = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success;

/** How much of a value an option cannot be meant by; 0 fits as far as can be seen without going into it. */
function misfit(option: z.ZodType, value: unknown): number {
  // A number that stands for a decimal fits, but less than where a number is wanted.
  if (isPrimitive(value)) return accepts(option, value) ? 0 : typeof value === 'number' && accepts(option, String(value)) ? 0.5 : 1;
  const definition = option._zod.def as unknown as Definition;
  const inner = definition.type === 'lazy' ? definition.getter?.() : definition.type === 'pipe' ? definition.in : definition.innerType;
  if (inner !== undefined) return misfit(inner, value);
  if (definition.type === 'union') return Math.min(...(definition.options ?? []).map((each) => misfit(each, value)));
  if (Array.isArray(value)) return ['array', 'tuple'].includes(definition.type) ? 0 : NO_FORM;
  if (definition.type === 'object') return ofFields(definition, value as Readonly<Record<string, unknown>>);
  return ['record', 'unknown', 'any', 'intersection'].includes(definition.type) ? 0 : NO_FORM;
}

/** More than all fields of a form together: a list is no object. */
const NO_FORM = 1e6;

function ofFields({ shape = {}, catchall }: Definition, value: Readonly<Record<string, unknown>>): number {
  const isOpen = catchall !== undefined && catchall._zod.def.type !== 'never';
  let found = isOpen ? 0 : Object.keys(value).filter((key) => !Object.hasOwn(shape, key)).length;
  for (const [key, schema] of Object.entries(shape)) {
    const given = Object.hasOwn(value, key) ? value[key] : undefined;
    if (isPrimitive(given)) found += misfit(schema, given) * weightOf(schema);
  }
  return found;
}

/** The word that names a form says more than any other field. */
const weightOf = (schema: z.ZodType): number => (['literal', 'enum'].includes((schema._zod.def as { type: string }).type) ? 100 : 1);

/**
 * The option of a union that a value is most likely meant for: by the words that name a form, its fields and their plain
 * values. It does not look into lists and objects. Parsing the whole value with each option, at each level of options within
 * options, takes half a minute for a body of 200 kB, in which the server does nothing else.
 */
export function likeliestOption(options: readonly z.ZodType[], value: unknown): z.ZodType | undefined {
  const scored = options.map((option) => ({ option, score: misfit(option, value) }));
  return scored.reduce<(typeof scored)[number] | undefined>((best, each) => (best && best.score <= each.score ? best : each), undefined)
    ?.option;
}

import { BY_HAND } from '@pilotfish/core/auto-trades/exit-reason-contract';
import { isId } from '@pilotfish/core/http/id-text';
import { isDay } from '@pilotfish/core/time/calendar-day';
import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import * as z from 'zod';

/** A field that stands in the address under another name than its own, or under several: then its schema reads all their texts. */
type Under<Schema extends z.ZodType> = { readonly keys: readonly string[]; readonly schema: Schema };
export const under = <Schema extends z.ZodType>(keys: readonly string[], schema: Schema): Under<Schema> => ({ keys, schema });

/** What a page shows, field by field. Each schema reads a text, and says by `default` or `optional` what is shown without one. */
export type AddressSchema = Readonly<Record<string, z.ZodType | Under<z.ZodType>>>;
export type Address<Fields extends AddressSchema> = {
  readonly [Name in keyof Fields]: z.output<Fields[Name] extends Under<infer Schema> ? Schema : Fields[Name]>;
};
/** Some of it; undefined is what is shown without. */
export type AddressChanges<Fields extends AddressSchema> = { readonly [Name in keyof Fields]?: Address<Fields>[Name] | undefined };

/** The page of a list. Its name in a schema is `page`: whatever else changes, the list begins again at its first. */
export const pageField = z.coerce.number<string>().int().min(1).max(100_000).default(1);
export const flagField = z.stringbool({ truthy: ['true'], falsy: [], case: 'sensitive' }).default(false);
/** Several, each once, between commas; what is none of them is left out. */
export const listField = <Item extends z.ZodType<string, string>>(item: Item, most = 100) =>
  z
    .codec(z.string(), z.custom<readonly z.output<Item>[]>(), {
      decode: (text) => [...new Set(text.split(','))].filter((each): each is z.output<Item> => item.safeParse(each).success).slice(0, most),
      encode: (items) => items.join(','),
    })
    .default([]);
/** The id of a bot, or `hand`. */
export const whoseField = z.string().refine((text) => text === BY_HAND || isId(text));
/** Days under a name, so that a link goes on with the calendar, or of one's own, both included. */
export const daysField = <Name extends string>(key: string, names: readonly Name[], usual: Name) =>
  under(
    [key, 'from', 'to'],
    z.codec(z.array(z.string().optional()), z.custom<Name | { readonly from: string; readonly to: string }>(), {
      decode: ([name, from = '', to = '']) =>
        isDay(from) && isDay(to) && from <= to ? { from, to } : (names.find((each) => each === name) ?? usual),
      encode: (days) => (typeof days === 'object' ? ['', days.from, days.to] : [days]),
    }),
  );

const partsOf = (name: string, field: AddressSchema[string]): Under<z.ZodType> => ('keys' in field ? field : under([name], field));

function readField({ keys, schema }: Under<z.ZodType>, textOf: (key: string) => string | undefined): unknown {
  const texts = keys.map(textOf);
  const read = schema.safeParse(keys.length === 1 ? texts[0] : texts);
  return read.success ? read.data : schema.parse(undefined);
}

/** What is no value of the field has no text either. */
function textsOf({ keys, schema }: Under<z.ZodType>, value: unknown): readonly string[] {
  const { data } = z.safeEncode(schema, value);
  return ((keys.length === 1 ? [data] : data) as (string | number | boolean | undefined)[]).map((text) =>
    text === undefined ? '' : String(text),
  );
}

/** Reads what the address says; nonsense is as if it were not there. */
export const readAddress = <Fields extends AddressSchema>(fields: Fields, query: URLSearchParams): Address<Fields> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, readField(partsOf(name, field), (key) => query.get(key) ?? undefined)]),
  ) as Address<Fields>;

/** The address with some of it changed; what is as usual is left out, and what is none of the fields stays. */
export function writeAddress<Fields extends AddressSchema>(
  fields: Fields,
  query: URLSearchParams,
  changes: AddressChanges<Fields>,
): URLSearchParams {
  const written = new URLSearchParams(query);
  for (const [name, field] of Object.entries(fields)) {
    if (!(name in changes || name === 'page')) continue;
    const parts = partsOf(name, field);
    const texts = textsOf(parts, changes[name]);
    const usual = textsOf(
      parts,
      readField(parts, () => undefined),
    );
    const isUsual = texts.every((text, index) => text === usual[index]);
    for (const [index, key] of parts.keys.entries()) {
      if (isUsual || !texts[index]) written.delete(key);
      else written.set(key, texts[index]);
    }
  }
  return written;
}

type History = 'push' | 'replace';
/**
 * What a page shows, kept in its address: a copied link shows the same.
 * @param fields must stay the same object
 * @param usually whether the browser's back undoes a change, where the change does not say it itself
 */
export function useAddress<Fields extends AddressSchema>(fields: Fields, usually: History = 'replace') {
  const [query, setQuery] = useSearchParams();
  const change = useCallback(
    (changes: AddressChanges<Fields>, history: History = usually) => {
      // The router follows in transitions: of two changes in a row it would forget the first; the browser's address does not.
      const before = new URLSearchParams(window.location.search);
      const next = writeAddress(fields, before, changes);
      if (next.toString() !== before.toString()) setQuery(next, { replace: history === 'replace' });
    },
    [fields, usually, setQuery],
  );
  return [useMemo(() => readAddress(fields, query), [fields, query]), change] as const;
}

import { buildSchema, introspectionFromSchema } from 'graphql';
import { isObject } from './json-schema.ts';
import type { Json } from './json-schema.ts';
import type { Surfaces } from './surfaces.ts';

const CHARACTERS_BEFORE = 30;
const MOST_CHARACTERS = 150;

/** Everything that differs between two surfaces, also what breaks no client: one line for each place. */
export function differences(before: Surfaces, after: Surfaces): string[] {
  return [
    ...compare('openapi.json', before.openapi, after.openapi),
    ...compare('schema.graphql', typesOf(before.graphql), typesOf(after.graphql)),
    ...compare('tools.json', before.tools, after.tools),
    ...compare('events', before.events, after.events),
    ...compare('commands.json', before.commands, after.commands),
    ...compare('consumers.json', before.consumers, after.consumers),
  ];
}

function typesOf(definition: string): Json {
  return byKey(introspectionFromSchema(buildSchema(definition)).__schema.types) as Json;
}

function compare(at: string, before: unknown, after: unknown): string[] {
  const [old, now] = [byKey(before), byKey(after)];
  if (!isObject(old) || !isObject(now))
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [`~ ${at}: ${change(show(before), show(after))}`];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return names.flatMap((name) => {
    if (!Object.hasOwn(now, name)) return [`- ${at}.${name}`];
    if (!Object.hasOwn(old, name)) return [`+ ${at}.${name}`];
    return compare(`${at}.${name}`, old[name], now[name]);
  });
}

/** A list as an object: the place of a parameter, field or value in its list is no difference. */
function byKey(value: unknown): unknown {
  return Array.isArray(value) ? Object.fromEntries(value.map((entry: unknown) => [keyOf(entry), entry])) : value;
}

function keyOf(entry: unknown): string {
  if (!isObject(entry)) return show(entry);
  const { $ref: reference, in: place, name } = entry;
  if (typeof reference === 'string') return reference;
  if (typeof name === 'string') return typeof place === 'string' ? `${place} ${name}` : name;
  return show(entry);
}

const show = (value: unknown): string => JSON.stringify(value) ?? 'nothing';

/** Two texts, from shortly before the first character in which they differ. */
function change(before: string, after: string): string {
  const first = Array.from({ length: before.length }).findIndex((_, at) => before[at] !== after[at]);
  const from = Math.max(0, (first === -1 ? before.length : first) - CHARACTERS_BEFORE);
  const cut = (text: string): string =>
    `${from > 0 ? '…' : ''}${text.slice(from, from + MOST_CHARACTERS)}${text.length > from + MOST_CHARACTERS ? '…' : ''}`;
  return `${cut(before)} → ${cut(after)}`;
}

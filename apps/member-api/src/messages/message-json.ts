import { textOf } from './messages.js';
import type { Parameters } from './messages.js';

/** Marks an object in a result of SQL that stands for a text. No response key can have this name. */
const MESSAGE_KEY = '$message';

/**
 * Builds SQL that yields such an object as JSON text. `key` is SQL text, `parameters` SQL jsonb, `locale` SQL text or
 * NULL. With `nullable`, an empty text becomes null.
 */
export const messageSql = (key: string, parameters: string, locale: string, nullable: boolean): string =>
  `json_build_object('${MESSAGE_KEY}', json_build_array(${key}, ${parameters}, ${locale}, ${nullable}))::text`;

/** Replaces such objects by their texts. */
export function withTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withTexts);
  if (typeof value !== 'object' || value === null) return value;
  if (MESSAGE_KEY in value) {
    const [key, parameters, locale, nullable] = value[MESSAGE_KEY] as [string, Parameters, string | null, boolean];
    const text = textOf(key, parameters, locale);
    return text === '' && nullable ? null : text;
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withTexts(inner)]));
}

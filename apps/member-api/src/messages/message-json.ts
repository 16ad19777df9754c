import { textOf } from './messages.js';
import type { Parameters } from './messages.js';

/** In what SQL returns, an object with this member stands for a text. No response key can be written so. */
const MESSAGE_KEY = '$message';

/**
 * SQL that yields such an object as JSON text. `key` is SQL text, `parameters` SQL jsonb, `locale` SQL text or NULL. An
 * empty text is null where `nullable`.
 */
export const messageSql = (key: string, parameters: string, locale: string, nullable: boolean): string =>
  `json_build_object('${MESSAGE_KEY}', json_build_array(${key}, ${parameters}, ${locale}, ${nullable}))::text`;

/** Puts texts in the place of such objects. */
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

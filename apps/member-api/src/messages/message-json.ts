import { textOf } from './messages.js';
import type { Parameters, TextReader } from './messages.js';

/** Enclose a message in a result of SQL. JSON has no control character: it escapes those of texts. */
const [BEGIN, END] = ['\u0001', '\u0002'] as const;

/**
 * Builds SQL that yields a message in place of JSON. `key` is SQL text, `parameters` SQL jsonb, `reader` SQL json.
 * With `nullable`, an empty text becomes null.
 */
export const messageSql = (key: string, parameters: string, reader: string, nullable: boolean): string =>
  `chr(1) || json_build_array(${key}, ${parameters}, ${reader}, ${nullable})::text || chr(2)`;

/** Writes the texts of the messages into the JSON of a result, which is not parsed for them. */
export function withTexts(data: string): string {
  const [first = '', ...rest] = data.split(BEGIN);
  return rest.reduce((written, part) => {
    const end = part.indexOf(END);
    return written + textJson(part.slice(0, end)) + part.slice(end + 1);
  }, first);
}

function textJson(message: string): string {
  const [key, parameters, reader, nullable] = JSON.parse(message) as [string, Parameters, TextReader, boolean];
  const text = textOf(key, parameters, reader);
  return text === '' && nullable ? 'null' : JSON.stringify(text);
}

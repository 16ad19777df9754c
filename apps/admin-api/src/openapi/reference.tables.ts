import { html } from '@lyceum/platform';
import type { Html } from '@lyceum/platform';
import { markdown } from './markup.js';
import type { Json } from '@lyceum/rest';

/** Follows a reference within the document. */
export function resolve(document: Json, value: Json): Json {
  const { $ref: reference } = value;
  if (typeof reference !== 'string') return value;
  return reference
    .slice(2)
    .split('/')
    .reduce<Json>((at, step) => at[step] as Json, document);
}

export function parameterTable(document: Json, operation: Json): Html {
  const rows = ((operation['parameters'] ?? []) as Json[]).map((parameter) => {
    const { name, in: place, schema, description, required } = resolve(document, parameter);
    const where = required === true ? `${String(place)}, required` : String(place);
    return row(`${String(name)}`, where, typeName(schema as Json), description);
  });
  return rows.length === 0
    ? html``
    : html`<h4>Parameters</h4>
        ${table('In', rows)}`;
}

export function bodyTable(document: Json, operation: Json): Html {
  const body = operation['requestBody'] as { content: Record<string, { schema: Json }> } | undefined;
  const [media] = Object.entries(body?.content ?? {});
  if (media === undefined) return html``;
  const [type, { schema }] = media;
  return html`<h4>Body: <code>${type}</code></h4>
    ${memberTable(resolve(document, schema), 'required')}`;
}

/** The members of an object, and an example of it. */
export function memberTable(schema: Json, needed: 'required' | 'always'): Html {
  const required = new Set((schema['required'] ?? []) as string[]);
  const rows = Object.entries((schema['properties'] ?? {}) as Record<string, Json>).map(([name, property]) =>
    row(name, required.has(name) ? needed : 'optional', typeName(property), describe(property)),
  );
  const [example] = (schema['examples'] ?? []) as unknown[];
  const shown =
    example === undefined ? html`` : html`<pre data-copy><code>${JSON.stringify(example, null, 2)}</code></pre>`;
  return html`${table('Present', rows)}${shown}`;
}

interface Reference {
  readonly $ref?: string;
}

/** Name of the component that a response carries. None without a body. */
export function schemaName(response: Json): string | undefined {
  const [media] = Object.values((response['content'] ?? {}) as Record<string, { schema: Reference }>);
  return media?.schema.$ref?.split('/').at(-1);
}

function table(second: string, rows: readonly Html[]): Html {
  const head = html`<tr>
    <th>Name</th>
    <th>${second}</th>
    <th>Type</th>
    <th>Meaning</th>
  </tr>`;
  return html`<table>
    ${head}${rows}
  </table>`;
}

function row(name: string, place: string, type: string, description: unknown): Html {
  const meaning = typeof description === 'string' ? markdown(description) : html``;
  return html`<tr>
    <td><code>${name}</code></td>
    <td>${place}</td>
    <td>${type}</td>
    <td>${meaning}</td>
  </tr>`;
}

/** A nullable schema has its description at the alternative that is not null. */
function describe(schema: Json): unknown {
  const alternatives = (schema['anyOf'] ?? []) as Json[];
  return schema['description'] ?? alternatives.find(({ description }) => description !== undefined)?.['description'];
}

function typeName(schema: Json): string {
  if (typeof schema['$ref'] === 'string') return schema['$ref'].split('/').at(-1) ?? '';
  const { type, format, enum: values, anyOf: alternatives, items, default: preset, properties } = schema;
  const suffix = preset === undefined || preset === null ? '' : `, default ${JSON.stringify(preset)}`;
  if (Array.isArray(values)) return `${values.join(' | ')}${suffix}`;
  if (Array.isArray(alternatives)) {
    return `${(alternatives as Json[]).map((one) => typeName(one)).join(' or ')}${suffix}`;
  }
  if (type === 'object' && typeof properties === 'object' && properties !== null)
    return `{ ${Object.keys(properties).join(', ')} }`;
  if (type === 'array') return `list of ${typeName(items as Json)}`;
  const name = Array.isArray(type) ? type.join(' or ') : String(type);
  return `${name}${typeof format === 'string' ? ` (${format})` : ''}${suffix}`;
}

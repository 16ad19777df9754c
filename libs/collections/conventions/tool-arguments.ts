import type { Json } from './cases.js';
import type { ConventionApi } from './convention-api.js';
import type { Call, Operation } from './subject.js';

export interface ToolOperation extends Operation {
  readonly tool: string;
}

export async function toolSchema(api: ConventionApi, name: string): Promise<Json> {
  return (await api.tools()).find((one) => one.name === name)?.inputSchema ?? {};
}

/** The arguments of a tool that ask for the same as the request. */
export async function toolArguments(
  api: ConventionApi,
  { tool, kind, path: template }: ToolOperation,
  { path, body = {}, headers }: Call,
): Promise<Json> {
  const parts = path.split('/');
  const ids = template
    .split('/')
    .flatMap((part, index) => (part.startsWith('{') ? [[part.slice(1, -1), parts[index]]] : []));
  const { properties = {} } = (await toolSchema(api, tool)) as { readonly properties?: Json };
  const members = Object.entries(body as Json)
    .filter(([member]) => member in properties)
    .map(([member, value]) => [member, pairsWhere(properties[member] as Json, value)]);
  const match = kind === 'order' ? { if_match: headers?.['if-match'] ?? '*' } : {};
  return { ...(Object.fromEntries([...ids, ...members]) as Json), ...match };
}

/** A record of the REST API as the argument of a tool: a list of pairs. */
function pairsWhere({ type, items }: Json, value: unknown): unknown {
  const { properties = {} } = (items ?? {}) as { readonly properties?: Json };
  if (type !== 'array' || !('key' in properties) || Array.isArray(value)) return value;
  return Object.entries(value as Json).map(([key, one]) => ({ key, value: one }));
}

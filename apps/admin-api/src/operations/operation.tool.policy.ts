import type { ApiOperation } from './operation.js';

/** Operations below this path have one tool. */
const ANALYTICS = { path: '/api/v1/analytics/', tool: 'get_analytics' } as const;

/** The tool that does the same as an operation: they have one name. An object has one act at each of its paths. */
export function toolOf({ operation_id, path }: ApiOperation, tools: ReadonlySet<string>): string | null {
  if (path.startsWith(ANALYTICS.path)) return ANALYTICS.tool;
  const name = operation_id.replace(/ById$/, '').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return tools.has(name) ? name : null;
}

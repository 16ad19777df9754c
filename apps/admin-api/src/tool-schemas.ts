import { readFileSync } from 'node:fs';
import type { ToolSchemas } from '@lyceum/tools';

/** An output of the build, found from `src` and from `dist` alike. A test compares it with the declarations. */
const FILE = new URL('../../../dist/tools.json', import.meta.url);

/** Reads the JSON Schemas of the tools. Making them would take a third of the start of the service (ADR 192). */
export function readToolSchemas(): ReadonlyMap<string, ToolSchemas> {
  const tools = JSON.parse(readFileSync(FILE, 'utf8')) as readonly ({ readonly name: string } & ToolSchemas)[];
  return new Map(tools.map((tool) => [tool.name, tool]));
}

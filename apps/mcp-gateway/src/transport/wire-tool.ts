import type { Tool } from '@modelcontextprotocol/server';
import type { ListedTool } from '#src/catalogue/catalogue.policy.js';

const made = new WeakMap<ListedTool, Tool>();

/** A tool as `tools/list` shows it; made once for each version of the catalogue. */
export function wireTool(tool: ListedTool): Tool {
  let wire = made.get(tool);
  if (wire === undefined) {
    wire = {
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: tool.inputSchema,
      outputSchema: tool.outputSchema,
      annotations: { title: tool.title, ...tool.annotations },
      _meta: { 'lyceum/audience': tool.audience, 'lyceum/scopes': tool.scopes },
    };
    made.set(tool, wire);
  }
  return wire;
}

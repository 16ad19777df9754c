import type { ToolCatalogue, ToolDescription } from '@lyceum/contracts';

/** A tool and the service that answers it. */
export interface ListedTool extends ToolDescription {
  readonly service: string;
}

export interface Merged {
  /** Sorted by name. */
  readonly tools: ReadonlyMap<string, ListedTool>;
  /** `service: reason` of what was refused. */
  readonly refused: readonly string[];
}

/** A service's name is a part of the subject that its calls are sent to. */
const SERVICE_NAME = /^[a-z][a-z0-9-]{0,62}$/;

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : Number(a.name > b.name);
}

/**
 * One catalogue out of the services' ones. A name belongs to one service: the second claim is refused. Which is second is
 * decided by the services' names, so that every replica decides alike.
 */
export function mergeCatalogues(catalogues: ReadonlyMap<string, ToolCatalogue>): Merged {
  const owners = new Map<string, ListedTool>();
  const refused: string[] = [];
  for (const [service, catalogue] of [...catalogues].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!SERVICE_NAME.test(service) || catalogue.service !== service) {
      refused.push(`${service}: the catalogue is under another service's name`);
      continue;
    }
    for (const tool of catalogue.tools) {
      const owner = owners.get(tool.name);
      if (owner === undefined) owners.set(tool.name, { ...tool, service });
      else refused.push(`${service}: the tool ${tool.name} belongs to ${owner.service}`);
    }
  }
  return { tools: new Map([...owners.values()].sort(byName).map((tool) => [tool.name, tool])), refused };
}

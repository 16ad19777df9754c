import type { ToolCatalogue, ToolDescription } from '@lyceum/contracts';

/** A tool and the service that answers it. */
export interface ListedTool extends ToolDescription {
  readonly service: string;
}

export interface Merged {
  /** Sorted by name. */
  readonly tools: ReadonlyMap<string, ListedTool>;
  /** What was refused, and why. */
  readonly refused: readonly string[];
}

/** A service's name is a part of the subject that its calls are sent to. */
const SERVICE_NAME = /^[a-z][a-z0-9-]{0,62}$/;

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : Number(a.name > b.name);
}

/**
 * One catalogue out of the services' ones. A name that several services claim belongs to none of them: whichever were chosen,
 * a service could draw the calls of another to itself. The gateway's own tools are its own.
 */
export function mergeCatalogues(catalogues: ReadonlyMap<string, ToolCatalogue>, own: string): Merged {
  const claims = new Map<string, ListedTool[]>();
  const refused: string[] = [];
  for (const [service, catalogue] of catalogues) {
    if (!SERVICE_NAME.test(service) || catalogue.service !== service) {
      refused.push(`${service}: the catalogue is under another service's name`);
      continue;
    }
    for (const tool of catalogue.tools) {
      const claimants = claims.get(tool.name) ?? [];
      claims.set(tool.name, [...claimants, { ...tool, service }]);
    }
  }
  const tools: ListedTool[] = [];
  for (const [name, claimants] of claims) {
    const owners = claimants.length === 1 ? claimants : claimants.filter(({ service }) => service === own);
    const [owner] = owners;
    if (owner !== undefined && owners.length === 1) tools.push(owner);
    if (claimants.length > 1) {
      refused.push(
        `${name}: claimed by ${claimants
          .map(({ service }) => service)
          .toSorted()
          .join(', ')}`,
      );
    }
  }
  return { tools: new Map(tools.sort(byName).map((tool) => [tool.name, tool])), refused };
}

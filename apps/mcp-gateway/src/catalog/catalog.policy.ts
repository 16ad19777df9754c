import type {
  PromptDescription,
  ResourceDescription,
  ToolCatalog,
  ToolDescription,
  ToolLease,
  ToolsEntry,
} from '@lyceum/contracts';

/** An entry with its owning service; `older` are the service's other running versions. */
export type Owned<E> = E & { readonly service: string; readonly older: readonly Owned<E>[] };
export type ListedTool = Owned<ToolDescription> & {
  /** Listed in the core set, without what repeats. */
  readonly short?: boolean;
};
export type ListedResource = Owned<ResourceDescription>;
export type ListedPrompt = Owned<PromptDescription>;

export interface Merged {
  /** Tools by name, sorted. */
  readonly tools: ReadonlyMap<string, ListedTool>;
  /** Resources by URI or template, sorted. */
  readonly resources: ReadonlyMap<string, ListedResource>;
  readonly prompts: ReadonlyMap<string, ListedPrompt>;
  /** Rejected entries with their reasons. */
  readonly refused: readonly string[];
}

/** A service's name is part of the subject of its calls. */
const SERVICE_NAME = /^[a-z][a-z0-9-]{0,62}$/;

/**
 * The running versions of each service, ordered by the latest start of an instance. Keys are `<service>.<version>` for
 * a catalog, and `<service>.<version>.<instance>` for a lease.
 */
export function liveCatalogs(entries: ReadonlyMap<string, ToolsEntry>): Map<string, ToolCatalog[]> {
  const started = new Map<string, number>();
  for (const [key, entry] of entries) {
    const [service, version, instance] = key.split('.');
    if (instance === undefined || !isLease(entry)) continue;
    const catalog = `${service}.${version}`;
    started.set(catalog, Math.max(started.get(catalog) ?? 0, entry.started_at));
  }
  const live = new Map<string, ToolCatalog[]>();
  for (const [key] of [...started].sort(([a, first], [b, second]) => second - first || (a < b ? -1 : 1))) {
    const catalog = entries.get(key);
    const [service = ''] = key.split('.');
    if (catalog !== undefined && !isLease(catalog)) live.set(service, [...(live.get(service) ?? []), catalog]);
  }
  return live;
}

function isLease(entry: ToolsEntry): entry is ToolLease {
  return 'started_at' in entry;
}

/**
 * Merges the services' catalogs. A name that several services claim is dropped: otherwise one service could attract the
 * calls of another. The gateway's own tools always win.
 */
export function mergeCatalogs(live: ReadonlyMap<string, readonly ToolCatalog[]>, own: string): Merged {
  const refused: string[] = [];
  const services = [...live].flatMap(([service, catalogs]) => {
    if (SERVICE_NAME.test(service) && catalogs.every((catalog) => catalog.service === service)) {
      return [{ service, catalogs }];
    }
    refused.push(`${service}: the catalog is under another service's name`);
    return [];
  });
  const merge = <E>(entriesOf: (catalog: ToolCatalog) => readonly E[], keyOf: (entry: E) => string) =>
    mergeEntries(
      services.map(({ service, catalogs }) => ({ service, versions: catalogs.map(entriesOf) })),
      { keyOf, own, refuse: (reason) => refused.push(reason) },
    );
  return {
    tools: merge(
      ({ tools }) => tools,
      ({ name }) => name,
    ),
    resources: merge(
      ({ resources }) => resources,
      ({ uri }) => uri,
    ),
    prompts: merge(
      ({ prompts }) => prompts,
      ({ name }) => name,
    ),
    refused,
  };
}

interface Merging<E> {
  readonly keyOf: (entry: E) => string;
  readonly own: string;
  readonly refuse: (reason: string) => void;
}

function mergeEntries<E>(
  services: readonly { service: string; versions: readonly (readonly E[])[] }[],
  { keyOf, own, refuse }: Merging<E>,
): Map<string, Owned<E>> {
  const claims = new Map<string, Owned<E>[]>();
  for (const { service, versions } of services) {
    for (const [key, entries] of byKey(versions, keyOf)) {
      const owned = entries.map((claimed) => claimed.map((entry): Owned<E> => ({ ...entry, service, older: [] })));
      const older = owned.slice(1).flat();
      const newest = (owned[0] ?? []).map((entry) => ({ ...entry, older }));
      claims.set(key, [...(claims.get(key) ?? []), ...newest]);
    }
  }
  const merged: [string, Owned<E>][] = [];
  for (const [key, claimants] of claims) {
    const owners = claimants.length === 1 ? claimants : claimants.filter(({ service }) => service === own);
    const [owner] = owners;
    if (owner !== undefined && owners.length === 1) merged.push([key, owner]);
    if (claimants.length > 1)
      refuse(
        `${key}: claimed by ${claimants
          .map(({ service }) => service)
          .toSorted()
          .join(', ')}`,
      );
  }
  return new Map(merged.sort(([a], [b]) => (a < b ? -1 : Number(a > b))));
}

/** Groups the entries by key; those of the newest version come first. */
function byKey<E>(versions: readonly (readonly E[])[], keyOf: (entry: E) => string): Map<string, E[][]> {
  const found = new Map<string, E[][]>();
  for (const entries of versions) {
    const keys = new Set(entries.map(keyOf));
    for (const key of keys) {
      found.set(key, [...(found.get(key) ?? []), entries.filter((entry) => keyOf(entry) === key)]);
    }
  }
  return found;
}

import { Injectable, Logger } from '@nestjs/common';
import { TOOLS_BUCKET, toolsEntrySchema } from '@lyceum/contracts';
import type { ToolsEntry } from '@lyceum/contracts';
import { KeyValue } from '@lyceum/messaging';
import { HealthRegistry } from '@lyceum/platform';
import { liveCatalogs, mergeCatalogs } from './catalog.policy.js';
import type { ListedPrompt, ListedResource, ListedTool, Merged } from './catalog.policy.js';
import { isTemplate, matchUri } from './resource-uri.policy.js';

/** The gateway's own catalog, published through the bucket like the others. */
const OWN = 'mcp-gateway';

const KINDS = ['tools', 'resources', 'prompts'] as const;
export type ListKind = (typeof KINDS)[number];

/** The current capabilities of the deployment, in memory, from the services' catalogs in the bucket. */
@Injectable()
export class Catalog {
  readonly #logger = new Logger(Catalog.name);
  readonly #entries = new Map<string, ToolsEntry>();
  readonly #listeners: ((kind: ListKind) => void)[] = [];
  #merged: Merged = { tools: new Map(), resources: new Map(), prompts: new Map(), refused: [] };
  #loaded = false;

  constructor(keyValue: KeyValue, health: HealthRegistry) {
    const mirror = keyValue.mirror(TOOLS_BUCKET, toolsEntrySchema);
    mirror.onChange((key, entry) => this.#put(key, entry));
    void mirror.ready.then(() => {
      this.#loaded = true;
    });
    health.add({
      name: 'tools',
      ready: () => {
        if (!this.#loaded) throw new Error('the tool catalog is not loaded yet');
      },
    });
  }

  tool(name: string): ListedTool | undefined {
    return this.#merged.tools.get(name);
  }

  prompt(name: string): ListedPrompt | undefined {
    return this.#merged.prompts.get(name);
  }

  /** The resource of the URI, either by its own URI or by its template. */
  resource(uri: string): { entry: ListedResource; variables: Record<string, string> } | undefined {
    const exact = this.#merged.resources.get(uri);
    if (exact !== undefined) return isTemplate(exact) ? undefined : { entry: exact, variables: {} };
    for (const entry of this.#merged.resources.values()) {
      const variables = matchUri(entry.uri, uri);
      if (variables !== undefined) return { entry, variables };
    }
    return undefined;
  }

  template(uri: string): ListedResource | undefined {
    return this.#merged.resources.get(uri);
  }

  /** Sorted by name, resources by URI. */
  tools(): Iterable<ListedTool> {
    return this.#merged.tools.values();
  }

  resources(): Iterable<ListedResource> {
    return this.#merged.resources.values();
  }

  prompts(): Iterable<ListedPrompt> {
    return this.#merged.prompts.values();
  }

  /** Called when an entry of a list was added, removed or changed. */
  onChange(fn: (kind: ListKind) => void): void {
    this.#listeners.push(fn);
  }

  #put(key: string, entry: ToolsEntry | undefined): void {
    if (entry === undefined) this.#entries.delete(key);
    else this.#entries.set(key, entry);
    const before = this.#merged;
    this.#merged = mergeCatalogs(liveCatalogs(this.#entries), OWN);
    for (const reason of this.#merged.refused) {
      if (!before.refused.includes(reason)) this.#logger.error(`tools are refused: ${reason}`);
    }
    for (const kind of KINDS) {
      if (versions(before[kind]) === versions(this.#merged[kind])) continue;
      for (const listener of this.#listeners) listener(kind);
    }
  }
}

/** Equal for equal lists. */
function versions(list: ReadonlyMap<string, { version: string }>): string {
  return [...list.values()].map(({ version }) => version).join();
}

import { Injectable, Logger } from '@nestjs/common';
import { TOOLS_BUCKET, toolCatalogueSchema } from '@lyceum/contracts';
import type { ToolCatalogue } from '@lyceum/contracts';
import { KeyValue } from '@lyceum/messaging';
import { HealthRegistry } from '@lyceum/platform';
import { mergeCatalogues } from './catalogue.policy.js';
import type { ListedTool, Merged } from './catalogue.policy.js';

/** The gateway's own catalogue, which travels through the bucket like the others. */
const OWN = 'mcp-gateway';

/** All tools of the deployment, in memory: what the services have put into the bucket, as it is now. */
@Injectable()
export class Catalogue {
  readonly #logger = new Logger(Catalogue.name);
  readonly #byService = new Map<string, ToolCatalogue>();
  readonly #listeners: (() => void)[] = [];
  #merged: Merged = { tools: new Map(), refused: [] };
  #loaded = false;

  constructor(keyValue: KeyValue, health: HealthRegistry) {
    const mirror = keyValue.mirror(TOOLS_BUCKET, toolCatalogueSchema);
    mirror.onChange((service, catalogue) => this.#put(service, catalogue));
    void mirror.ready.then(() => {
      this.#loaded = true;
    });
    health.add({
      name: 'tools',
      ready: () => {
        if (!this.#loaded) throw new Error('the tool catalogue has not been read yet');
      },
    });
  }

  get(name: string): ListedTool | undefined {
    return this.#merged.tools.get(name);
  }

  /** Sorted by name. */
  all(): Iterable<ListedTool> {
    return this.#merged.tools.values();
  }

  onChange(fn: () => void): void {
    this.#listeners.push(fn);
  }

  #put(service: string, catalogue: ToolCatalogue | undefined): void {
    if (catalogue === undefined) this.#byService.delete(service);
    else this.#byService.set(service, catalogue);
    const before = new Set(this.#merged.refused);
    this.#merged = mergeCatalogues(this.#byService, OWN);
    for (const reason of this.#merged.refused) {
      if (!before.has(reason)) this.#logger.error(`tools are refused: ${reason}`);
    }
    for (const listener of this.#listeners) listener();
  }
}

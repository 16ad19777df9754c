import { Injectable } from '@nestjs/common';
import { SiteDirectory } from '@lyceum/resource-server';
import type { Site } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';

/** Guards sites that have switched off MCP connections: they serve anonymous callers only (ADR 76). */
@Injectable()
export class Connections {
  readonly #open = new Map<string, AbortController>();

  constructor(private readonly sites: SiteDirectory) {
    sites.onChange((site) => {
      if (connects(site)) return;
      this.#open.get(site.site_id)?.abort();
      this.#open.delete(site.site_id);
    });
  }

  /** @throws `forbidden`, without a challenge: neither a sign-in nor another token would help. */
  require(site: Site): void {
    if (connects(site)) return;
    throw new ApiError('forbidden', 'MCP connections are off at this site', {
      hint: 'An owner or admin of the site can switch them on in the admin area. Public tools need no token',
    });
  }

  /** Returns a signal that aborts when the site switches off its connections. */
  signalOf({ site_id }: Site): AbortSignal {
    const site = this.sites.byId(site_id);
    if (site === undefined || !connects(site)) return AbortSignal.abort();
    const controller = this.#open.get(site_id) ?? new AbortController();
    this.#open.set(site_id, controller);
    return controller.signal;
  }
}

function connects({ mcp_connections }: Site): boolean {
  return mcp_connections !== false;
}

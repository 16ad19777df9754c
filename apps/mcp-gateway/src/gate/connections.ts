import { Injectable } from '@nestjs/common';
import { SiteDirectory } from '@lyceum/resource-server';
import type { Site } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';

/** `anyone`: also without a token. */
type Callers = 'anyone' | 'signedIn';

/**
 * Guards sites that have switched off MCP connections: they serve anonymous callers only (ADR 76). A
 * suspended or deleted site serves no caller.
 */
@Injectable()
export class Connections {
  readonly #open: Readonly<Record<Callers, Map<string, AbortController>>> = { anyone: new Map(), signedIn: new Map() };

  constructor(private readonly sites: SiteDirectory) {
    sites.onChange((siteId, site) => {
      for (const callers of ['anyone', 'signedIn'] as const) {
        if (serves(site, callers)) continue;
        this.#open[callers].get(siteId)?.abort();
        this.#open[callers].delete(siteId);
      }
    });
  }

  /** @throws `forbidden`, without a challenge: neither a sign-in nor another token would help. */
  require(site: Site): void {
    if (connects(site)) return;
    throw new ApiError('forbidden', 'MCP connections are off at this site', {
      hint: 'An owner or admin of the site can switch them on in the admin area. Public tools need no token',
    });
  }

  /** Returns a signal that aborts when the site no longer serves such callers. */
  signalOf({ site_id }: Site, callers: Callers): AbortSignal {
    if (!serves(this.sites.byId(site_id), callers)) return AbortSignal.abort();
    const open = this.#open[callers];
    const controller = open.get(site_id) ?? new AbortController();
    open.set(site_id, controller);
    return controller.signal;
  }
}

function connects({ mcp_connections }: Site): boolean {
  return mcp_connections !== false;
}

function serves(site: Site | undefined, callers: Callers): boolean {
  return site?.state === 'active' && (callers === 'anyone' || connects(site));
}

import type { CommandDefinition, OfSite } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Requests } from '@lyceum/messaging';
import { SiteDirectory } from '@lyceum/resource-server';
import { IdempotentCommands } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { z } from 'zod';

type Content<D extends CommandDefinition> = Omit<z.output<D['input']>, 'site' | 'idempotency_key'>;

/** Handles commands of the contract: finds the site that a command names, and does each command once for its key. */
@Injectable()
export class SiteCommands {
  constructor(
    private readonly requests: Requests,
    private readonly sites: SiteDirectory,
    private readonly commands: IdempotentCommands,
  ) {}

  /** @param refused notified when the work was refused, after its rollback */
  handle<D extends CommandDefinition>(
    definition: D,
    work: (site: OfSite, content: Content<D>, tx: EntityManager) => Promise<z.input<D['output']> & object>,
    refused?: (site: OfSite, content: Content<D>, refusal: ApiError) => Promise<void>,
  ): void {
    this.requests.handleCommand(definition, async ({ site, idempotency_key: key, ...content }) => {
      const { site_id } = this.#siteOf(site);
      const command = { site_id, name: definition.name, key, content };
      try {
        return await this.commands.run(command, (tx) => work({ site_id }, content, tx));
      } catch (error) {
        if (error instanceof ApiError) await refused?.({ site_id }, content, error);
        throw error;
      }
    });
  }

  /** A suspended site looks like one that does not exist, as on every surface. */
  #siteOf(org_id: string): OfSite {
    if (!this.sites.loaded) throw new ApiError('temporarily_unavailable', 'The sites are not known yet');
    const site = this.sites.byOrgId(org_id);
    if (site?.state !== 'active') {
      throw new ApiError('not_found', 'The site does not exist', {
        errors: [{ pointer: '/site', code: 'not_found', detail: 'No site of this deployment' }],
      });
    }
    return site;
  }
}

import { Injectable, Logger } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import { ClientsService } from '#src/clients/clients.service.js';
import { scopesOfAudience } from '#src/scopes/grantable.policy.js';
import { PLATFORMS } from './platforms.js';
import type { Platform } from './platforms.js';

/** Keeps the clients of the platforms equal to the list: at each start, and before a registration returns one. */
@Injectable()
export class Platforms implements OnApplicationBootstrap {
  readonly #logger = new Logger(Platforms.name);
  readonly #kept = new Set<string>();

  constructor(private readonly clients: ClientsService) {}

  async onApplicationBootstrap(): Promise<void> {
    try {
      for (const platform of PLATFORMS) await this.keep(platform);
    } catch (error) {
      // The service also starts without its database; a registration retries.
      this.#logger.warn(`failed to update the platform clients: ${String(error)}`);
    }
  }

  async keep({ client_id, name, redirect_uris }: Platform): Promise<void> {
    if (this.#kept.has(client_id)) return;
    const scopes = scopesOfAudience('operator');
    try {
      await this.clients.apply(null, { client_id, name, redirect_uris, audience: 'operator', scopes });
    } catch (error) {
      // Another replica has created it at the same moment.
      if (!(error instanceof ApiError) || error.code !== 'already_exists') throw error;
    }
    this.#kept.add(client_id);
  }
}

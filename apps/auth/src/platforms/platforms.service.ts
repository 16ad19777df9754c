import { Injectable, Logger } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { ApiError } from '@lyceum/errors';
import { ClientsService } from '#src/clients/clients.service.js';
import { scopesOfAudience } from '#src/scopes/grantable.policy.js';
import { PLATFORMS } from './platforms.js';
import type { Platform } from './platforms.js';

/** Keeps the clients of the platforms as the list says: at each start, and before one is given away. */
@Injectable()
export class Platforms implements OnApplicationBootstrap {
  readonly #logger = new Logger(Platforms.name);
  readonly #kept = new Set<string>();

  constructor(private readonly clients: ClientsService) {}

  async onApplicationBootstrap(): Promise<void> {
    try {
      for (const platform of PLATFORMS) await this.keep(platform);
    } catch (error) {
      // The service starts without its database, too; a registration tries again.
      this.#logger.warn(`The clients of the platforms were not brought up to date: ${String(error)}`);
    }
  }

  async keep({ client_id, name, redirect_uris }: Platform): Promise<void> {
    if (this.#kept.has(client_id)) return;
    const scopes = scopesOfAudience('operator');
    try {
      await this.clients.apply(null, { client_id, name, redirect_uris, audience: 'operator', scopes });
    } catch (error) {
      // Another replica has made it in the same moment.
      if (!(error instanceof ApiError) || error.code !== 'already_exists') throw error;
    }
    this.#kept.add(client_id);
  }
}

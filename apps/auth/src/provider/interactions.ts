import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SiteRecord } from '#src/sites/site.js';
import { BrowserRepository } from './browser.repository.js';
import { Engines } from './engines.js';
import { NewGrants } from './new-grants.js';
import { OpenInteraction, readInteraction } from './open-interaction.js';

@Injectable()
export class Interactions {
  constructor(
    private readonly engines: Engines,
    private readonly browser: BrowserRepository,
    private readonly newGrants: NewGrants,
  ) {}

  /** Undefined when the interaction is over or foreign. */
  async open(request: FastifyRequest, reply: FastifyReply, site: SiteRecord): Promise<OpenInteraction | undefined> {
    const { browser, newGrants } = this;
    const context = { request, reply, site, engine: await this.engines.of(site), browser, newGrants };
    const opened = await readInteraction(context);
    return opened && new OpenInteraction(context, opened);
  }
}

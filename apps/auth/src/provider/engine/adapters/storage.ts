import { Injectable } from '@nestjs/common';
import type { Adapter, AdapterFactory } from 'oidc-provider';
import { ClientsService } from '#src/clients/clients.service.js';
import { GrantsService } from '#src/grants/grants.service.js';
import type { SiteRecord } from '#src/sites/site.js';
import { BrowserRepository } from '../../browser-state/browser.repository.js';
import { CodesRepository } from '../../browser-state/codes.repository.js';
import { Decisions } from '../../browser-state/decisions.js';
import { interactionAdapter, sessionAdapter } from './browser.adapters.js';
import { clientAdapter } from './client.adapter.js';
import { codeAdapter } from './code.adapter.js';
import { grantAdapter } from './grant.adapter.js';

/** The storage of the engine: one small adapter per model, each fenced by the site. */
@Injectable()
export class EngineStorage {
  constructor(
    private readonly browser: BrowserRepository,
    private readonly codes: CodesRepository,
    private readonly grants: GrantsService,
    private readonly clients: ClientsService,
    private readonly decisions: Decisions,
  ) {}

  of(site: SiteRecord): AdapterFactory {
    const adapters: Readonly<Record<string, () => Adapter>> = {
      Session: () => sessionAdapter({ site, browser: this.browser, decisions: this.decisions }),
      Interaction: () => interactionAdapter(site, this.browser),
      Grant: () => grantAdapter(site, this.grants),
      AuthorizationCode: () => codeAdapter(site, this.codes),
      Client: () => clientAdapter(site, this.clients),
    };
    return (model) => {
      const make = adapters[model];
      if (make === undefined)
        throw new Error(`The engine requested the storage of ${model}, which this configuration does not use`);
      return make();
    };
  }
}

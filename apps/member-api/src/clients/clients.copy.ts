import { Injectable } from '@nestjs/common';
import { clientEvents } from '@lyceum/contracts';
import { copyPart } from '@lyceum/messaging';
import type { Copy } from '@lyceum/messaging';
import { ClientsRepository } from './clients.repository.js';
import { originsOf } from './origin.policy.js';

/** The member clients of identity, for the origins of their scripts. */
@Injectable()
export class ClientsCopy implements Copy {
  readonly name = 'clients';
  readonly parts: Copy['parts'];

  constructor(clients: ClientsRepository) {
    this.parts = [
      copyPart({
        reader: 'clients',
        stream: 'IDENTITY',
        events: clientEvents,
        table: 'client',
        apply: ({ data, aggregate_version: version }, manager) => {
          const { client_key, site_id, audience, state, redirect_uris } = data;
          const active = state === 'active' && audience === 'member';
          return clients.apply(manager, { client_key, site_id, active, origins: originsOf(redirect_uris) }, version);
        },
      }),
    ];
  }
}

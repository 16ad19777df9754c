import { Injectable } from '@nestjs/common';
import { clientEvents } from '@lyceum/contracts';
import { copyPart } from '@lyceum/messaging';
import type { Copy } from '@lyceum/messaging';
import { ClientsRepository } from './clients.repository.js';

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
        apply: (events, manager) => clients.apply(manager, events),
      }),
    ];
  }
}

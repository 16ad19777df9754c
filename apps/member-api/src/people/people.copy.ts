import { Injectable } from '@nestjs/common';
import { personEvents, roleEvents } from '@lyceum/contracts';
import { copyPart } from '@lyceum/messaging';
import type { Copy } from '@lyceum/messaging';
import { PeopleRepository } from './people.repository.js';

/** People and their roles, as identity says. */
@Injectable()
export class PeopleCopy implements Copy {
  readonly name = 'people';
  readonly parts: Copy['parts'];

  constructor(people: PeopleRepository) {
    this.parts = [
      copyPart({
        reader: 'people',
        stream: 'IDENTITY',
        events: personEvents,
        table: 'person',
        apply: (events, manager) => people.applyPeople(manager, events),
      }),
      copyPart({
        reader: 'roles',
        stream: 'IDENTITY',
        events: roleEvents,
        table: 'membership',
        apply: (events, manager) => people.applyRoles(manager, events),
      }),
    ];
  }
}

import { Injectable } from '@nestjs/common';
import { siteEvents } from '@lyceum/contracts';
import { copyPart } from '@lyceum/messaging';
import type { Copy } from '@lyceum/messaging';
import { SchoolsRepository } from './schools.repository.js';

/** The sites, as identity says. */
@Injectable()
export class SchoolsCopy implements Copy {
  readonly name = 'schools';
  readonly parts: Copy['parts'];

  constructor(schools: SchoolsRepository) {
    this.parts = [
      copyPart({
        reader: 'schools',
        stream: 'IDENTITY',
        events: siteEvents,
        table: 'site',
        apply: (events, manager) => schools.apply(manager, events),
      }),
    ];
  }
}

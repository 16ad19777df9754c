import type { INestApplicationContext } from '@nestjs/common';
import { REPUBLISH_USAGE, Republisher } from '@lyceum/messaging';
import type { Republication } from '@lyceum/messaging';
import { ClientsService } from '#src/clients/clients.service.js';
import { PeopleService } from '#src/people/people.service.js';
import { MembersService } from '#src/members/members.service.js';
import { SitesService } from '#src/sites/sites.service.js';
import { command } from './command-line.js';

/** Every entity that this context owns. Referenced entities come first. */
export function republications(context: INestApplicationContext): readonly Republication[] {
  return [SitesService, PeopleService, MembersService, ClientsService].map((owner) =>
    context.get<{ republication(): Republication }>(owner, { strict: false }).republication(),
  );
}

export const republishCommand = command(REPUBLISH_USAGE, (context, args) =>
  context.get(Republisher, { strict: false }).run(republications(context), args),
);

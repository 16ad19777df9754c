import { republicationsOf } from '@lyceum/collections';
import { REPUBLISH_USAGE, Republisher } from '@lyceum/messaging';
import type { Republication } from '@lyceum/messaging';
import { runInContext } from '@lyceum/platform';
import type { Command } from '@lyceum/platform';
import type { INestApplicationContext } from '@nestjs/common';
import { environment } from '#src/configuration.js';
import type { Configuration } from '#src/configuration.js';
import { collections } from '#src/collections.js';
import { DigitalProductService } from '#src/digital-products/digital-product.service.js';
import { EventService } from '#src/events/event.service.js';
import { SchoolModule } from '#src/school.module.js';

const OWNERS = [DigitalProductService, EventService];

/** Every entity that this service keeps rows of. What others point at goes first. */
export function republications(context: INestApplicationContext): readonly Republication[] {
  return [
    ...republicationsOf(collections, context),
    ...OWNERS.map((owner) => context.get<{ republication(): Republication }>(owner, { strict: false }).republication()),
  ];
}

/** `republish <entity>… | all`: see docs/adr/0012-rebuilding-copies.md. */
export const republishCommand: Command<Configuration> = {
  summary: REPUBLISH_USAGE,
  async run(config, words) {
    const definition = { name: 'admin-api', environment, module: SchoolModule.forRoot, bodyLimit: 0 };
    await runInContext(definition, config, (context) =>
      context.get(Republisher, { strict: false }).run(republications(context), words),
    );
  },
};

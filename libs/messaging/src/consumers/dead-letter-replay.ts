import { Injectable } from '@nestjs/common';
import { consumerName, defineRequest } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { z } from 'zod';
import { MessagingSettings } from '../connection/configuration.js';
import { describe } from './dead-letters.js';
import { EventApplier, isOutage } from './event-applier.js';
import { EventConsumers } from './event-consumers.js';
import { Requests } from '../requests/requests.js';

/** Asks a running replica of the service to apply one of its dead letters again. */
export function replayRequest(service: string) {
  return defineRequest({
    service,
    name: 'replay_dead_letter',
    version: 1,
    input: z.object({ reader: z.string(), subject: z.string(), body: z.string() }),
    output: z.object({ applied: z.boolean() }),
  });
}

/** Serves `dead-letters replay`: the handlers run in the service, not in the command. */
@Injectable()
export class DeadLetterReplay {
  constructor(requests: Requests, consumers: EventConsumers, applier: EventApplier, settings: MessagingSettings) {
    const { service } = settings;
    requests.handle(replayRequest(service), async (input) => {
      const reader = consumers.reader(input.reader);
      if (reader === undefined) throw new ApiError('not_found', `${service} has no consumer "${input.reader}".`);
      try {
        return { applied: await applier.apply(consumerName(service, reader.name), reader, input.subject, input.body) };
      } catch (cause) {
        const code = isOutage(cause) ? 'temporarily_unavailable' : 'invalid_state';
        // Only the service's own user may send this request, so its operator may see the error.
        throw new ApiError(code, describe(cause), { cause });
      }
    });
  }
}

import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { offerSubject, toolCallSchema } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Requests } from '@lyceum/messaging';
import type { Answering } from '@lyceum/messaging';
import { bodyErrors } from '@lyceum/platform';
import { InputNeeded } from './input-needed.js';
import { assertAccess } from './tool-access.policy.js';
import { ToolsCatalogue, ToolsSettings } from './tools.catalogue.js';
import { ToolsDiscovery } from './tools.discovery.js';
import type { Offer } from './tools.discovery.js';
import { withoutUnset } from './unset-arguments.js';

/** Answers the calls of this service's tools, and tells the gateway that they are there. */
@Injectable()
export class ToolsAnswers implements OnModuleInit {
  readonly #discovery: ToolsDiscovery;
  readonly #catalogue: ToolsCatalogue;
  readonly #requests: Requests;
  readonly #service: string;

  constructor(discovery: ToolsDiscovery, catalogue: ToolsCatalogue, requests: Requests, settings: ToolsSettings) {
    this.#discovery = discovery;
    this.#catalogue = catalogue;
    this.#requests = requests;
    this.#service = settings.service;
  }

  onModuleInit(): void {
    const { offers, catalogue } = this.#discovery.find();
    for (const offer of offers) {
      this.#requests.answerSubject(offerSubject(this.#service, offer.kind, offer.entry), answerer(offer));
    }
    this.#catalogue.publish({ service: this.#service, ...catalogue });
  }
}

/** The steps of one call, in their order. */
export function answerer({
  entry,
  input,
  output,
  call,
  instead,
  writes,
}: Offer): (body: unknown, asked: Answering) => Promise<unknown> {
  const { name } = entry;
  return async (body, asked) => {
    const given = toolCallSchema.safeParse(body);
    assertAccess(entry, asked, given.data?.arguments, instead);
    if (!given.success) throw new ApiError('invalid_request', 'The body of a tool call has an object "arguments".');
    const parsed = input.safeParse(withoutUnset(input, given.data.arguments, { writes }), { reportInput: true });
    if (!parsed.success) {
      throw new ApiError('validation_failed', `The arguments of ${name} are not acceptable.`, {
        errors: bodyErrors(parsed.error),
        hint: `Correct the arguments so that they fit the input schema of ${name}, then call it again.`,
      });
    }
    const { principal, site_id, deadline, idempotencyKey, signal, progress } = asked;
    signal.throwIfAborted();
    const result = await call({
      input: parsed.data,
      principal,
      site_id,
      deadline,
      idempotencyKey,
      signal,
      client: given.data.client,
      progress,
    });
    return result instanceof InputNeeded ? result.reply() : output.parse(result);
  };
}

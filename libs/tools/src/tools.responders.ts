import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { capabilitySubject, toolCallSchema } from '@lyceum/contracts';
import { ApiError, summaryOf } from '@lyceum/errors';
import { Requests } from '@lyceum/messaging';
import type { HandlerContext } from '@lyceum/messaging';
import { ServesRequests, bodyErrors, prepareDates } from '@lyceum/platform';
import type { SiteTimeZones } from '@lyceum/platform';
import { InputNeeded } from './input-needed.js';
import { assertAccess } from './tool-access.policy.js';
import { ToolsCatalog, ToolsSettings } from './tools.catalog.js';
import { ToolsDiscovery } from './tools.discovery.js';
import type { Capability } from './tools.discovery.js';
import { withoutUnset } from './unset-arguments.js';

/** Handles the calls of this service's capabilities, and publishes its catalog. */
@ServesRequests()
@Injectable()
export class ToolsResponders implements OnModuleInit {
  readonly #discovery: ToolsDiscovery;
  readonly #catalog: ToolsCatalog;
  readonly #requests: Requests;
  readonly #service: string;
  readonly #madeSchemas: ToolsSettings['madeSchemas'];

  constructor(discovery: ToolsDiscovery, catalog: ToolsCatalog, requests: Requests, settings: ToolsSettings) {
    this.#discovery = discovery;
    this.#catalog = catalog;
    this.#requests = requests;
    this.#service = settings.service;
    this.#madeSchemas = settings.madeSchemas;
  }

  onModuleInit(): void {
    const { capabilities, catalog } = this.#discovery.find(this.#madeSchemas());
    const zones = this.#discovery.timeZones();
    for (const capability of capabilities) {
      this.#requests.handleSubject(
        capabilitySubject(this.#service, capability.kind, capability.entry),
        responder(capability, zones),
      );
    }
    this.#catalog.publish({ service: this.#service, ...catalog });
  }
}

/** The steps of one call, in order. */
export function responder(
  { entry, schemas, call, instead, writes }: Capability,
  zones?: SiteTimeZones,
): (body: unknown, context: HandlerContext) => Promise<unknown> {
  const { name } = entry;
  return async (body, context) => {
    const given = toolCallSchema.safeParse(body);
    assertAccess(entry, context, given.data?.arguments, instead);
    if (!given.success) throw new ApiError('invalid_request', 'The body of a tool call has an object "arguments".');
    await prepareDates(zones, context.site_id ?? '', given.data.arguments);
    const { input, output } = schemas();
    const parsed = input.safeParse(withoutUnset(input, given.data.arguments, { writes }), { reportInput: true });
    if (!parsed.success) {
      const errors = bodyErrors(parsed.error);
      throw new ApiError('validation_failed', summaryOf(errors, `The arguments of ${name} are not acceptable`), {
        errors,
        hint: `Correct the arguments so that they fit the input schema of ${name}, then call it again.`,
      });
    }
    const { principal, site_id, deadline, idempotencyKey, signal, progress } = context;
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

import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { toolCallSchema, toolSubject } from '@lyceum/contracts';
import { Outcome } from '@lyceum/errors';
import { Requests, fieldErrors } from '@lyceum/messaging';
import type { Caller } from '@lyceum/messaging';
import { assertAccess } from './tool-access.policy.js';
import { ToolsCatalogue } from './tools.catalogue.js';
import { ToolsDiscovery } from './tools.discovery.js';
import type { DiscoveredTool } from './tools.discovery.js';

/** The name of the service, as an injectable. */
export class ToolsSettings {
  readonly service: string;

  constructor(service: string) {
    this.service = service;
  }
}

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
    const tools = this.#discovery.find();
    for (const tool of tools) {
      this.#requests.answerSubject(toolSubject(this.#service, tool.declaration.name), answerer(tool));
    }
    this.#catalogue.publish({ service: this.#service, tools: tools.map((tool) => tool.description) });
  }
}

/** The steps of one call, in their order. */
export function answerer(tool: DiscoveredTool): (body: unknown, caller: Caller) => Promise<unknown> {
  const { declaration, description } = tool;
  const input = declaration.input.strict();
  return async (body, caller) => {
    const given = toolCallSchema.safeParse(body);
    assertAccess(description, caller, given.data?.arguments);
    if (!given.success) throw new Outcome('invalid_request', 'The body of a tool call has an object "arguments".');
    const parsed = input.safeParse(given.data.arguments);
    if (!parsed.success) {
      throw new Outcome('validation_failed', `The arguments of ${declaration.name} are not acceptable.`, {
        errors: fieldErrors(parsed.error),
        hint: `Correct what "errors" names so that the arguments fit the input schema of ${declaration.name}, then call it again.`,
      });
    }
    const { principal, site_id, deadline, idempotencyKey } = caller;
    const result = await tool.call({ input: parsed.data, principal, site_id, deadline, idempotencyKey });
    return declaration.output.parse(result);
  };
}

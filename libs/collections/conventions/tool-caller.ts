import assert from 'node:assert/strict';
import { capabilitySubject, replySchema } from '@lyceum/contracts';
import type { Principal, Reply, Site, ToolCatalog } from '@lyceum/contracts';
import { connectAs, publishedCapabilities, signedCall, testInfrastructure } from '@lyceum/testing';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Json } from './cases.js';
import { assertWords } from './problem.js';

const SERVICE = 'admin-api';

interface ToolCallOf {
  readonly site: Site;
  readonly principal: Principal | null;
}

/** Calls the tools that the service offers, as the gateway does. */
export class ToolCaller {
  #catalog: Promise<ToolCatalog> | undefined;

  private constructor(
    private readonly admin: NatsConnection,
    private readonly gateway: NatsConnection,
    private readonly key: string,
  ) {}

  static async open(environmentOf: (user: string) => Readonly<Record<string, string>>): Promise<ToolCaller> {
    const [admin, gateway] = await Promise.all([
      connectAs(environmentOf('admin')),
      connectAs(environmentOf('mcp-gateway')),
    ]);
    return new ToolCaller(admin, gateway, (await testInfrastructure()).callSigningKey);
  }

  async call(name: string, args: Json, { site: { site_id }, principal }: ToolCallOf): Promise<Reply> {
    const subject = capabilitySubject(SERVICE, 'tool', await this.#find(name));
    const body = JSON.stringify({ arguments: args });
    const headers = signedCall({ subject, body, site_id, principal }, this.key);
    const reply = replySchema.parse((await this.gateway.request(subject, body, { timeout: 10_000, headers })).json());
    if (!reply.ok) assertWords([reply.error.detail, ...(reply.error.errors ?? []).map(({ detail }) => detail)]);
    return reply;
  }

  async offered(): Promise<ToolCatalog['tools']> {
    return (await (this.#catalog ??= publishedCapabilities(this.admin, SERVICE))).tools;
  }

  async close(): Promise<void> {
    await Promise.all([this.admin.close(), this.gateway.close()]);
  }

  async #find(name: string): Promise<ToolCatalog['tools'][number]> {
    const tool = (await this.offered()).find((one) => one.name === name);
    assert(tool !== undefined, `${SERVICE} has no tool ${name}`);
    return tool;
  }
}

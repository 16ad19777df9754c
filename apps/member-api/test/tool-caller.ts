import { capabilitySubject, replySchema } from '@lyceum/contracts';
import type { Principal, PromptDescription, Reply, ToolDescription } from '@lyceum/contracts';
import { connectAs, publishedCapabilities, signedCall, testInfrastructure } from '@lyceum/testing';
import type { NatsConnection } from '@nats-io/transport-node';
import type { TestApi } from './member-api.js';

export const refusal = (code: string): unknown =>
  expect.objectContaining({ ok: false, error: expect.objectContaining({ code }) });

/** Calls tools and prompts like the gateway, the only permitted caller. */
export class ToolCaller {
  private constructor(
    private readonly api: TestApi,
    private readonly gateway: NatsConnection,
    readonly all: readonly ToolDescription[],
    private readonly prompts: readonly PromptDescription[],
  ) {}

  static async connect(api: TestApi): Promise<ToolCaller> {
    const gateway = await connectAs(api.nats.environment('mcp-gateway'));
    const admin = await connectAs(api.nats.environment('admin'));
    const { tools, prompts } = await publishedCapabilities(admin, 'member-api');
    await admin.close();
    return new ToolCaller(api, gateway, tools, prompts);
  }

  principal(person_id: string, changes: Partial<Principal> = {}): Principal {
    return {
      person_id,
      member_id: '5d0f2c4e-8f3b-4a52-b1d7-6f1e2d3c4b5a',
      site_id: this.api.sites[0].site_id,
      client_id: 'client',
      audience: 'member',
      scopes: ['account:read', 'account:write'],
      roles: ['student'],
      grant_id: 'grant',
      token_fingerprint: '0123456789abcdef',
      expires_at: Math.floor(Date.now() / 1000) + 60,
      ...changes,
    };
  }

  call(name: string, input: object, caller: Principal | null): Promise<Reply> {
    const tool = this.all.find((each) => each.name === name);
    if (tool === undefined) throw new Error(`there is no tool ${name}`);
    return this.#request(capabilitySubject('member-api', 'tool', tool), input, caller);
  }

  prompt(name: string, input: object, caller: Principal | null): Promise<Reply> {
    const prompt = this.prompts.find((each) => each.name === name);
    if (prompt === undefined) throw new Error(`there is no prompt ${name}`);
    return this.#request(capabilitySubject('member-api', 'prompt', prompt), input, caller);
  }

  close(): Promise<void> {
    return this.gateway.close();
  }

  async #request(subject: string, input: object, caller: Principal | null): Promise<Reply> {
    const body = JSON.stringify({ arguments: input });
    const { callSigningKey } = await testInfrastructure();
    const call = { subject, body, site_id: this.api.sites[0].site_id, principal: caller };
    const reply = await this.gateway.request(subject, body, {
      timeout: 30_000,
      headers: signedCall(call, callSigningKey),
    });
    return replySchema.parse(reply.json());
  }
}

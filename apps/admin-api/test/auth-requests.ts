import { REQUEST_HEADERS, replySchema } from '@lyceum/contracts';
import type { Reply, RequestDefinition } from '@lyceum/contracts';
import type { TestSite } from '@lyceum/testing';
import { connectAs } from '@lyceum/testing';
import { headers } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/transport-node';
import type { TestApi } from './admin-api.js';

/** Requests over NATS, as auth sends them. */
export class AuthRequests {
  private constructor(
    private readonly api: TestApi,
    private readonly connection: NatsConnection,
  ) {}

  static async to(api: TestApi): Promise<AuthRequests> {
    return new AuthRequests(api, await connectAs(api.nats.environment('auth')));
  }

  /** At the first site by default. */
  async send(definition: RequestDefinition, input: object, site: TestSite = this.api.sites[0]): Promise<Reply> {
    const head = headers();
    head.set(REQUEST_HEADERS.site, site.site_id);
    const options = { headers: head, timeout: 30_000 };
    const response = await this.connection.request(definition.subject, JSON.stringify(input), options);
    return replySchema.parse(response.json());
  }

  stop(): Promise<void> {
    return this.connection.close();
  }
}

import { PROGRAMS, SERVICES } from '@lyceum/contracts';
import { eventually } from '@lyceum/testing';
import { headers, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import { connectAs } from '../tools/nats.js';

export type Service = Parameters<typeof connectAs>[0];
/** Services and programs: everyone whose credential can be stolen. */
export const USERS: readonly Service[] = [...SERVICES, ...PROGRAMS];

/** The result of one attempt: the JSON reply of the server, or the reason why it is missing. */
export type Attempt = Readonly<Record<string, unknown>> | 'refused' | 'no responders' | 'no reply';

/** A connection with a stolen credential. It records refusals of the server. */
export class Attacker {
  readonly #refused: string[] = [];

  private constructor(
    readonly service: Service,
    readonly connection: NatsConnection,
  ) {
    void this.#watch();
  }

  static async as(service: Service): Promise<Attacker> {
    return new Attacker(service, await connectAs(service));
  }

  /** Publishes and returns the refusals of the server. It responds in order, so they precede the end of the flush. */
  async publish(subject: string, body = '{}', options: { headers?: MsgHdrs; reply?: string } = {}): Promise<string[]> {
    this.#refused.length = 0;
    this.connection.publish(subject, body, options);
    return this.#settled();
  }

  /** Subscribes; the messages go to the list. Returns the refusals of the server. */
  async listen(subject: string, received: string[] = []): Promise<string[]> {
    this.#refused.length = 0;
    this.connection.subscribe(subject, {
      callback: (error, message) => {
        if (error === null) received.push(`${message.subject} ${message.string()}`);
      },
    });
    return this.#settled();
  }

  /** Sends a request, for instance to the JetStream API. A reply without JSON, as of a compressed bucket, is `{}`. */
  async attempt(subject: string, body: unknown = {}): Promise<Attempt> {
    this.#refused.length = 0;
    const reply = this.connection.request(subject, typeof body === 'string' ? body : JSON.stringify(body), {
      timeout: 5_000,
    });
    const [response, refused] = await Promise.all([
      reply.then(
        (message) => (message.string().startsWith('{') ? message.json<Record<string, unknown>>() : {}),
        (error: Error) => (/no responders/i.test(error.message) ? ('no responders' as const) : ('no reply' as const)),
      ),
      this.#settled(),
    ]);
    return refused.length > 0 ? 'refused' : response;
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  async #settled(): Promise<string[]> {
    await this.connection.flush();
    await new Promise((resolve) => setImmediate(resolve));
    return [...this.#refused];
  }

  async #watch(): Promise<void> {
    for await (const status of this.connection.status()) {
      if (status.type === 'error') this.#refused.push(status.error.message);
    }
  }
}

/** Waits until one of the messages has the text. */
export async function eventuallyReceived(received: readonly string[], text: string): Promise<void> {
  await eventually(() => received.some((line) => line.includes(text)));
}

/** Headers of a forged tool call in the name of an owner. */
export function forgedHeaders(site_id: string): MsgHdrs {
  const written = headers();
  const principal = {
    person_id: '018f3b1e-0000-7000-8000-000000000001',
    member_id: '5d0f2c4e-8f3b-4a52-b1d7-6f1e2d3c4b5a',
    site_id,
    client_id: 'forged',
    audience: 'operator',
    scopes: ['courses:read', 'courses:write'],
    roles: ['owner'],
    grant_id: 'forged',
    token_fingerprint: '0123456789abcdef',
    expires_at: 4_000_000_000,
  };
  written.set('Lyceum-Site', site_id);
  written.set('Lyceum-Deadline', String(Date.now() + 30_000));
  written.set('Lyceum-Principal', JSON.stringify(principal));
  return written;
}

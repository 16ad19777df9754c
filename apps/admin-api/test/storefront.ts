import { randomUUID } from 'node:crypto';
import { commandReplySchema, postReview, recordProgress } from '@lyceum/contracts';
import type { z } from 'zod';
import type { TestApi } from './admin-api.js';
import { at } from './learner.js';
import type { Learner } from './learner.js';
import { connectStorefront, storefrontOfFile } from './storefront-connection.js';
import type { StorefrontConnection } from './storefront-connection.js';

type Output = z.ZodObject;
type Reply<O extends Output> = z.infer<ReturnType<typeof commandReplySchema<O>>>;
type Result<O extends Output> = z.infer<O>;
interface Definition<O extends Output> {
  readonly subject: string;
  readonly output: O;
}
/** A code, then each place with its own. */
type Refusal = readonly [code: string, ...places: string[]];
export type Command = z.input<typeof recordProgress.input>;
export type Review = z.input<typeof postReview.input>;

/** A storefront of the first site, with the NATS user that storefronts have. */
export class Storefront {
  private constructor(private readonly connected: () => StorefrontConnection) {}

  static async open(api: TestApi): Promise<Storefront> {
    const connected = await connectStorefront(api);
    return new Storefront(() => connected);
  }

  /** Runs the service while the tests of a file run. */
  static ofFile(): Storefront {
    return new Storefront(storefrontOfFile());
  }

  get api(): TestApi {
    return this.connected().api;
  }

  close(): Promise<void> {
    return this.connected().connection.close();
  }

  /** By default the learner completes the first one of their two lectures. */
  watching({ student_id, course_id, lectures }: Learner, given: Partial<Command> = {}): Command {
    return {
      idempotency_key: randomUUID(),
      site: this.api.sites[0].org_id,
      student: { id: student_id },
      course: { id: course_id },
      lecture: { id: lectures[0] },
      position_seconds: 61,
      completed: true,
      occurred_at: at(1),
      ...given,
    };
  }

  /** By default the learner gives five points. */
  reviewing({ student_id, course_id }: Pick<Learner, 'student_id' | 'course_id'>, given: Partial<Review> = {}): Review {
    return {
      idempotency_key: randomUUID(),
      site: this.api.sites[0].org_id,
      student: { id: student_id },
      course: { id: course_id },
      rating: 5,
      body: 'Worth every hour',
      occurred_at: at(1),
      ...given,
    };
  }

  /** Sends a command, as it is or as the bytes of a message. */
  send(command: object | string): Promise<Reply<typeof recordProgress.output>> {
    return this.#send(recordProgress, command);
  }

  async result(command: object): Promise<Result<typeof recordProgress.output>> {
    return resultOf(await this.send(command));
  }

  async refusal(command: object): Promise<string> {
    return refusalOf(await this.send(command));
  }

  async post(review: object): Promise<Result<typeof postReview.output>> {
    return resultOf(await this.#send(postReview, review));
  }

  async refusedPost(review: object): Promise<string> {
    return refusalOf(await this.#send(postReview, review));
  }

  /** Sends a command with a key and the site, unless it has them. */
  async run<O extends Output>(definition: Definition<O>, command: object): Promise<Result<O>> {
    return resultOf((await this.#send(definition, this.#keyed(command))) as Ended<Result<O>>);
  }

  /** Sends a command that is refused. Returns the code with the places that it names. */
  async refused<O extends Output>(definition: Definition<O>, command: object): Promise<Refusal> {
    const reply = (await this.#send(definition, this.#keyed(command))) as Ended<unknown>;
    const { errors = [] } = reply.ok ? { errors: [] } : reply.error;
    return [refusalOf(reply), ...errors.map(({ pointer, code }) => `${pointer ?? ''} ${code}`)];
  }

  #keyed(command: object): object {
    return { idempotency_key: randomUUID(), site: this.api.sites[0].org_id, ...command };
  }

  async #send<O extends Output>({ subject, output }: Definition<O>, command: object | string): Promise<Reply<O>> {
    const isMessage = typeof command === 'string' || command instanceof Uint8Array;
    const body = isMessage ? command : JSON.stringify(command);
    const reply = await this.connected().connection.request(subject, body, { timeout: 30_000 });
    return commandReplySchema(output).parse(reply.json());
  }
}

interface Refused {
  readonly code: string;
  readonly errors?: readonly { readonly pointer?: string; readonly code: string }[];
}
type Ended<R> = { readonly ok: true; readonly result: R } | { readonly ok: false; readonly error: Refused };

function resultOf<R>(reply: Ended<R>): R {
  if (!reply.ok) throw new Error(JSON.stringify(reply.error));
  return reply.result;
}

function refusalOf(reply: Ended<unknown>): string {
  if (reply.ok) throw new Error('The command was not refused');
  return reply.error.code;
}

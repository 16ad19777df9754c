import { randomUUID } from 'node:crypto';
import { commandReplySchema, recordOrder, refundOrder } from '@lyceum/contracts';
import type { z } from 'zod';
import type { TestApi } from './admin-api.js';
import { Consulting, newStudent } from './consulting.js';
import { newCourse, unique } from './new-course.js';
import { connectStorefront, storefrontOfFile } from './storefront-connection.js';
import type { StorefrontConnection } from './storefront-connection.js';

type Body = Record<string, unknown>;
type Recorded = z.infer<typeof recordOrder.output>;
type Refunded = z.infer<typeof refundOrder.output>;

export interface Refusal {
  readonly code: string;
  readonly pointers: readonly (string | undefined)[];
}

export interface NewPlan {
  readonly id: string;
  readonly course_id: string;
  readonly external_id: string;
}

/** A checkout of the first site, with the NATS user that storefronts have. */
export class Checkout {
  private constructor(private readonly connected: () => StorefrontConnection) {}

  static async open(api: TestApi): Promise<Checkout> {
    const connected = await connectStorefront(api);
    return new Checkout(() => connected);
  }

  /** Runs the service while the tests of a file run. */
  static ofFile(): Checkout {
    return new Checkout(storefrontOfFile());
  }

  get api(): TestApi {
    return this.connected().api;
  }

  close(): Promise<void> {
    return this.connected().connection.close();
  }

  newStudent(): Promise<string> {
    return newStudent(this.api);
  }

  /** Creates a plan of a new course, or of the given one. */
  async newPlan(body: Body = {}, course_id?: string): Promise<NewPlan> {
    const of = course_id ?? (await newCourse(this.api)).id;
    const external_id = unique('plan');
    const price = { amount_minor: 1000, currency: 'TWD' };
    const plan = { name: 'Forever', plan_type: 'one_time_purchase', price, external_id, ...body };
    const made = await this.api.send('POST', `/api/v1/courses/${of}/plans`, { body: plan });
    if (made.status !== 201) throw new Error(made.text);
    return { id: String(made.body['id']), course_id: of, external_id };
  }

  newService(body: Body = {}): Promise<Consulting> {
    return Consulting.open(this.api, body);
  }

  /** A paid order of the lines. The totals follow from them. */
  order(student_id: string, lines: readonly Body[], given: Body = {}): Body {
    const line_items = lines.map((line) => ({ name: 'An item', quantity: 1, unit_amount_minor: 1000, ...line }));
    const sum = line_items.reduce((total, line) => total + line.unit_amount_minor * line.quantity, 0);
    return {
      idempotency_key: randomUUID(),
      site: this.api.sites[0].org_id,
      number: unique('order'),
      state: 'paid',
      student: { id: student_id },
      currency: 'TWD',
      line_items,
      subtotal_minor: sum,
      total_minor: sum,
      paid_at: '2026-10-02T08:00:00.000Z',
      ...given,
    };
  }

  /** Sends a command, and returns the content of its reply. */
  async send(subject: string, command: object): Promise<unknown> {
    const reply = await this.connected().connection.request(subject, JSON.stringify(command), { timeout: 30_000 });
    return reply.json();
  }

  async record(order: Body): Promise<Recorded> {
    return resultOf<Recorded>(await this.#send(recordOrder, order));
  }

  async refused(order: Body): Promise<Refusal> {
    return refusalOf(await this.#send(recordOrder, order));
  }

  async refund(order_id: string, given: Body): Promise<Refunded> {
    return resultOf<Refunded>(await this.#send(refundOrder, this.#refund(order_id, given)));
  }

  async refusedRefund(order_id: string, given: Body): Promise<Refusal> {
    return refusalOf(await this.#send(refundOrder, this.#refund(order_id, given)));
  }

  /** Sends commands at the same time. Returns the result or the code of each. */
  race(commands: readonly (() => Promise<unknown>)[]): Promise<readonly string[]> {
    return Promise.all(
      commands.map((send) =>
        send().then(
          () => 'done',
          (error: unknown) => (error instanceof Refused ? error.code : String(error)),
        ),
      ),
    );
  }

  async read(id: string): Promise<Body> {
    return (await this.api.send('GET', `/api/v1/orders/${id}`)).body;
  }

  async enrollmentOf(student_id: string, course_id: string): Promise<Body | undefined> {
    const path = `/api/v1/enrollments?student_id=${student_id}&course_id=${course_id}`;
    return (await this.api.send<{ data: Body[] }>('GET', path)).body.data[0];
  }

  #refund(order_id: string, given: Body): Body {
    const key = { idempotency_key: randomUUID(), site: this.api.sites[0].org_id };
    return { ...key, order: { id: order_id }, refunded_at: '2026-10-03T08:00:00.000Z', ...given };
  }

  async #send<O extends z.ZodObject>(
    { subject, output }: { readonly subject: string; readonly output: O },
    command: Body,
  ): Promise<z.infer<ReturnType<typeof commandReplySchema<O>>>> {
    return commandReplySchema(output).parse(await this.send(subject, command));
  }
}

class Refused extends Error {
  constructor(
    readonly code: string,
    text: string,
  ) {
    super(text);
  }
}

type Ended =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: { code: string; errors?: { pointer?: string | undefined }[] | undefined } };

function resultOf<R>(reply: Ended): R {
  if (!reply.ok) throw new Refused(reply.error.code, JSON.stringify(reply.error));
  return reply.result as R;
}

function refusalOf(reply: Ended): Refusal {
  if (reply.ok) throw new Error('The command was not refused');
  return { code: reply.error.code, pointers: (reply.error.errors ?? []).map(({ pointer }) => pointer) };
}

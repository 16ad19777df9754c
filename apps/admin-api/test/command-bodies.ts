import { randomUUID } from 'node:crypto';
import {
  cancelBooking,
  cancelRegistration,
  defineForm,
  makeBooking,
  makeRegistration,
  moderateComment,
  moveBooking,
  postComment,
  postReview,
  recordOrder,
  recordProgress,
  refundOrder,
  submitForm,
} from '@lyceum/contracts';
import type { CommandDefinition } from '@lyceum/contracts';
import type { TestApi } from './admin-api.js';
import { newLearner } from './learner.js';
import { TestEvent, newStudents } from './new-events.js';
import { Shop } from './shop.js';
import type { Line } from './shop.js';

export type Body = Record<string, unknown>;
/** Returns a number from 0 to `below`, the next one of the seed. */
export type Draw = (below: number) => number;

/** Results of accepted commands, which later commands name. */
type Made = Record<
  'orders' | 'subscriptions' | 'purchases' | 'bookings' | 'registrations' | 'comments' | 'forms',
  string[]
>;

const PRICES = [0, 1, 333, 1000, 2 ** 31, 2 ** 46, Number.MAX_SAFE_INTEGER];
const INSTANT = '2026-10-02T08:00:00.000Z';

/** Objects of a school, and bodies of commands about them that fit their schema. */
export class CommandBodies {
  readonly #made: Made = {
    orders: [],
    subscriptions: [],
    purchases: [],
    bookings: [],
    registrations: [],
    comments: [],
    forms: [],
  };

  private constructor(
    private readonly org_id: string,
    private readonly draw: Draw,
    private readonly students: readonly string[],
    private readonly lines: readonly Line[],
    private readonly objects: Readonly<Record<'event' | 'ticket' | 'course' | 'lecture', string>> & {
      readonly slots: readonly string[];
      readonly coupon: string;
    },
  ) {}

  static async open(api: TestApi, shop: Shop, draw: Draw): Promise<CommandBodies> {
    const learner = await newLearner(api);
    const students = [learner.student_id, ...(await newStudents(api, 3))];
    const service = await shop.checkout.newService({ sessions_included: 2 });
    const course = { course_ids: [learner.course_id] };
    const yearly = [{ interval: 'year', price: { amount_minor: 1000, currency: 'TWD' } }];
    const sold = [
      await shop.coursePlan(learner.course_id),
      await shop.coursePlan(),
      await shop.membership({ ...course, plan_type: 'recurring', prices: yearly }),
      await shop.product(),
      await shop.seat({ capacity: 5 }),
    ];
    const sessions: Line = { item_type: 'consulting_sessions', item: { id: service.service_id } };
    const event = await TestEvent.open(api, { capacity: 3, waitlist: true });
    const ticket = await event.ticket();
    const slots = [await service.slot(100), await service.slot(102), await service.slot(104)].map(({ id }) => id);
    const coupon = (await shop.coupons.coupon({ max_redemptions: 20 })).code;
    const [lecture] = learner.lectures;
    const objects = { event: event.id, ticket, course: learner.course_id, lecture, slots, coupon };
    return new CommandBodies(api.sites[0].org_id, draw, students, [...sold.map(({ line }) => line), sessions], objects);
  }

  pick<T>(from: readonly T[]): T | undefined {
    return from[this.draw(from.length)];
  }

  /** A command with a body that fits its schema. */
  next(): { readonly definition: CommandDefinition; readonly body: Body } {
    const [definition, bodyOf] = this.pick(this.#commands) ?? [recordOrder, () => this.#order()];
    return { definition, body: { idempotency_key: randomUUID(), site: this.org_id, ...bodyOf() } };
  }

  /** Keeps the ids of an accepted command. */
  keep(result: Body): void {
    const add = (name: keyof Made, value: unknown): unknown =>
      typeof value === 'string' && this.#made[name].push(value);
    add('orders', result['order_id']);
    add('bookings', result['booking_id']);
    add('registrations', result['registration_id']);
    add('comments', result['comment_id']);
    add('forms', result['form_id']);
    for (const line of (result['line_items'] ?? []) as Body[]) {
      if (line['item_type'] === 'membership_plan') add('subscriptions', line['granted_id']);
      if (line['item_type'] === 'consulting_sessions') add('purchases', line['granted_id']);
    }
  }

  readonly #commands: readonly (readonly [CommandDefinition, () => Body])[] = [
    ...Array.from({ length: 8 }, () => [recordOrder, () => this.#order()] as const),
    ...Array.from({ length: 4 }, () => [refundOrder, () => this.#refund()] as const),
    [makeBooking, () => ({ ...this.#student(), purchase: this.#id('purchases'), slot: this.#slot() })],
    [moveBooking, () => ({ ...this.#student(), booking: this.#id('bookings'), slot: this.#slot() })],
    [cancelBooking, () => ({ ...this.#student(), booking: this.#id('bookings') })],
    [makeRegistration, () => ({ ...this.#student(), event: { id: this.objects.event }, ticket: this.#ticket() })],
    [cancelRegistration, () => ({ ...this.#student(), registration: this.#id('registrations') })],
    [
      recordProgress,
      () => ({ ...this.#lesson(), lecture: { id: this.objects.lecture }, position_seconds: this.draw(90) }),
    ],
    [postReview, () => ({ ...this.#lesson(), rating: 1 + this.draw(5), body: 'Worth every hour' })],
    [postComment, () => ({ ...this.#student(), occurred_at: INSTANT, body: 'A question', ...this.#commented() })],
    [moderateComment, () => ({ comment: this.#id('comments'), action: this.pick(['approve', 'hide', 'delete']) })],
    [
      defineForm,
      () => ({
        slug: `form-${this.draw(9)}`,
        title: 'Contact',
        fields: [{ key: 'email', label: 'E-mail', type: 'text' }],
      }),
    ],
    [submitForm, () => ({ form: this.#id('forms'), answers: { email: 'mei@example.com' }, occurred_at: INSTANT })],
  ];

  #id(of: keyof Made): Body {
    return { id: this.pick(this.#made[of]) ?? randomUUID() };
  }

  #student(): Body {
    return { student: { id: this.pick(this.students) } };
  }

  #slot(): Body {
    return { id: this.pick(this.objects.slots) };
  }

  #ticket(): Body | null {
    return this.draw(4) === 0 ? null : { id: this.objects.ticket };
  }

  #lesson(): Body {
    return { student: { id: this.students[0] }, course: { id: this.objects.course }, occurred_at: INSTANT };
  }

  #commented(): Body {
    const parent = this.draw(3) === 0 ? this.#id('comments') : null;
    return { commentable: { type: 'course', id: this.objects.course }, parent };
  }

  #order(): Body {
    const included = this.draw(2) === 0;
    const line_items = Array.from({ length: 1 + this.draw(3) }, () => {
      const line = this.pick(this.lines);
      const quantity = line?.item_type === 'consulting_sessions' ? 1 + this.draw(3) : 1;
      const unit_amount_minor = this.pick(PRICES) ?? 0;
      const amount = unit_amount_minor * quantity;
      const discount_minor = this.draw(4) === 0 ? this.draw(Math.min(amount, 500) + 1) : 0;
      const tax_minor = this.draw(3) === 0 ? this.draw(Math.min(amount - discount_minor, 500) + 1) : 0;
      return { ...line, name: 'An item', quantity, unit_amount_minor, discount_minor, tax_minor };
    });
    const sum = (of: (line: (typeof line_items)[number]) => number) =>
      line_items.reduce((all, line) => all + of(line), 0);
    const [subtotal_minor, discount_minor, tax_minor] = [
      sum((line) => line.unit_amount_minor * line.quantity),
      sum((line) => line.discount_minor),
      sum((line) => line.tax_minor),
    ];
    const state = this.pick(['paid', 'paid', 'paid', 'pending', 'failed', 'expired']);
    return {
      number: `fuzz-${this.draw(60)}`,
      state,
      ...this.#student(),
      currency: this.pick(['TWD', 'JPY', 'KWD']),
      line_items,
      subtotal_minor,
      discount_minor,
      tax_minor,
      tax_included: included,
      total_minor: subtotal_minor - discount_minor + (included ? 0 : tax_minor),
      paid_at: state === 'paid' ? INSTANT : null,
      ...(this.draw(8) === 0 ? { coupon_code: this.objects.coupon } : {}),
      ...(this.draw(8) === 0 ? { subscription_id: this.#id('subscriptions')['id'] } : {}),
    };
  }

  #refund(): Body {
    const parts = { line_items: [{ position: 1 + this.draw(3), quantity: 1 + this.draw(2) }] };
    const amount = { amount_minor: this.pick([0, 1, 100, 1000, ...PRICES]) };
    const what = this.pick([parts, amount, { ...parts, ...amount }, {}]);
    return { order: this.#id('orders'), refunded_at: INSTANT, ...what };
  }
}

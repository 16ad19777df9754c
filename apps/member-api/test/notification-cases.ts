import { commentEvents, postEvents, subscriptionEvents } from '@lyceum/contracts';
import { uuidv7 } from '@lyceum/platform';
import { eventually } from '@lyceum/testing';
import type { TestSite } from '@lyceum/testing';
import type pg from 'pg';
import type { Kind } from '#src/notifications/kinds.policy.js';
import type { Data, TestApi } from './member-api.js';
import { PurchaseWorld } from './purchase-world.js';
import { lecture, section } from './world.js';

const HOUR = 3_600_000;
const INBOX = `{ viewer { notifications(first: 100) { nodes {
  kind title body url subject { __typename
    ... on EnrolledCourse { name } ... on PurchasedDigitalProduct { name } ... on PurchasedConsultingService { name }
    ... on EventRegistration { name } ... on Post { title }
} } } } }`;

/** The texts that a member reads in English. */
interface Expected {
  readonly title: string;
  readonly body?: string;
  readonly subject?: string;
  /** The instant in the body, which each member reads in their own zone. */
  readonly start?: string;
}

const at = (ms: number): string => new Date(Date.now() + ms).toISOString();

const START = '2090-07-03T10:00:00.000Z';
const LATER = { starts_at: '2090-07-04T08:30:00.000Z', ends_at: '2090-07-04T09:30:00.000Z' };
const REGISTRATION = 'EventRegistration';
const SERVICE = 'PurchasedConsultingService';

/** Causes a notification of each kind for one member. */
export class NotificationCases {
  readonly #world: PurchaseWorld;

  constructor(
    private readonly api: TestApi,
    private readonly database: pg.Client,
    private readonly member: { readonly site_id: string; readonly person_id: string },
    private readonly request: { readonly site: TestSite; readonly token: string },
  ) {
    this.#world = new PurchaseWorld(api.world);
  }

  course_id = '';

  /** Enrolls the member in a course. Other cases need it. */
  async enroll(): Promise<void> {
    const { course_id } = await this.api.world.course({ site_id: this.member.site_id, name: 'Knots', slug: 'knots' });
    this.course_id = course_id;
    await this.api.world.enrollment({ ...this.member, course_id });
    await this.notified('course_enrolled', 'Knots');
  }

  /** Waits for the notification of a kind about the thing with the name. */
  async notified(kind: Kind, name: string): Promise<Data> {
    // The texts of a session that starts do not name its service.
    const isMeant = (one: Data): boolean =>
      one.kind === kind.toUpperCase() && (kind === 'consulting_starting' || one.title.includes(name));
    const found = ({ viewer }: Data): Data => viewer?.notifications.nodes.find(isMeant);
    return found(await this.api.until(INBOX, (data) => found(data) !== undefined, this.request));
  }

  /** Publishes the events that cause a notification of each kind about a thing with the name. */
  readonly cases: Readonly<Record<Kind, (name: string) => Promise<Expected>>> = {
    course_enrolled: async (name) => {
      const course = await this.api.world.course({ site_id: this.member.site_id, name });
      await this.api.world.enrollment({ ...this.member, course_id: course.course_id });
      return { title: `You are enrolled in ${name}`, subject: 'EnrolledCourse' };
    },
    membership_changed: async (plan_name) => {
      const subscription_id = uuidv7();
      const period = { trial_ends_at: null, current_period_end: at(HOUR), cancel_at_period_end: false, ended_at: null };
      const ids = { subscription_id, student_id: uuidv7(), plan_id: uuidv7(), price_id: uuidv7() };
      const state = { state: 'active' as const, state_since: '2026-01-01T00:00:00.000Z' };
      const data = { ...this.member, ...ids, plan_name, ...period, ...state };
      await this.api.world.entity(subscriptionEvents, subscription_id, this.member.site_id, data, { name: 'renewed' });
      return { title: `Your membership ${plan_name} is renewed` };
    },
    product_granted: async (name) => {
      const grant = await this.#world.grant({ ...this.member, digital_product_id: uuidv7(), granted_at: at(0) });
      // The notification waits for the product, whose event is late.
      const { digital_product_id } = grant;
      await this.#world.product({ site_id: this.member.site_id, digital_product_id, name, slug: name });
      return { title: `${name} is yours`, subject: 'PurchasedDigitalProduct' };
    },
    consulting_granted: async (name) => {
      await this.#purchased(name, at(0));
      return { title: `You can book sessions of ${name}`, subject: SERVICE };
    },
    post_published: (title) => this.#publishPost(title, null),
    announcement_sent: (title) => this.#announce(title, 'announcement'),
    course_post_published: (title) => this.#publishPost(title, this.course_id),
    lecture_published: async (title) => {
      const made = lecture(title, { title, published_at: at(0) });
      const { site_id } = this.member;
      const { course_id } = this;
      const sections = [section([made])];
      await this.api.world.curriculum({ site_id, course_id, part_id: made.lecture_id, sections });
      return { title: `New lecture: ${title}`, subject: 'EnrolledCourse' };
    },
    comment_replied: async (author_name) => {
      const comment_id = uuidv7();
      await this.api.world.entity(commentEvents, comment_id, this.member.site_id, {
        comment_id,
        site_id: this.member.site_id,
        commentable: { type: 'course', id: this.course_id },
        course_id: this.course_id,
        student_id: uuidv7(),
        author_person_id: null,
        author_name,
        parent: { comment_id: uuidv7(), author_person_id: this.member.person_id },
        path: '/courses/knots',
        excerpt: 'Indeed.',
        state: 'visible',
        posted_at: at(0),
      });
      return { title: `${author_name} replied to your comment`, body: 'Indeed.' };
    },
    event_starting: async (name) => {
      const { event } = await this.#registered(name);
      await this.#remind(event.event_id);
      const body = 'It starts on 2090-07-03 11:00 (Europe/Lisbon).';
      return { title: `${name} starts within 24 hours`, body, subject: REGISTRATION, start: START };
    },
    registration_confirmed: async (name) => {
      const { registration } = await this.#registered(name, { state: 'waitlisted' });
      await this.#world.registration({ ...registration, state: 'registered' }, { version: 2 });
      return { title: `You are registered for ${name}`, subject: REGISTRATION };
    },
    registration_waitlisted: async (name) => {
      await this.#registered(name, { state: 'waitlisted' });
      return { title: `You are on the waiting list of ${name}`, subject: REGISTRATION };
    },
    registration_canceled: async (name) => {
      const { registration } = await this.#registered(name);
      const canceled = { ...registration, state: 'canceled' as const, canceled_at: at(0) };
      await this.#world.registration(canceled, { version: 2, name: 'canceled' });
      return { title: `Your registration for ${name} is canceled`, subject: REGISTRATION };
    },
    event_changed: async (name) => {
      const { event } = await this.#registered(name);
      await this.#world.event({ ...event, ...LATER }, { version: 2, name: 'updated' });
      const body = 'It now starts on 2090-07-04 09:30 (Europe/Lisbon).';
      return { title: `${name} has another time`, body, subject: REGISTRATION, start: LATER.starts_at };
    },
    event_canceled: async (name) => {
      const { event } = await this.#registered(name);
      await this.#world.event({ ...event, state: 'canceled', canceled_at: at(0) }, { version: 2, name: 'canceled' });
      return { title: `${name} is canceled`, subject: REGISTRATION };
    },
    consulting_starting: async (name) => {
      const { booking_id } = await this.#booked(name);
      await this.#remind(booking_id);
      const body = 'It starts on 2090-07-03 11:00 (Europe/Lisbon).';
      return { title: 'Your session starts within 24 hours', body, subject: SERVICE, start: START };
    },
    booking_confirmed: async (name) => {
      await this.#booked(name);
      const title = `Your session of ${name} is booked`;
      return { title, body: 'It starts on 2090-07-03 11:00 (Europe/Lisbon).', subject: SERVICE, start: START };
    },
    booking_moved: async (name) => {
      await this.#world.booking({ ...(await this.#booked(name)), ...LATER }, { version: 2, name: 'moved' });
      const title = `Your session of ${name} has another time`;
      const body = 'It now starts on 2090-07-04 09:30 (Europe/Lisbon).';
      return { title, body, subject: SERVICE, start: LATER.starts_at };
    },
    booking_canceled: async (name) => {
      const booking = await this.#booked(name);
      await this.#world.booking({ ...booking, state: 'canceled' }, { version: 2, name: 'canceled' });
      const body = 'The session on 2090-07-03 11:00 (Europe/Lisbon) does not take place.';
      return { title: `Your session of ${name} is canceled`, body, subject: SERVICE, start: START };
    },
    offer_sent: (title) => this.#announce(title, 'marketing'),
  };

  async #announce(title: string, purpose: 'announcement' | 'marketing'): Promise<Expected> {
    const { site_id } = this.member;
    const body = 'It is a holiday.';
    await this.api.world.announcement({ site_id, purpose, title, body, path: '/news', sent_at: at(0) });
    return { title, body };
  }

  async #publishPost(title: string, course: string | null): Promise<Expected> {
    const post_id = uuidv7();
    const { site_id } = this.member;
    const post = { post_id, site_id, course_id: course, slug: title, title, excerpt: 'High and low.' };
    const data = { ...post, state: 'published' as const, published_at: at(0) };
    await this.api.world.entity(postEvents, post_id, site_id, data, { name: 'published' });
    return { title, body: 'High and low.', subject: 'Post' };
  }

  async #registered(name: string, given: { state?: 'waitlisted' } = {}) {
    const { state = 'registered' } = given;
    const times = { starts_at: START, ends_at: new Date(Date.parse(START) + HOUR).toISOString() };
    const event = await this.#world.event({ site_id: this.member.site_id, name, slug: name, ...times });
    const { event_id } = event;
    const registration = await this.#world.registration({ ...this.member, event_id, state, registered_at: at(0) });
    await this.notified(state === 'waitlisted' ? 'registration_waitlisted' : 'registration_confirmed', name);
    return { event, registration };
  }

  async #purchased(name: string, purchased_at = '2026-01-01T00:00:00.000Z') {
    const { site_id } = this.member;
    const { consulting_service_id } = await this.#world.service({ site_id, name, slug: name });
    const { purchase_id } = await this.#world.purchase({ ...this.member, consulting_service_id, purchased_at });
    return { ...this.member, consulting_service_id, purchase_id };
  }

  async #booked(name: string) {
    const booking = await this.#world.booking({ ...(await this.#purchased(name)), starts_at: START });
    await this.notified('booking_confirmed', name);
    return booking;
  }

  /** Simulates that the reminder of a day before is due. */
  async #remind(subject_id: string): Promise<void> {
    await eventually(async () => {
      const text = 'update reminders set due_at = now() where subject_id = $1 and minutes_before = 1440';
      return (await this.database.query(text, [subject_id])).rowCount === 1;
    });
  }
}

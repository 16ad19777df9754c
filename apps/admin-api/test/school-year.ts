import { defineForm, moderateComment, postComment, submitForm } from '@lyceum/contracts';
import type { TestApi } from './admin-api.js';
import { Checkout } from './checkout.js';
import { CouponSeller } from './coupon-seller.js';
import { newLearner } from './learner.js';
import { unique } from './new-course.js';
import { TestEvent, newStudents } from './new-events.js';
import { Storefront } from './storefront.js';

/** The work of a school in a year, by requests and by commands of its storefront. It causes public events. */
export class SchoolYear {
  constructor(private readonly api: TestApi) {}

  async run(): Promise<void> {
    await this.#writeCourses();
    await this.#deleteOthers();
    const student_id = await this.#teach();
    await this.#sell(student_id);
    await this.#holdEvents(student_id);
  }

  async #send(method: string, path: string, body?: object): Promise<{ readonly id: string }> {
    const of = path.startsWith('/api/') ? path : `/api/v1${path}`;
    const response = await this.api.send<{ id: string }>(method, of, body === undefined ? {} : { body });
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.text}`);
    return response.body;
  }

  async #writeCourses(): Promise<void> {
    const course = await this.#send('POST', '/courses', {
      slug: unique('course'),
      name: 'Knots',
      external_id: unique('key'),
    });
    const path = `/courses/${course.id}`;
    await this.#send('PATCH', path, { name: 'Knots and ropes' });
    for (const action of ['publish', 'unpublish']) await this.#send('POST', `${path}/${action}`);
    const section = await this.#send('POST', '/sections', { course_id: course.id, title: 'Ropes' });
    const lecture = { section_id: section.id, slug: unique('lecture'), title: 'One' };
    const plan = await this.#send('POST', `${path}/plans`, { name: 'Free', plan_type: 'free' });
    const { id: lecture_id } = await this.#send('POST', '/lectures', lecture);
    for (const gone of [`/lectures/${lecture_id}`, `/sections/${section.id}`, `${path}/plans/${plan.id}`, path])
      await this.#send('DELETE', gone);
    const old = await this.#send('POST', '/courses', { slug: unique('course'), name: 'Old' });
    for (const action of ['publish', 'unpublish', 'archive']) await this.#send('POST', `/courses/${old.id}/${action}`);
  }

  /** Creates objects and deletes them at once. */
  async #deleteOthers(): Promise<void> {
    const named = { slug: unique('gone'), name: 'Gone' };
    const titled = { slug: unique('gone'), title: 'Gone' };
    const consulting = { ...named, sessions_included: 1 };
    const post = await this.#send('POST', '/posts', titled);
    await this.#send('POST', `/posts/${post.id}/publish`);
    await this.#send('DELETE', `/posts/${post.id}`);
    const students = { email: `${unique('gone')}@example.com` };
    const bodies = { students, categories: named, lecturers: named, consulting_services: consulting, pages: titled };
    for (const [path, body] of Object.entries({ ...bodies, announcements: { title: 'Gone' } })) {
      const { id } = await this.#send('POST', `/${path}`, body);
      await this.#send('DELETE', `/${path}/${id}`);
    }
  }

  async #teach(): Promise<string> {
    const { student_id, path, course_id } = await newLearner(this.api);
    await this.#send('PATCH', path, { expires_at: '2099-01-01T00:00:00.000Z' });
    await this.#send('PATCH', path, { external_id: unique('key') });
    await this.#send('POST', `${path}/revoke`);
    const storefront = await Storefront.open(this.api);
    const occurred_at = new Date().toISOString();
    const student = { id: student_id };
    const commentable = { type: 'course', id: course_id };
    const { comment_id } = await storefront.run(postComment, { student, commentable, body: 'Good', occurred_at });
    for (const action of ['hide', 'approve', 'delete'] as const)
      await storefront.run(moderateComment, { comment: { id: comment_id }, action });
    const form = { slug: unique('form'), title: 'Survey', fields: [{ key: 'name', label: 'Name', type: 'text' }] };
    await storefront.run(defineForm, form);
    await storefront.run(submitForm, { form: { slug: form.slug }, answers: { name: 'Mei' }, occurred_at });
    await storefront.close();
    return student_id;
  }

  async #sell(student_id: string): Promise<void> {
    const checkout = await Checkout.open(this.api);
    const plan = await checkout.newPlan();
    const line = { item_type: 'course_plan', item: { id: plan.id } };
    const { order_id } = await checkout.record(checkout.order(student_id, [line]));
    await checkout.refund(order_id, { amount_minor: 500 });
    await checkout.close();
    const seller = new CouponSeller(this.api);
    const { code } = await seller.coupon();
    await seller.redeem({ code, student_id });
    await this.#send('DELETE', `/coupons/${(await seller.coupon()).id}`);
  }

  async #holdEvents(student_id: string): Promise<void> {
    // Check-in opens an hour before the start.
    const event = await TestEvent.open(this.api, { hours: 0.5, capacity: 1, waitlist: true });
    await event.patch({ name: 'Open studio' });
    const { id } = await event.registered(student_id, { metadata: { seat: 'A' } });
    await this.#send('PATCH', `${event.path}/registrations/${id}`, { metadata: { seat: 'B' } });
    const [other = ''] = await newStudents(this.api, 1);
    await event.registered(other);
    await event.move(id, 'check_in');
    await event.act('cancel');
    const draft = await TestEvent.draft(this.api, {});
    await this.#send('DELETE', `/events/${draft.id}`);
  }
}

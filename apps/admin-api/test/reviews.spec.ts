import { randomUUID } from 'node:crypto';
import { at, newLearner } from './learner.js';
import type { Learner } from './learner.js';
import { Storefront } from './storefront.js';

const storefront = Storefront.ofFile();

type Body = Record<string, unknown>;

async function reviewsOf({ course_id }: Pick<Learner, 'course_id'>, query = ''): Promise<Body[]> {
  const { body } = await storefront.api.send('GET', `/api/v1/courses/${course_id}/reviews${query}`);
  return body['data'] as Body[];
}

async function ratingOf({ course_id }: Pick<Learner, 'course_id'>): Promise<unknown[]> {
  const { body, headers } = await storefront.api.send('GET', `/api/v1/courses/${course_id}`);
  return [body['rating_average'], body['reviews_count'], headers['etag']];
}

/** Another student with an active enrollment in the course. */
async function classmate({ course_id }: Learner): Promise<Pick<Learner, 'student_id' | 'course_id'>> {
  const made = await storefront.api.send('POST', '/api/v1/students', {
    body: { email: `${randomUUID()}@example.com` },
  });
  const student_id = String(made.body['id']);
  await storefront.api.send('POST', `/api/v1/students/${student_id}/enrollments`, { body: { course_id } });
  return { student_id, course_id };
}

it('posts the review of a student, publishes and logs it, and rates the course', async () => {
  const learner = await newLearner(storefront.api);
  const [average, count, etag] = await ratingOf(learner);
  expect([average, count]).toEqual([null, 0]);
  const { student_id, course_id } = learner;
  const text = { rating: 4, title: 'Good', body: 'Line one\nLine two' };
  const { review_id, ...result } = await storefront.post(storefront.reviewing(learner, text));
  expect(result).toEqual({ rating: 4, reviewed_at: at(1) });
  const instants = { created_at: expect.any(String), updated_at: expect.any(String) };
  expect(await reviewsOf(learner)).toEqual([
    { id: review_id, course_id, student_id, ...text, reviewed_at: at(1), ...instants },
  ]);
  expect(await ratingOf(learner)).toEqual([4, 1, expect.not.stringMatching(`^${String(etag)}$`)]);
  const [event, ...others] = await storefront.api.events.of([review_id], 1);
  const actor = { member_id: null, client_id: 'storefront', via: 'command' };
  expect([event, others]).toMatchObject([
    { type: 'school.review.posted.v1', actor, data: { student_id, ...text } },
    [],
  ]);
  const { body } = await storefront.api.send('GET', `/api/v1/activity?object_id=${review_id}`);
  expect(body['data']).toMatchObject([{ id: event?.id, action: 'review.posted', actor }]);
});

it('replaces the review by a later one, and keeps it before an older one', async () => {
  const learner = await newLearner(storefront.api);
  const post = (rating: number, minute: number) =>
    storefront.post(storefront.reviewing(learner, { rating, title: 'Title', occurred_at: at(minute) }));
  const { review_id } = await post(5, 2);
  expect(await post(1, 1)).toEqual({ review_id, rating: 5, reviewed_at: at(2) });
  await storefront.post(storefront.reviewing(learner, { rating: 2, body: 'Second thoughts', occurred_at: at(3) }));
  expect(await reviewsOf(learner)).toMatchObject([{ id: review_id, rating: 2, title: null, body: 'Second thoughts' }]);
  expect((await ratingOf(learner)).slice(0, 2)).toEqual([2, 1]);
  const versions = (await storefront.api.events.of([review_id], 2)).map(({ aggregate_version }) => aggregate_version);
  expect(versions).toEqual([1, 2]);
});

it('counts reviews at the same time, and rounds the average to two decimals', async () => {
  const learner = await newLearner(storefront.api);
  const [second, third] = [await classmate(learner), await classmate(learner)];
  const reviews = [
    storefront.reviewing(learner, { rating: 1, occurred_at: at(1) }),
    storefront.reviewing(learner, { rating: 5, occurred_at: at(2) }),
    storefront.reviewing(second),
    storefront.reviewing(third, { rating: 4 }),
  ];
  await Promise.all(reviews.map((review) => storefront.post(review)));
  expect((await ratingOf(learner)).slice(0, 2)).toEqual([4.67, 3]);
  expect((await reviewsOf(learner, '?rating=4')).map(({ rating }) => rating)).toEqual([4]);
  for (const rating of ['0', '6', '4.5', 'good', '']) {
    const { status } = await storefront.api.send(
      'GET',
      `/api/v1/courses/${learner.course_id}/reviews?rating=${rating}`,
    );
    expect([rating, status]).toEqual([rating, 400]);
  }
});

it('takes a review from the time of access after its end, and none from after it', async () => {
  const learner = await newLearner(storefront.api);
  const { body } = await storefront.api.send('GET', learner.path);
  await storefront.api.send('POST', `${learner.path}/expire`);
  const after = { occurred_at: new Date().toISOString() };
  expect(await storefront.refusedPost(storefront.reviewing(learner, after))).toBe('invalid_state');
  const during = { occurred_at: String(body['started_at']) };
  await storefront.post(storefront.reviewing(learner, during));
  expect(await reviewsOf(learner)).toMatchObject([{ reviewed_at: body['started_at'] }]);
});

it('runs a command once per key and refuses the key with other content', async () => {
  const review = storefront.reviewing(await newLearner(storefront.api));
  const first = await storefront.post(review);
  expect(await storefront.post(review)).toEqual(first);
  expect(await storefront.refusedPost({ ...review, rating: 1 })).toBe('idempotency_key_reused');
});

it('refuses a student without an active enrollment, unknown objects and an instant of the future', async () => {
  const learner = await newLearner(storefront.api);
  const stranger = await newLearner(storefront.api);
  const refused = (given: object) => storefront.refusedPost({ ...storefront.reviewing(learner), ...given });
  expect(await refused({ student: { id: stranger.student_id } })).toBe('invalid_state');
  expect(await refused({ course: { id: randomUUID() } })).toBe('not_found');
  expect(await refused({ student: { external_id: randomUUID() } })).toBe('not_found');
  expect(await refused({ site: storefront.api.sites[1].org_id })).toBe('not_found');
  expect(await refused({ occurred_at: new Date(Date.now() + 6 * 60_000).toISOString() })).toBe('validation_failed');
  expect(await refused({ occurred_at: '0000-12-31T23:59:59.999Z' })).toBe('validation_failed');
  expect(await refused({ rating: 6 })).toBe('validation_failed');
  await storefront.api.send('POST', `${learner.path}/revoke`);
  expect(await refused({})).toBe('invalid_state');
  expect([await reviewsOf(learner), (await ratingOf(learner)).slice(0, 2)]).toEqual([[], [null, 0]]);
});

import { randomUUID } from 'node:crypto';
import { ERASED_NAME, defineForm, erasedEmail, submitForm } from '@lyceum/contracts';
import { withDatabase } from './database.js';
import { at, newLearner } from './learner.js';
import { unique } from './new-course.js';
import { Storefront } from './storefront.js';

const storefront = Storefront.ofFile();

type Body = Record<string, unknown>;

const FIELDS = [
  { key: 'email', type: 'email', label: 'Your address', required: true },
  { key: 'topics', type: 'multiselect', label: 'Topics', options: ['Knots', 'Tides'] },
];
const definition = (given: object = {}) => ({ slug: unique('form'), title: 'Write to us', fields: FIELDS, ...given });
const define = async (given: object = {}): Promise<string> =>
  (await storefront.run(defineForm, definition(given))).form_id;
const submitting = (id: string, given: object = {}) => ({
  form: { id },
  answers: { email: 'mei@example.com', topics: ['Tides'] },
  occurred_at: at(1),
  ...given,
});

const read = async (path: string): Promise<Body> => (await storefront.api.send('GET', `/api/v1/forms/${path}`)).body;
const submissionsOf = async (id: string): Promise<unknown> => (await read(`${id}/submissions`))['data'];
const typesOf = async (id: string, count: number): Promise<unknown[]> =>
  (await storefront.api.events.of([id], count)).map(({ type }) => type.split('.').slice(1, 3).join('.'));

describe('a definition', () => {
  it('adds a form with the defaults of its fields, publishes and logs it', async () => {
    const given = definition();
    const { form_id, ...result } = await storefront.run(defineForm, given);
    expect(result).toEqual({ slug: given.slug, active: true });
    const rest = { max_length: null, minimum: null, maximum: null };
    expect(await read(form_id)).toMatchObject({
      ...given,
      id: form_id,
      external_id: null,
      submissions_count: 0,
      active: true,
      fields: [
        { ...FIELDS[0], ...rest, options: [] },
        { ...FIELDS[1], ...rest, required: false },
      ],
    });
    expect(await typesOf(form_id, 1)).toEqual(['form.created']);
    const { body } = await storefront.api.send('GET', `/api/v1/activity?object_id=${form_id}`);
    expect(body['data']).toMatchObject([{ action: 'form.created', actor: { client_id: 'storefront' } }]);
  });

  it('replaces the form with the slug or the external id, and publishes changes alone', async () => {
    const given = definition();
    const id = await define(given);
    const external_id = unique('form');
    expect(await define(given)).toBe(id);
    expect(await define({ ...given, external_id })).toBe(id);
    const moved = { ...given, external_id, slug: unique('form'), title: 'Ask us', active: false };
    expect(await define(moved)).toBe(id);
    expect(await define({ ...moved, external_id: null })).toBe(id);
    expect(await read(id)).toMatchObject({ slug: moved.slug, external_id, title: 'Ask us', active: false });
    expect(await typesOf(id, 3)).toEqual(['form.created', 'form.updated', 'form.updated']);
  });

  it('adds one form by definitions at the same time', async () => {
    const given = definition();
    const ids = await Promise.all(Array.from({ length: 5 }, () => define(given)));
    expect(new Set(ids).size).toBe(1);
  });

  it('does not take the slug of another form', async () => {
    const one = definition({ external_id: unique('form') });
    await define(one);
    const refusal = ['already_exists', '/slug already_exists'];
    expect(await storefront.refused(defineForm, { ...one, external_id: unique('form') })).toEqual(refusal);
    const other = definition({ external_id: unique('form') });
    await define(other);
    expect(await storefront.refused(defineForm, { ...other, slug: one.slug })).toEqual(refusal);
  });
});

describe('a submission', () => {
  it('keeps the answers of a student, counts, publishes and logs them', async () => {
    const [{ student_id }, id] = [await newLearner(storefront.api), await define()];
    const { headers } = await storefront.api.send('GET', `/api/v1/forms/${id}`);
    const command = submitting(id, { student: { id: student_id } });
    const { submission_id, ...result } = await storefront.run(submitForm, command);
    expect(result).toEqual({ form_id: id, submitted_at: at(1) });
    const { answers } = command;
    const submission = { id: submission_id, form_id: id, student_id, member_id: null, answers, submitted_at: at(1) };
    expect(await read(`${id}/submissions/${submission_id}`)).toMatchObject(submission);
    expect(await submissionsOf(id)).toEqual([expect.objectContaining(submission)]);
    const form = await storefront.api.send('GET', `/api/v1/forms/${id}`);
    expect(form.body).toMatchObject({ submissions_count: 1 });
    expect(form.headers['etag']).not.toBe(headers['etag']);
    const [event] = await storefront.api.events.of([submission_id], 1);
    expect(event).toMatchObject({
      type: 'school.form_submission.submitted.v1',
      actor: { client_id: 'storefront', via: 'command' },
      data: { form_id: id, form_slug: form.body['slug'], student_id, answers },
    });
    const { body } = await storefront.api.send('GET', `/api/v1/activity?object_id=${submission_id}`);
    expect(body['data']).toMatchObject([{ action: 'form_submission.submitted' }]);
  });

  it('names a form by its slug or external id, and no student for an anonymous visitor', async () => {
    const external_id = unique('form');
    const given = definition({ external_id });
    const id = await define(given);
    for (const form of [{ slug: given.slug }, { external_id }]) {
      expect(await storefront.run(submitForm, submitting(id, { form }))).toMatchObject({ form_id: id });
    }
    expect(await submissionsOf(id)).toMatchObject([
      { student_id: null, member_id: null },
      { student_id: null, member_id: null },
    ]);
  });

  it('counts submissions at the same time, and one for a key', async () => {
    const id = await define();
    const command = { ...submitting(id), idempotency_key: randomUUID() };
    const first = await storefront.run(submitForm, command);
    await Promise.all(Array.from({ length: 5 }, () => storefront.run(submitForm, submitting(id))));
    expect(await storefront.run(submitForm, command)).toEqual(first);
    expect(await read(id)).toMatchObject({ submissions_count: 6 });
    const other = { ...command, answers: { email: 'lin@example.com' } };
    expect(await storefront.refused(submitForm, other)).toEqual(['idempotency_key_reused']);
  });

  it('names the answers that do not fit', async () => {
    const id = await define();
    const answers = { email: 'mei', topics: ['Sails'], phone: '1' };
    expect(await storefront.refused(submitForm, submitting(id, { answers }))).toEqual([
      'validation_failed',
      '/answers/phone unknown_member',
      '/answers/email invalid_format',
      '/answers/topics invalid_value',
    ]);
    expect(await read(id)).toMatchObject({ submissions_count: 0 });
  });

  it.each<[string, () => object, readonly string[]]>([
    ['an unknown form', () => ({ form: { slug: 'none' } }), ['not_found']],
    ['an unknown student', () => ({ student: { id: randomUUID() } }), ['not_found']],
    ['another site', () => ({ site: storefront.api.sites[1].org_id }), ['not_found']],
    [
      'an instant of the future',
      () => ({ occurred_at: new Date(Date.now() + 6 * 60_000).toISOString() }),
      ['validation_failed', '/occurred_at too_large'],
    ],
  ])('refuses %s', async (_what, given, refusal) => {
    const id = await define();
    expect(await storefront.refused(submitForm, submitting(id, given()))).toEqual(refusal);
  });

  it('needs an active form', async () => {
    const id = await define({ active: false });
    const refusal = ['invalid_state', '/form invalid_state'];
    expect(await storefront.refused(submitForm, submitting(id))).toEqual(refusal);
  });
});

it('shows the member of a student, and erases the answers once the member was removed', async () => {
  const [{ student_id }, id] = [await newLearner(storefront.api), await define()];
  const { submission_id } = await storefront.run(submitForm, submitting(id, { student: { id: student_id } }));
  const { submission_id: anonymous } = await storefront.run(submitForm, submitting(id));
  const { body } = await storefront.api.send('GET', `/api/v1/students/${student_id}`);
  const [person_id, member_id] = [randomUUID(), randomUUID()];
  const [{ site_id }] = storefront.api.sites;
  const member = { person_id, member_id, email: String(body['email']), name: 'Mei', student_id };
  await storefront.api.events.sendRoles({ ...member, site_id, roles: ['student'], joined_at: at(0) }, 1);
  await storefront.api.events.of([student_id], 2);
  expect(await read(`${id}/submissions/${submission_id}`)).toMatchObject({ member_id });
  const erased = { ...member, email: erasedEmail(member_id), name: ERASED_NAME };
  await storefront.api.events.sendRoles({ ...erased, site_id, roles: [], joined_at: at(0) }, 2);
  const [, event] = await storefront.api.events.of([submission_id], 2);
  expect(event).toMatchObject({ type: 'school.form_submission.erased.v1', data: { student_id, answers: {} } });
  const erasures = await withDatabase(storefront.api.databaseUrl, (client) =>
    client.query('select version::int from event_erasures where aggregate_id = $1', [submission_id]),
  );
  expect(erasures.rows).toEqual([{ version: 2 }]);
  expect(await read(`${id}/submissions/${submission_id}`)).toMatchObject({ student_id, member_id: null, answers: {} });
  expect(await read(`${id}/submissions/${anonymous}`)).toMatchObject({ answers: { email: 'mei@example.com' } });
  expect(await read(id)).toMatchObject({ submissions_count: 2 });
});

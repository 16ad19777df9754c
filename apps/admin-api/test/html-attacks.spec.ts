import { postComment, defineForm, submitForm } from '@lyceum/contracts';
import { send } from '@lyceum/testing';
import { builtDocument } from './described.js';
import { at, newLearner } from './learner.js';
import { newCourse, unique } from './new-course.js';
import { Storefront } from './storefront.js';
import { toolCaller } from './tool-caller.js';

const ATTACK =
  '<p onclick="x()">Text</p><script>alert(1)</script><img src=x onerror=alert(1)><svg onload=alert(1)></svg>' +
  '<a href="java&#9;script:alert(1)">Link</a><iframe srcdoc="<script>alert(1)</script>"></iframe>' +
  '<math><mi><table><mglyph><style><math><img src onerror=alert(1)></style></mglyph></table></mi></math>';
const CLEAN = '<p>Text</p><img src="x" /><a rel="noopener noreferrer nofollow">Link</a><table></table>';

const storefront = Storefront.ofFile();

type Body = Record<string, unknown>;

const PRICE = { amount_minor: 100, currency: 'TWD' };
const TIMES = { starts_at: '2090-01-01T00:00:00Z', ends_at: '2090-01-01T01:00:00Z' };
const created = async (path: string, body: Body): Promise<string> => {
  const made = await storefront.api.send<{ id: string }>('POST', `/api/v1/${path}`, { body });
  if (made.status !== 201) throw new Error(made.text);
  return made.body.id;
};

/** The body that creates an object of each collection with HTML, without its HTML. */
const COLLECTIONS: Readonly<Record<string, () => Promise<Body> | Body>> = {
  'courses description_html': () => ({ name: 'A', slug: unique('attack') }),
  'digital_products description_html': () => ({ name: 'A', slug: unique('attack'), price: PRICE }),
  'events description_html': () => ({ name: 'A', slug: unique('attack'), hosting_type: 'in_person', ...TIMES }),
  'membership_plans description_html': () => ({
    name: 'A',
    slug: unique('attack'),
    plan_type: 'recurring',
    prices: [{ interval: 'month', price: PRICE }],
  }),
  'consulting_services description_html': () => ({ name: 'A', slug: unique('attack'), sessions_included: 1 }),
  'lectures content_html': async () => {
    const section_id = await created('sections', { course_id: (await newCourse(storefront.api)).id, title: 'A' });
    return { section_id, slug: unique('attack'), title: 'A' };
  },
  'lecturers bio_html': () => ({ name: 'A', slug: unique('attack') }),
  'posts body_html': () => ({ title: 'A', slug: unique('attack') }),
};

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
}
interface Document {
  readonly paths: Readonly<
    Record<string, { post?: { requestBody?: { content: Readonly<Record<string, { schema: { $ref: string } }>> } } }>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

it('covers each collection with HTML of the API', () => {
  const { paths, components } = JSON.parse(builtDocument('openapi.json')) as Document;
  const found = Object.entries(paths).flatMap(([path, { post }]) => {
    const [, collection] = /^\/api\/v1\/([a-z_]+)$/.exec(path) ?? [];
    const body = post?.requestBody?.content['application/json'];
    if (collection === undefined || body === undefined) return [];
    const { properties = {} } = components.schemas[body.schema.$ref.split('/').at(-1) ?? ''] ?? {};
    return Object.keys(properties)
      .filter((name) => name.endsWith('_html'))
      .map((name) => `${collection} ${name}`);
  });
  expect(found.toSorted()).toEqual(Object.keys(COLLECTIONS).toSorted());
});

it.each(Object.entries(COLLECTIONS))('cleans %s when it is created, changed and put', async (of, bodyOf) => {
  const [collection = '', field = ''] = of.split(' ');
  const path = `/api/v1/${collection}`;
  const body = await bodyOf();
  const id = await created(collection, { ...body, [field]: ATTACK });
  const read = async (one: string) => (await storefront.api.send('GET', `${path}/${one}`)).body[field];
  expect(await read(id)).toBe(CLEAN);
  await storefront.api.send('PATCH', `${path}/${id}`, { body: { [field]: '<p>Other</p>' } });
  expect((await storefront.api.send('PATCH', `${path}/${id}`, { body: { [field]: ATTACK } })).body[field]).toBe(CLEAN);
  expect(await read(id)).toBe(CLEAN);
  const put = await storefront.api.send<{ id: string }>('PUT', `${path}/by_external_id/${unique('attack')}`, {
    body: { ...(await bodyOf()), [field]: ATTACK },
  });
  expect([put.status, await read(put.body.id)]).toEqual([201, CLEAN]);
  const deep = { [field]: '<b>'.repeat(101) };
  expect((await storefront.api.send('PATCH', `${path}/${id}`, { body: deep })).body).toMatchObject({
    errors: [{ pointer: `/${field}`, code: 'too_deep' }],
  });
});

it('shows visitors the cleaned HTML of a post and of an event', async () => {
  const call = toolCaller(storefront.api).call;
  const post = { title: 'A', slug: unique('attack'), body_html: ATTACK };
  const event = { name: 'A', slug: unique('attack'), hosting_type: 'in_person', description_html: ATTACK, ...TIMES };
  await storefront.api.send('POST', `/api/v1/posts/${await created('posts', post)}/publish`);
  await storefront.api.send('POST', `/api/v1/events/${await created('events', event)}/publish`);
  expect(await call('browse_posts', { slug: post.slug })).toMatchObject({ items: [{ body_html: CLEAN }] });
  const shown = await call('browse_item', { type: 'event', slug: event.slug });
  expect(shown).toMatchObject({ description_html: CLEAN });
});

it('keeps plain text as it is, and responds with it in JSON alone', async () => {
  const text = `<script>alert(1)</script><img src=x onerror=alert(1)>`;
  const learner = await newLearner(storefront.api);
  const { comment_id } = await storefront.run(postComment, {
    student: { id: learner.student_id },
    commentable: { type: 'lecture', id: learner.lectures[0] },
    body: text,
    occurred_at: at(1),
  });
  const field = { key: 'message', type: 'textarea', label: text };
  const { form_id } = await storefront.run(defineForm, { slug: unique('attack'), title: text, fields: [field] });
  const submission = { form: { id: form_id }, answers: { message: text }, occurred_at: at(1) };
  const { submission_id } = await storefront.run(submitForm, submission);
  const announcement = await created('announcements', { title: text, body: text });
  const post = await created('posts', { slug: unique('attack'), title: text, excerpt: text });
  for (const [path, texts] of Object.entries({
    [`comments/${comment_id}`]: { body: text },
    [`forms/${form_id}`]: { title: text, fields: [expect.objectContaining({ label: text })] },
    [`forms/${form_id}/submissions/${submission_id}`]: { answers: { message: text } },
    [`announcements/${announcement}`]: { title: text, body: text },
    [`posts/${post}`]: { title: text, excerpt: text },
  })) {
    const token = await storefront.api.token('comments:read forms:read posts:read');
    // Also for a browser that prefers pages.
    const headers = {
      host: storefront.api.sites[0].host,
      authorization: `Bearer ${token}`,
      accept: 'text/html,*/*;q=0.1',
    };
    const response = await send<Body>(storefront.api.service.url, 'GET', `/api/v1/${path}`, headers);
    expect([path, response.status, response.headers]).toMatchObject([
      path,
      200,
      { 'content-type': expect.stringMatching(/^application\/json/), 'x-content-type-options': 'nosniff' },
    ]);
    expect(response.body).toMatchObject(texts);
  }
});

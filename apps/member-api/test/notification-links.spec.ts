import { eventually, smtpSink } from '@lyceum/testing';
import type pg from 'pg';
import { readMail } from './mail-reader.js';
import { startMemberApi } from './member-api.js';
import type { Data, TestApi } from './member-api.js';

const QUERY = `{ viewer { notifications(first: 50) { nodes {
  title url subject { ... on EnrolledCourse { slug pageUrl } } } } } }`;

let api: TestApi;
let database: pg.Client;
let sink: Awaited<ReturnType<typeof smtpSink>>;
let member: { readonly site_id: string; readonly person_id: string };

beforeAll(async () => {
  sink = await smtpSink();
  api = await startMemberApi({ MAIL_SMTP_URL: sink.url, MAIL_FROM: 'no-reply@school.example' });
  database = await api.connect();
  const { site_id, base_url, host, name, slug, org_id } = api.sites[0];
  const course_url = 'https://www.example.com/{slug}?id={id}';
  await api.world.site({ site_id, base_url, host, name, slug, org_id, state: 'active', course_url });
  member = await api.member();
});
afterAll(async () => {
  await api.stop();
  await sink.close();
});

const waitFor = (text: string, values: unknown[]): Promise<unknown> =>
  eventually(async () => (await database.query(text, values)).rowCount === 1);

/** Gives a course of the member another slug, and its former one to a new course. Returns both ids. */
async function exchangeSlugs(from: string, to: string) {
  const { site_id } = member;
  const course = await api.world.course({ site_id, slug: from, name: `All about ${from}` });
  await api.world.enrollment({ ...member, course_id: course.course_id });
  await waitFor('select from notifications where path = $1 and person_id = $2', [`/courses/${from}`, member.person_id]);
  await api.world.course({ ...course, slug: to }, { version: 2, name: 'updated' });
  const other = await api.world.course({ site_id, slug: from });
  await waitFor('select from courses where course_id = $1', [other.course_id]);
  return { course: course.course_id, other: other.course_id };
}

it('leads to the page of the enrolled course after the course has another slug', async () => {
  const { site_id } = member;
  const { course, other } = await exchangeSlugs('knots', 'ropes');
  // The operator means the course that has this slug.
  await api.world.announcement({ site_id, course_id: course, title: 'Another course', path: '/courses/knots' });
  const find = ({ viewer }: Data, title: string): Data =>
    viewer?.notifications.nodes.find((one: Data) => one.title === title);
  const words = 'You are enrolled in All about knots';
  const inbox = await api.until(
    QUERY,
    (data) => find(data, 'Another course') !== undefined && find(data, words).subject.slug === 'ropes',
  );
  const enrolled = find(inbox, words);
  expect(enrolled.url).toBe(`https://www.example.com/ropes?id=${course}`);
  expect(enrolled.url).toBe(enrolled.subject.pageUrl);
  expect(find(inbox, 'Another course').url).toBe(`https://www.example.com/knots?id=${other}`);
});

it.each([
  ['lecture_published', '/courses/sails', 'sails', 'masts', 'https://www.example.com/masts?id='],
  ['course_post_published', '/posts/news', 'oars', 'rudders', undefined],
])('leads from a waiting mail of the kind %s to its page alone', async (kind, path, from, to, url) => {
  const { course } = await exchangeSlugs(from, to);
  const title = `A ${kind}`;
  await database.query(
    `insert into outbound_mails (site_id, person_id, occasion, kind, topic, entity_id, parameters, path, created_at, due_at)
     values ($1, $2, $3, $3, 'course_update', $4, $5, $6, now(), now())`,
    [member.site_id, member.person_id, kind, course, { lecture: title, title, excerpt: null }, path],
  );
  const { text } = readMail(await eventually(() => sink.received.find((one) => readMail(one).subject.includes(title))));
  expect(/https:\/\/www\.example\.com\/\S+/.exec(text)?.[0]).toBe(url && `${url}${course}`);
});

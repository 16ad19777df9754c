import { TEXT_PIECE_LENGTH } from '@lyceum/contracts';
import type { MEMBER_TEXTS } from '@lyceum/contracts';
import { eventually } from '@lyceum/testing';
import { LIMITS } from '#src/selection/limits.policy.js';
import { startMemberApi } from './member-api.js';
import type { Data, TestApi } from './member-api.js';
import { attachment, lecture, section } from './world.js';
import type { Sent } from './world.js';

const QUERY = `query ($slug: String!, $id: ID!) { viewer { enrolledCourse(slug: $slug) {
  descriptionHtml nextLecture { contentHtml playerUrl } lecture(id: $id) { id title contentHtml playerUrl }
} } }`;
const CONTENT = '<p>Make a loop, "twice" 😀.</p>';
const DESCRIPTION = '<p>Eight knots.</p>';

let api: TestApi;
let member: { site_id: string; person_id: string };

beforeAll(async () => {
  api = await startMemberApi();
  member = await api.member();
});
afterAll(() => api.stop());

type Kind = (typeof MEMBER_TEXTS)[number];

/** A course of the member with a description and one lecture, which has a content and a video. */
async function enrolled({ drip_days = 0, url = 'https://youtu.be/dQw4w9WgXcQ', free_preview = false } = {}) {
  const { site_id } = member;
  const { course_id, slug } = await api.world.course({ site_id });
  const enrollment = await api.world.enrollment({ ...member, course_id, started_at: new Date().toISOString() });
  const only = lecture('bowline', { free_preview });
  const { lecture_id } = only;
  const video = attachment('Video', { kind: 'video', url, file: null });
  const text = (kind: Kind, pieces: readonly string[], sent: Sent = {}, only_piece?: number) =>
    Promise.all(
      pieces.map(async (html, index) => {
        if (only_piece !== undefined && index !== only_piece) return;
        const owner_id = kind === 'lecture_content' ? lecture_id : course_id;
        const piece = { index, count: pieces.length };
        await api.world.text({ owner_id, kind, course_id, site_id, piece, html }, sent);
      }),
    );
  await api.world.attachments({ site_id, course_id, lecture_id, attachments: [attachment('Chart'), video] });
  await api.world.curriculum({ site_id, course_id, sections: [section([only], { drip_days })] });
  await text('lecture_content', [CONTENT]);
  await text('course_description', [DESCRIPTION]);
  const read = async (done: (course: Data) => boolean): Promise<Data> => {
    const variables = { slug, id: lecture_id };
    const courseOf = ({ viewer }: Data): Data => viewer?.enrolledCourse ?? null;
    const data = await api.until(QUERY, (seen) => courseOf(seen) !== null && done(courseOf(seen)), { variables });
    return courseOf(data);
  };
  const arrived = ({ descriptionHtml, lecture: one }: Data) =>
    descriptionHtml !== null && one !== null && (drip_days > 0 || one.contentHtml !== null);
  return { course_id, slug, enrollment, lecture_id, text, read, course: await read(arrived) };
}

const PLAYER = 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ';

describe('the texts of a course', () => {
  it('returns the description, and the content and the player of an open lecture', async () => {
    const { course, read, lecture_id } = await enrolled();
    const open = { contentHtml: CONTENT, playerUrl: PLAYER };
    expect(await read(({ lecture: one }) => one.contentHtml !== null && one.playerUrl !== null)).toEqual({
      descriptionHtml: DESCRIPTION,
      nextLecture: open,
      lecture: { id: lecture_id, title: 'The bowline', ...open },
    });
    expect(course.descriptionHtml).toBe(DESCRIPTION);
  });

  it('serves the same from resolvers', async () => {
    const { slug, lecture_id, read } = await enrolled();
    const compiled = await read(({ lecture: one }) => one.contentHtml !== null && one.playerUrl !== null);
    const { body } = await api.query(QUERY.replace('viewer {', 'viewer { notifications(after: "x") { totalCount }'), {
      variables: { slug, id: lecture_id },
    });
    expect(body.errors).toHaveLength(1);
    expect(body.data.viewer.enrolledCourse).toEqual(compiled);
  });

  it('keeps content and player back until the section opens', async () => {
    const { read } = await enrolled({ drip_days: 3 });
    const closed = await read(({ lecture: one }) => one !== null);
    expect(closed.lecture).toMatchObject({ contentHtml: null, playerUrl: null });
    expect([closed.descriptionHtml, closed.nextLecture]).toEqual([DESCRIPTION, null]);
  });

  it('shows a free preview before its section opens', async () => {
    const { read } = await enrolled({ drip_days: 3, free_preview: true });
    const course = await read(({ lecture: one }) => one.contentHtml !== null && one.playerUrl !== null);
    const open = { contentHtml: CONTENT, playerUrl: PLAYER };
    expect([course.nextLecture, course.lecture]).toMatchObject([open, open]);
  });

  it('keeps them back after the end of access, and shows the description', async () => {
    const { enrollment, read } = await enrolled();
    await api.world.enrollment({ ...enrollment, expires_at: '2026-04-01T00:00:00.000Z' }, { version: 2 });
    const ended = await read(({ lecture: one }) => one.contentHtml === null);
    expect([ended.lecture.playerUrl, ended.descriptionHtml]).toEqual([null, DESCRIPTION]);
  });

  it('shows nothing after the revocation of the enrollment', async () => {
    const { enrollment, slug, lecture_id } = await enrolled();
    await api.world.enrollment({ ...enrollment, state: 'revoked' }, { version: 2, name: 'revoked' });
    const gone = ({ viewer }: Data) => viewer.enrolledCourse === null;
    const { viewer } = await api.until(QUERY, gone, { variables: { slug, id: lecture_id } });
    expect(viewer.enrolledCourse).toBeNull();
  });

  it('joins pieces of one version, follows a shorter text, and ignores an older version', async () => {
    const { text, read } = await enrolled();
    const shown = async (html: string | null) =>
      (await read(({ lecture: one }) => one.contentHtml === html)).lecture.contentHtml as unknown;
    await text('lecture_content', ['<p>a', 'b</p>', '<p>c</p>'], { version: 2 });
    expect(await shown('<p>ab</p><p>c</p>')).toBe('<p>ab</p><p>c</p>');
    await text('lecture_content', ['<p>d', 'e</p>'], { version: 3 }, 0);
    expect(await shown(null)).toBeNull();
    await text('lecture_content', ['<p>d', 'e</p>'], { version: 3 }, 1);
    expect(await shown('<p>de</p>')).toBe('<p>de</p>');
    await text('lecture_content', ['<p>old</p>'], { version: 2 });
    await text('course_description', ['<p>new</p>'], { version: 2 });
    const course = await read(({ descriptionHtml }) => descriptionHtml === '<p>new</p>');
    expect(course.lecture.contentHtml).toBe('<p>de</p>');
    await text('lecture_content', [''], { version: 4, name: 'deleted' });
    expect(await shown(null)).toBeNull();
  });

  it('shows a shorter text whose pieces arrive before those of an older and longer one', async () => {
    const { text, read } = await enrolled();
    const shown = async (html: string) =>
      (await read(({ lecture: one }) => one.contentHtml === html)).lecture.contentHtml as unknown;
    await text('lecture_content', ['<p>short', '</p>'], { version: 6 });
    expect(await shown('<p>short</p>')).toBe('<p>short</p>');
    await text('lecture_content', ['<p>long', 'er', '</p>'], { version: 5 });
    await text('course_description', ['<p>later</p>'], { version: 2 });
    const course = await read(({ descriptionHtml }) => descriptionHtml === '<p>later</p>');
    expect(course.lecture.contentHtml).toBe('<p>short</p>');
  });

  it('returns the texts and players of all lectures of a course in one response', async () => {
    const { slug, course_id } = await enrolled();
    const { site_id } = member;
    const names = Array.from({ length: 12 }, (_, n) => `lesson-${n}`);
    const lectures = names.map((name) => lecture(name));
    await api.world.curriculum(
      { site_id, course_id, sections: [section(lectures.slice(0, 5)), section(lectures.slice(5))] },
      { version: 2 },
    );
    for (const { lecture_id, slug: name } of lectures) {
      const piece = { index: 0, count: 1 };
      const owner = { owner_id: lecture_id, kind: 'lecture_content', course_id, site_id } as const;
      await api.world.text({ ...owner, piece, html: `<p>${name}</p>` });
      const url = 'https://vimeo.com/76979871';
      const video = attachment('Video', { kind: 'video', url, file: null });
      await api.world.attachments({ site_id, course_id, lecture_id, attachments: [video] });
    }
    const query = `query ($slug: String!) { viewer { enrolledCourse(slug: $slug) {
      curriculum { lectures { slug contentHtml playerUrl } } } } }`;
    const all = ({ viewer }: Data) => viewer.enrolledCourse.curriculum.flatMap((one: Data) => one.lectures) as Data[];
    const complete = (data: Data) =>
      all(data).length === names.length && all(data).every((one) => one.contentHtml !== null && one.playerUrl !== null);
    expect(all(await api.until(query, complete, { variables: { slug } }))).toEqual(
      names.map((name) => ({
        slug: name,
        contentHtml: `<p>${name}</p>`,
        playerUrl: 'https://player.vimeo.com/video/76979871',
      })),
    );
  });

  it('sends a response of 4 MiB, and refuses a longer one', async () => {
    const { slug, lecture_id, text } = await enrolled();
    const query = `query ($slug: String!, $id: ID!) { viewer { enrolledCourse(slug: $slug) {
      lecture(id: $id) { contentHtml } } } }`;
    const variables = { slug, id: lecture_id };
    const empty = JSON.stringify({ viewer: { enrolledCourse: { lecture: { contentHtml: '' } } } });
    const most = LIMITS.responseBytes - empty.length;
    const html = 'x'.repeat(most);
    const pieces = Array.from({ length: Math.ceil(most / TEXT_PIECE_LENGTH) }, (_, n) =>
      html.slice(n * TEXT_PIECE_LENGTH, (n + 1) * TEXT_PIECE_LENGTH),
    );
    await text('lecture_content', pieces, { version: 2 });
    const shown = ({ viewer }: Data) => viewer.enrolledCourse.lecture.contentHtml as string | null;
    const { viewer } = await api.until(query, (data) => shown(data)?.length === most, { variables });
    expect(JSON.stringify({ viewer })).toHaveLength(LIMITS.responseBytes);
    await text('lecture_content', [...pieces.slice(0, -1), `${pieces.at(-1)}x`], { version: 3 });
    const refused = async () => (await api.query(query, { variables })).body;
    const ended = await eventually(refused, (body) => body.errors !== undefined);
    const codes = ended.errors?.map(({ extensions }) => extensions.code);
    expect([ended.data, codes]).toEqual([undefined, ['COST_LIMIT_EXCEEDED']]);
  });

  it('returns no player for a video of another host', async () => {
    const { read } = await enrolled({ url: 'https://cdn.example.com/youtu.be/dQw4w9WgXcQ' });
    expect((await read(({ lecture: one }) => one.contentHtml !== null)).lecture.playerUrl).toBeNull();
  });

  it.each(['', 'not-an-id', '019ab3c0-0000-7000-8000-000000000000'])('finds no lecture with the id %j', async (id) => {
    const { slug } = await enrolled();
    const { body } = await api.query(QUERY, { variables: { slug, id } });
    expect(body.data.viewer.enrolledCourse.lecture).toBeNull();
  });

  it('finds no lecture of another course', async () => {
    const [one, other] = [await enrolled(), await enrolled()];
    const { body } = await api.query(QUERY, { variables: { slug: one.slug, id: other.lecture_id } });
    expect(body.data.viewer.enrolledCourse.lecture).toBeNull();
  });
});

it('returns no texts of another site', async () => {
  const { text, read, course_id, lecture_id } = await enrolled();
  const other = { site_id: api.sites[1].site_id, course_id, piece: { index: 0, count: 1 }, html: '<p>Other</p>' };
  await api.world.text({ ...other, owner_id: lecture_id, kind: 'lecture_content' }, { version: 9 });
  await text('lecture_content', ['<p>Own</p>'], { version: 2 });
  expect((await read(({ lecture: one }) => one.contentHtml !== CONTENT)).lecture.contentHtml).toBe('<p>Own</p>');
});

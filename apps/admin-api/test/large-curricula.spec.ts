import { CURRICULUM_LIMITS, TOPOLOGY_LIMITS } from '@lyceum/contracts';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { republishCommand } from '#src/republication/republish.command.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { newCourse, unique } from './new-course.js';
import type { SeenEvent } from './school-stream.js';
import { toolCaller } from './tool-caller.js';

const { sections: SECTIONS, lectures: LECTURES, titleLength } = CURRICULUM_LIMITS;
const LONG = '課'.repeat(titleLength);
const SLUG_LENGTH = 100;
/** The largest result of a tool. */
const RESULT_BYTES = 60 * 1_024;

interface Tree {
  readonly sections: readonly { readonly id: string; readonly lectures: readonly { readonly id: string }[] }[];
}
interface ShownTree extends Tree {
  readonly etag: string;
  readonly sections: readonly (Tree['sections'][number] & { readonly more_lectures?: number })[];
}
interface Content {
  readonly part_id: string | null;
  readonly piece: { readonly index: number; readonly count: number } | null;
  readonly sections: readonly { readonly section_id: string; readonly lectures: readonly { lecture_id: string }[] }[];
}

let api: TestApi;
let course_id: string;
/** The last section, with all lectures. */
let last: string;

const contentOf = ({ data }: SeenEvent): Content => data as object as Content;
const lectureIds = (events: readonly SeenEvent[]): string[] =>
  events.flatMap((event) => contentOf(event).sections).flatMap(({ lectures }) => lectures.map((one) => one.lecture_id));

async function succeed(method: string, path: string, asked: Parameters<TestApi['send']>[2] = {}) {
  const response = await api.send(method, path, asked);
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.text}`);
  return response.body;
}

const tree = async (): Promise<{ readonly sections: Tree['sections']; readonly etag: string }> => {
  const { body, headers } = await api.send<Tree>('GET', `/api/v1/courses/${course_id}/curriculum`);
  return { sections: body.sections, etag: headers['etag'] ?? '' };
};

/** The events of the course with this version, once all pieces of the curriculum are there. */
async function eventsOf(version: number, type: string): Promise<SeenEvent[]> {
  const ofVersion = (event: SeenEvent): boolean =>
    event.aggregate_id === course_id && event.aggregate_version === version && event.type.includes('.curriculum.');
  const [first] = await api.events.matching((event) => ofVersion(event) && event.type.includes('.piece.'), 1);
  const count = first === undefined ? 0 : (contentOf(first).piece?.count ?? 0);
  return api.events.matching(
    (event) => ofVersion(event) && new RegExp(`\\.(${type}|piece)\\.`).test(event.type),
    count + 1,
  );
}

const newLecture = (more: object = {}): object => ({
  section_id: last,
  title: LONG,
  slug: unique('l').padEnd(SLUG_LENGTH, 'y'),
  lecture_type: 'download',
  duration_seconds: 360_000,
  ...more,
});

beforeAll(async () => {
  api = await startAdminApi();
  ({ id: course_id } = await newCourse(api));
  const database = new pg.Client(api.databaseUrl);
  await database.connect();
  const values = [api.sites[0].site_id, course_id, LONG];
  await database.query(
    `insert into sections (site_id, course_id, title, position, drip_days)
     select $1, $2, $3, n, 3650 from generate_series(1, $4) n`,
    [...values, SECTIONS - 1],
  );
  const body = { course_id, title: LONG };
  last = String((await succeed('PUT', `/api/v1/sections/by_external_id/${course_id}`, { body }))['id']);
  await database.query(
    `insert into lectures (site_id, course_id, section_id, slug, title, position, lecture_type, duration_seconds,
                           state, published_at)
     select $1, $2, $4, rpad('l' || n, $6, 'x'), $3, n, 'download', 360000, 'published', now()
     from generate_series(1, $5) n`,
    [...values, last, LECTURES - 3, SLUG_LENGTH],
  );
  await database.end();
});
afterAll(() => api.stop());

// First, because a republication waits for consumers, which do not run here.
it('republishes a large curriculum in its pieces, beside a small one', async () => {
  const { id: small } = await newCourse(api);
  await succeed('POST', '/api/v1/sections', { body: { course_id: small, title: 'Section' } });
  await republishCommand.run(api.config, ['curriculum']);
  const named = (event: SeenEvent): boolean => event.type === 'school.curriculum.republished.v1';
  const [one] = await api.events.matching((event) => named(event) && event.aggregate_id === small, 1);
  expect(one).toMatchObject({ data: { piece: { index: 0, count: 1 }, sections: [{ title: 'Section' }] } });
  const [first] = await api.events.matching((event) => named(event) && event.aggregate_id === course_id, 1);
  const count = first === undefined ? 0 : (contentOf(first).piece?.count ?? 0);
  expect(count).toBeGreaterThan(1);
  const pieces = await api.events.matching((event) => named(event) && event.aggregate_id === course_id, count);
  expect(pieces.map((event) => contentOf(event).piece?.index)).toEqual(pieces.map((_, index) => index));
  expect(lectureIds(pieces)).toHaveLength(LECTURES - 3);
});

it('publishes a change with its part, and the curriculum in pieces of the same version', async () => {
  const { id } = await succeed('POST', '/api/v1/lectures', { body: newLecture({ state: 'published' }) });
  const [change, ...pieces] = await eventsOf(2, 'lecture_created');
  expect(change).toMatchObject({
    type: 'school.curriculum.lecture_created.v1',
    data: { part_id: id, piece: null, sections: [{ section_id: last, lectures: [{ lecture_id: id, title: LONG }] }] },
  });
  expect(pieces.map((event) => contentOf(event).piece)).toEqual(
    pieces.map((_, index) => ({ index, count: pieces.length })),
  );
  const ids = (await tree()).sections.flatMap(({ lectures }) => lectures.map((one) => one.id));
  expect(ids).toHaveLength(LECTURES - 2);
  expect(lectureIds(pieces)).toEqual(ids);
  for (const event of pieces) {
    expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThan(TOPOLOGY_LIMITS.eventBytes);
  }
  const log = await succeed('GET', `/api/v1/activity?object_id=${course_id}&object_type=curriculum`);
  expect((log['data'] as { readonly action: string }[]).map(({ action }) => action)).toEqual([
    'curriculum.lecture_created',
    'curriculum.section_created',
  ]);
});

it('publishes the curriculum once for many new lectures, and refuses one beyond the limit', async () => {
  const items = [newLecture(), newLecture(), newLecture()];
  const { results } = await succeed('POST', '/api/v1/lectures/bulk', { body: { atomic: false, items } });
  expect(results).toMatchObject([
    { status: 201 },
    { status: 201 },
    { status: 409, errors: [{ code: 'invalid_state', detail: `A course has at most ${LECTURES} lectures` }] },
  ]);
  const [second, ...pieces] = await eventsOf(4, 'lecture_created');
  const ofFirst = (event: SeenEvent): boolean => event.aggregate_id === course_id && event.aggregate_version === 3;
  const first = await api.events.matching((event) => ofFirst(event) && event.type.includes('.curriculum.'), 1);
  expect(first.map((event) => [contentOf(event).piece, lectureIds([event]).length])).toEqual([[null, 1]]);
  expect([second && contentOf(second).piece, lectureIds(pieces).length]).toEqual([null, LECTURES]);
  const more = await api.send('POST', '/api/v1/lectures', { body: newLecture() });
  expect([more.status, more.body['code'], more.body['detail']]).toEqual([
    409,
    'invalid_state',
    `A course has at most ${LECTURES} lectures`,
  ]);
  const another = await api.send('POST', '/api/v1/sections', { body: { course_id, title: 'More' } });
  expect([another.body['code'], another.body['detail']]).toEqual([
    'invalid_state',
    `A course has at most ${SECTIONS} sections`,
  ]);
});

it('reorders the most lectures with one statement', async () => {
  const { sections, etag } = await tree();
  const reversed = sections.toReversed().map(({ id, lectures }) => ({
    id,
    lecture_ids: lectures.map((lecture) => lecture.id).toReversed(),
  }));
  const put = (body: object) => {
    const path = `/api/v1/courses/${course_id}/curriculum/order`;
    return api.send<Tree>('PUT', path, { body, headers: { 'if-match': etag } });
  };
  const query = jest.spyOn(api.service.app.get(DataSource).createQueryRunner().constructor.prototype, 'query');
  const ordered = await put({ sections: reversed });
  const texts = query.mock.calls.map(([text]) => String(text));
  query.mockRestore();
  expect(ordered.status).toBe(200);
  expect(texts.filter((text) => text.startsWith('update lectures'))).toHaveLength(1);
  const ids = reversed.flatMap(({ lecture_ids }) => lecture_ids);
  expect(ordered.body.sections.flatMap(({ lectures }) => lectures.map(({ id }) => id))).toEqual(ids);
  const [change, ...pieces] = await eventsOf(5, 'reordered');
  expect(change).toMatchObject({ data: { part_id: null, piece: null, sections: [] } });
  expect(lectureIds(pieces)).toEqual(ids);
  const beyond = await put({ sections: [{ id: last, lecture_ids: [...ids, course_id] }] });
  expect(beyond).toMatchObject({
    status: 422,
    body: { code: 'validation_failed', errors: [{ pointer: '/sections/0/lecture_ids', code: 'too_large' }] },
  });
});

it('reads and reorders the largest curriculum by tools, whose results have the first lectures', async () => {
  const { call } = toolCaller(api);
  const caller = { scopes: ['curriculum:read', 'curriculum:write'] };
  const order = (sections: Tree['sections']) =>
    sections.map(({ id, lectures }) => ({ id, lecture_ids: lectures.map((lecture) => lecture.id) }));
  const shown = await call<ShownTree>('get_curriculum', { course_id }, caller);
  expect(Buffer.byteLength(JSON.stringify(shown))).toBeLessThan(RESULT_BYTES);
  const { sections } = await tree();
  expect(shown.sections.map(({ id }) => id)).toEqual(sections.map(({ id }) => id));
  expect(shown.sections.flatMap(({ lectures }) => lectures)).not.toEqual([]);
  expect(shown.sections.map(({ lectures, more_lectures = 0 }) => lectures.length + more_lectures)).toEqual(
    sections.map(({ lectures }) => lectures.length),
  );
  const args = { course_id, sections: order(sections.toReversed()), if_match: shown.etag };
  const { curriculum } = await call<{ curriculum: ShownTree }>('reorder_curriculum', args, caller);
  expect(Buffer.byteLength(JSON.stringify(curriculum))).toBeLessThan(RESULT_BYTES);
  expect(curriculum.sections.map(({ id }) => id)).toEqual(sections.toReversed().map(({ id }) => id));
});

it('changes a part of the largest curriculum by its own key', async () => {
  const body = { course_id, title: 'Known' };
  await succeed('PUT', `/api/v1/sections/by_external_id/${course_id}`, { body });
  const [change, ...pieces] = await eventsOf(7, 'section_updated');
  expect(change).toMatchObject({
    data: { piece: null, sections: [{ section_id: last, title: 'Known', lectures: [] }] },
  });
  expect(lectureIds(pieces)).toHaveLength(LECTURES);
});

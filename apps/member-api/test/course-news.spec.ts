import { postEvents } from '@lyceum/contracts';
import { uuidv7 } from '@lyceum/platform';
import { eventually } from '@lyceum/testing';
import type pg from 'pg';
import { startMemberApi } from './member-api.js';
import type { TestApi } from './member-api.js';
import { lecture, section } from './world.js';
import type { DataOf, Lecture, Section } from './world.js';

let api: TestApi;
let database: pg.Client;
let member: { readonly site_id: string; readonly person_id: string };

beforeAll(async () => {
  api = await startMemberApi();
  database = await api.connect();
  member = await api.member();
});
afterAll(() => api.stop());

const ago = (seconds: number): string => new Date(Date.now() - seconds * 1_000).toISOString();

async function count(text: string, values: unknown[]): Promise<number> {
  const { rows } = await database.query<{ n: number }>(`select count(*)::int as n from ${text}`, values);
  return rows[0]?.n ?? -1;
}

const notified = (occasion: string): Promise<number> => count('notifications where occasion = $1', [occasion]);
const waits = (occasion: string): Promise<number> =>
  eventually(() => count('fan_outs where occasion = $1 and ended_at is null', [occasion]));
const ends = (occasion: string): Promise<number> =>
  eventually(() => count('fan_outs where occasion = $1 and ended_at is not null', [occasion]));
const isGone = (occasion: string): Promise<unknown> =>
  eventually(async () => (await count('fan_outs where occasion = $1', [occasion])) === 0);

/** A course that the member is enrolled in before it is published. */
async function draftCourse() {
  const draft = await api.world.course({ site_id: member.site_id, state: 'draft', published_at: null });
  await api.world.enrollment({ ...member, course_id: draft.course_id });
  return draft;
}

/** Publishes a course, and enrolls the member. Returns its id. */
async function enrolled(given: Partial<Parameters<TestApi['world']['enrollment']>[0]> = {}): Promise<string> {
  const { course_id } = await api.world.course(member);
  await api.world.enrollment({ ...member, ...given, course_id });
  await eventually(() => count('enrollments where course_id = $1', [course_id]));
  return course_id;
}

async function publishCourse(draft: Awaited<ReturnType<typeof draftCourse>>, published_at: string | null) {
  await api.world.course({ ...draft, state: 'published', published_at }, { version: 2, name: 'published' });
  await eventually(() => count(`courses where course_id = $1 and state = 'published'`, [draft.course_id]));
}

describe('the announcement of a lecture', () => {
  let version = 0;
  /** Sends the event of one lecture, or of none, `seconds` ago. */
  const change = (
    course_id: string,
    name: string,
    part: Lecture | null,
    seconds: number,
    all = [part],
    given: Partial<Section> = {},
  ) =>
    api.world.curriculum(
      {
        site_id: member.site_id,
        course_id,
        part_id: part?.lecture_id ?? null,
        sections: [
          section(
            all.flatMap((one) => one ?? []),
            given,
          ),
        ],
      },
      { version: (version += 1), name, occurred_at: ago(seconds) },
    );
  const occasionOf = ({ lecture_id }: Lecture): string => `lecture:${lecture_id}`;

  it('reaches members when the lecture is published after its course, and not when before', async () => {
    const draft = await draftCourse();
    const before = ['one', 'two'].map((slug) => lecture(slug, { published_at: ago(60) }));
    for (const one of before) await change(draft.course_id, 'lecture_published', one, 60, before);
    for (const one of before) await waits(occasionOf(one));
    await publishCourse(draft, ago(30));
    for (const one of before) await ends(occasionOf(one));
    const after = lecture('three', { published_at: ago(0) });
    await change(draft.course_id, 'lecture_published', after, 0);
    await ends(occasionOf(after));
    for (const one of before) expect(await notified(occasionOf(one))).toBe(0);
    expect(await notified(occasionOf(after))).toBe(1);
  });

  it('leaves out an edited lecture of a copy after the publication of the copy', async () => {
    const draft = await draftCourse();
    const copy = lecture('copy', { published_at: ago(60) });
    await change(draft.course_id, 'copied', null, 60, [copy]);
    await publishCourse(draft, ago(30));
    await change(draft.course_id, 'lecture_updated', { ...copy, title: 'Another title' }, 0);
    await ends(occasionOf(copy));
    expect(await notified(occasionOf(copy))).toBe(0);
  });

  it('ends with the lecture in a draft course, and begins again when the lecture is published again', async () => {
    const draft = await draftCourse();
    const made = lecture('unpublished', { published_at: ago(60) });
    await change(draft.course_id, 'lecture_published', made, 60);
    await waits(occasionOf(made));
    await change(draft.course_id, 'lecture_unpublished', { ...made, state: 'draft' }, 50);
    await isGone(occasionOf(made));
    await publishCourse(draft, ago(30));
    await change(draft.course_id, 'lecture_published', made, 0);
    await ends(occasionOf(made));
    expect(await notified(occasionOf(made))).toBe(1);
  });

  it('ends when the lecture is deleted before the publication of its course', async () => {
    const draft = await draftCourse();
    const made = lecture('deleted', { published_at: ago(60) });
    await change(draft.course_id, 'lecture_published', made, 60);
    await waits(occasionOf(made));
    const part_id = made.lecture_id;
    const { site_id } = member;
    await api.world.curriculum(
      { site_id, course_id: draft.course_id, part_id, sections: [] },
      { version: (version += 1), name: 'lecture_deleted' },
    );
    await isGone(occasionOf(made));
    expect(await notified(occasionOf(made))).toBe(0);
  });

  it('waits until the section opens', async () => {
    const course_id = await enrolled();
    const [made, marker] = ['later', 'now'].map((slug) => lecture(slug, { published_at: ago(0) })) as [
      Lecture,
      Lecture,
    ];
    const opens_at = new Date(Date.now() + 24 * 3_600_000).toISOString();
    await change(course_id, 'lecture_published', made, 0, [made], { opens_at });
    await waits(occasionOf(made));
    await change(await enrolled(), 'lecture_published', marker, 0);
    await ends(occasionOf(marker));
    expect([await notified(occasionOf(made)), await notified(occasionOf(marker))]).toEqual([0, 1]);
    expect(
      await count('fan_outs where occasion = $1 and due_at = $2 and created_at = due_at', [occasionOf(made), opens_at]),
    ).toBe(1);
    await database.query(
      `update curricula set sections = jsonb_set(sections, '{0,opens_at}', to_jsonb($2::text)) where course_id = $1`,
      [course_id, ago(1)],
    );
    await database.query('update fan_outs set due_at = now(), created_at = now() where occasion = $1', [
      occasionOf(made),
    ]);
    await ends(occasionOf(made));
    expect(await notified(occasionOf(made))).toBe(1);
  });

  it.each([
    ['at a date', { opens_at: new Date(Date.now() + 30 * 86_400_000).toISOString() }],
    ['days after the enrollment', { drip_days: 7 }],
  ])('announces a free preview at once, although its section opens %s', async (_when, times) => {
    const course_id = await enrolled({ started_at: ago(0), first_started_at: ago(0) });
    const made = lecture('preview', { published_at: ago(0), free_preview: true });
    await change(course_id, 'lecture_published', made, 0, [made], times);
    await ends(occasionOf(made));
    expect(await notified(occasionOf(made))).toBe(1);
  });

  it('waits for the curriculum that has the lecture, and then for its section', async () => {
    const course_id = await enrolled({ started_at: ago(0), first_started_at: ago(0) });
    const made = lecture('large', { published_at: ago(0) });
    const state = { site_id: member.site_id, course_id, sections: [section([made], { drip_days: 7 })] };
    const sent = { version: (version += 1), occurred_at: ago(0) };
    const part_id = made.lecture_id;
    await api.world.curriculum({ ...state, part_id, piece: null }, { ...sent, name: 'lecture_published' });
    await waits(occasionOf(made));
    const marker = lecture('marker', { published_at: ago(0) });
    await change(await enrolled(), 'lecture_published', marker, 0);
    await ends(occasionOf(marker));
    expect([await waits(occasionOf(made)), await notified(occasionOf(made))]).toEqual([1, 0]);
    await api.world.curriculum({ ...state, piece: { index: 0, count: 1 } }, { ...sent, name: 'piece' });
    await ends(occasionOf(made));
    expect(await notified(occasionOf(made))).toBe(0);
  });

  it('announces no lecture whose publication arrives after its retraction', async () => {
    const course_id = await enrolled();
    const made = lecture('retracted', { published_at: ago(60) });
    const late = (version += 1);
    await change(course_id, 'lecture_unpublished', { ...made, state: 'draft' }, 0);
    await eventually(() => count('curricula where course_id = $1', [course_id]));
    const state = { site_id: member.site_id, course_id, part_id: made.lecture_id, sections: [section([made])] };
    await api.world.curriculum(state, { version: late, name: 'lecture_published', occurred_at: ago(60) });
    await waits(occasionOf(made));
    const marker = lecture('marker', { published_at: ago(0) });
    await change(await enrolled(), 'lecture_published', marker, 0);
    await ends(occasionOf(marker));
    expect([await waits(occasionOf(made)), await notified(occasionOf(made))]).toEqual([1, 0]);
  });

  it('shows the title of the lecture at its delivery', async () => {
    const course_id = await enrolled();
    const made = lecture('renamed', { title: 'Draft of tides', published_at: ago(0) });
    const opens_at = new Date(Date.now() + 24 * 3_600_000).toISOString();
    await change(course_id, 'lecture_published', made, 0, [made], { opens_at });
    await waits(occasionOf(made));
    await change(course_id, 'lecture_updated', { ...made, title: 'Tides' }, 0);
    await eventually(() => count(`curricula where course_id = $1 and sections::text like '%"Tides"%'`, [course_id]));
    await database.query('update fan_outs set due_at = now(), created_at = now() where occasion = $1', [
      occasionOf(made),
    ]);
    await ends(occasionOf(made));
    expect(
      await count(`notifications where occasion = $1 and parameters->>'lecture' = 'Tides'`, [occasionOf(made)]),
    ).toBe(1);
  });

  it('leaves out members whose section opens days after their enrollment', async () => {
    const { course_id } = await api.world.course(member);
    const another = { site_id: member.site_id, person_id: uuidv7() };
    await api.world.person({ person_id: another.person_id });
    await api.world.role(another);
    await api.world.enrollment({ ...member, course_id, started_at: ago(0), first_started_at: ago(0) });
    await api.world.enrollment({ ...another, course_id });
    await eventually(async () => (await count('enrollments where course_id = $1', [course_id])) === 2);
    const made = lecture('dripped', { published_at: ago(0) });
    await change(course_id, 'lecture_published', made, 0, [made], { drip_days: 1 });
    await ends(occasionOf(made));
    const of = (person_id: string) =>
      count('notifications where occasion = $1 and person_id = $2', [occasionOf(made), person_id]);
    expect([await of(member.person_id), await of(another.person_id)]).toEqual([0, 1]);
  });

  it('reaches members of a course of which release 0.1.0 stored no publication', async () => {
    const draft = await draftCourse();
    await publishCourse(draft, null);
    const made = lecture('unknown', { published_at: ago(60) });
    await change(draft.course_id, 'lecture_published', made, 60);
    await ends(occasionOf(made));
    expect(await notified(occasionOf(made))).toBe(1);
  });
});

describe('the announcement of a post', () => {
  it('ends with the post in a draft course, and reaches members once when the post is published again', async () => {
    const draft = await draftCourse();
    const post_id = uuidv7();
    const occasion = `post:${post_id}`;
    const { course_id } = draft;
    const { site_id } = member;
    const post: DataOf<typeof postEvents> = {
      post_id,
      site_id,
      course_id,
      slug: 'tides',
      title: 'Tides',
      excerpt: null,
      state: 'published',
      published_at: ago(60),
    };
    const send = (name: string, version: number, data = post) =>
      api.world.entity(postEvents, data.post_id, site_id, data, { name, version });
    await send('published', 1);
    await waits(occasion);
    await send('unpublished', 2, { ...post, state: 'draft' });
    await isGone(occasion);
    // It arrives late.
    await send('updated', 1);
    await publishCourse(draft, ago(30));
    const marker = { ...post, post_id: uuidv7() };
    await send('published', 1, marker);
    await ends(`post:${marker.post_id}`);
    expect(await count('fan_outs where occasion = $1', [occasion])).toBe(0);
    await send('published', 3);
    await ends(occasion);
    expect(await notified(occasion)).toBe(1);
  });
});

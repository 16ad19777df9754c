import { REQUEST_HEADERS, linkFile } from '@lyceum/contracts';
import type { Reply } from '@lyceum/contracts';
import { uuidv7 } from '@lyceum/platform';
import { connectAs } from '@lyceum/testing';
import type { NatsConnection } from '@nats-io/transport-node';
import { startMemberApi } from './member-api.js';
import type { Data, TestApi } from './member-api.js';
import { attachment, lecture, section } from './world.js';
import type { Attachment } from './world.js';

const QUERY = `query ($slug: String!) { viewer { enrolledCourse(slug: $slug) {
  nextLecture { attachments { downloadUrl } }
  curriculum { lectures { attachments { title kind filename contentType sizeBytes downloadable downloadUrl } } }
} } }`;
const STORED = 'https://store.example/chart.pdf?signature=x';

let api: TestApi;
let member: { site_id: string; person_id: string };
/** The NATS user of admin-api. */
let school: NatsConnection;
let reply: Reply;
/** The requests for links, with the site. */
const requests: unknown[] = [];

beforeAll(async () => {
  api = await startMemberApi();
  member = await api.member();
  school = await connectAs(api.nats.environment('admin-api'));
  school.subscribe(linkFile.subject, {
    callback: (_error, message) => {
      requests.push({ ...message.json<object>(), site_id: message.headers?.get(REQUEST_HEADERS.site) });
      message.respond(JSON.stringify(reply));
    },
  });
  await school.flush();
});
beforeEach(() => {
  requests.length = 0;
  reply = { ok: true, result: { url: STORED, expires_at: '2999-01-01T00:00:00.000Z' } };
});
afterAll(async () => {
  await school.close();
  await api.stop();
});

const FILE = attachment('Chart');
const LINK = attachment('Elsewhere', {
  kind: 'link',
  url: 'https://cdn.example/a?b=c',
  file: null,
  downloadable: false,
});

interface Given {
  readonly attachments?: readonly Attachment[];
  readonly drip_days?: number;
  readonly free_preview?: boolean;
}

/** A course of the member with one lecture. */
async function enrolled({ attachments = [FILE, LINK], drip_days = 0, free_preview = false }: Given = {}) {
  const { site_id } = member;
  const course = await api.world.course({ site_id });
  const { course_id, slug } = course;
  const enrollment = await api.world.enrollment({ ...member, course_id, started_at: new Date().toISOString() });
  const only = lecture('bowline', { free_preview });
  const { lecture_id } = only;
  await api.world.attachments({ site_id, course_id, lecture_id, attachments: [...attachments] });
  await api.world.curriculum({ site_id, course_id, sections: [section([only], { drip_days })] });
  const [file, link] = await shown(slug, ({ length }) => length === attachments.length);
  return { course, course_id, slug, enrollment, only, file, link };
}

const attachmentsOf = ({ viewer }: Data): Data[] =>
  viewer?.enrolledCourse?.curriculum[0]?.lectures[0]?.attachments ?? [];

async function shown(slug: string, done: (attachments: Data[]) => boolean): Promise<Data[]> {
  return attachmentsOf(await api.until(QUERY, (data) => done(attachmentsOf(data)), { variables: { slug } }));
}

/** The attachments of the next lecture; null without one. */
async function ofNext(slug: string): Promise<Data> {
  const { body } = await api.query(QUERY, { variables: { slug } });
  return body.data.viewer.enrolledCourse.nextLecture?.attachments ?? null;
}

const pathOf = (url: string): string => url.slice(api.sites[0].base_url.length);
const follow = (path: string, site = api.sites[0]) =>
  api.query('', { method: 'GET', body: undefined, token: null, path, site });
const followed = async (path: string): Promise<unknown[]> => {
  const { status, headers } = await follow(path);
  return [status, headers['location']];
};

describe('the attachments of a lecture', () => {
  it('shows files of the school with a link of this API, and attachments elsewhere with their address', async () => {
    const { slug, file, link } = await enrolled();
    expect(file).toEqual({
      title: 'Chart',
      kind: 'PDF',
      filename: 'Chart.pdf',
      contentType: 'application/pdf',
      sizeBytes: 1_234,
      downloadable: true,
      downloadUrl: expect.stringMatching(`^${api.sites[0].base_url}/member/attachments\\?token=[\\w-]+$`),
    });
    expect(link).toEqual({
      title: 'Elsewhere',
      kind: 'LINK',
      filename: null,
      contentType: null,
      sizeBytes: null,
      downloadable: false,
      downloadUrl: LINK.url,
    });
    expect(await ofNext(slug)).toEqual([{ downloadUrl: expect.any(String) }, { downloadUrl: LINK.url }]);
  });

  it('follows a change, and ignores an older version', async () => {
    const { course_id, slug, only } = await enrolled();
    const change = (attachments: Attachment[], version: number) =>
      api.world.attachments({ ...member, course_id, lecture_id: only.lecture_id, attachments }, { version });
    await change([LINK], 3);
    await shown(slug, ({ length }) => length === 1);
    await change([FILE, LINK, LINK], 2);
    await change([LINK, LINK], 4);
    expect(await shown(slug, ({ length }) => length !== 1)).toHaveLength(2);
  });

  it('returns no links before the section opens', async () => {
    const { slug, file, link } = await enrolled({ drip_days: 3 });
    expect([file, link]).toMatchObject([{ title: 'Chart', downloadUrl: null }, { downloadUrl: null }]);
    expect(await ofNext(slug)).toBeNull();
  });

  it('returns links to a free preview before its section opens and after the end of access', async () => {
    const { slug, enrollment, file, link } = await enrolled({ drip_days: 3, free_preview: true });
    expect([file, link]).toEqual([
      expect.objectContaining({ downloadUrl: expect.any(String) }),
      expect.objectContaining({ downloadUrl: LINK.url }),
    ]);
    expect(await followed(pathOf(file.downloadUrl))).toEqual([302, STORED]);
    await api.world.enrollment({ ...enrollment, expires_at: '2026-04-01T00:00:00.000Z' }, { version: 2 });
    const variables = { slug };
    const state = 'query ($slug: String!) { viewer { enrolledCourse(slug: $slug) { state } } }';
    await api.until(state, ({ viewer }) => viewer.enrolledCourse.state === 'EXPIRED', { variables });
    const [after] = attachmentsOf((await api.query(QUERY, { variables })).body.data);
    expect(await followed(pathOf(after.downloadUrl))).toEqual([302, STORED]);
  });

  it('returns no links after the end of access', async () => {
    const { slug, enrollment } = await enrolled();
    await api.world.enrollment({ ...enrollment, expires_at: '2026-04-01T00:00:00.000Z' }, { version: 2 });
    const hidden = await shown(slug, ([first]) => first?.downloadUrl === null);
    expect(hidden.map(({ downloadUrl }) => downloadUrl)).toEqual([null, null]);
  });
});

describe('a link to a file', () => {
  it('redirects to a link that admin-api makes at that moment, without a token, and forbids caching', async () => {
    const { file } = await enrolled();
    const response = await follow(pathOf(file.downloadUrl));
    expect([response.status, response.headers['location']]).toEqual([302, STORED]);
    expect(response.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    expect(requests).toEqual([{ site_id: member.site_id, file_id: FILE.file?.file_id }]);
  });

  it('ends ten minutes after it was made, for everyone who has it', async () => {
    const path = pathOf((await enrolled()).file.downloadUrl);
    const made = Date.now();
    const clock = jest.spyOn(Date, 'now');
    try {
      clock.mockImplementation(() => made + 590_000);
      expect(await followed(path)).toEqual([302, STORED]);
      clock.mockImplementation(() => made + 600_000);
      expect(await followed(path)).toEqual([404, undefined]);
    } finally {
      clock.mockRestore();
    }
  });

  it('refuses a link of another site, route or key', async () => {
    const path = pathOf((await enrolled()).file.downloadUrl);
    const responses = [
      follow(path, api.sites[1]),
      follow(path.replace('/attachments', '/downloads')),
      follow(`${path}x`),
      follow('/member/attachments'),
      follow(`/member/attachments?token=${'A'.repeat(96)}`),
    ];
    for (const response of responses) expect((await response).status).toBe(404);
    expect(requests).toEqual([]);
  });

  it('ends with the access of the member', async () => {
    const { file, enrollment, slug } = await enrolled();
    const ended = { ...enrollment, expires_at: '2026-04-01T00:00:00.000Z' };
    await api.world.enrollment(ended, { version: 2, name: 'expired' });
    await shown(slug, ([first]) => first?.downloadUrl === null);
    expect(await followed(pathOf(file.downloadUrl))).toEqual([404, undefined]);
    await api.world.enrollment({ ...enrollment, state: 'revoked' }, { version: 3, name: 'revoked' });
    await shown(slug, ({ length }) => length === 0);
    expect(await followed(pathOf(file.downloadUrl))).toEqual([404, undefined]);
  });

  it('ends with the publication of the lecture and of its course, and while its section is closed', async () => {
    const { file, only, course, course_id, slug } = await enrolled();
    const { site_id } = member;
    const path = pathOf(file.downloadUrl);
    const publish = (sections: Parameters<typeof api.world.curriculum>[0]['sections'], version: number) =>
      api.world.curriculum({ site_id, course_id, sections }, { version });
    await publish([section([{ ...only, state: 'draft' }])], 2);
    await shown(slug, ({ length }) => length === 0);
    expect(await followed(path)).toEqual([404, undefined]);
    await publish([section([only], { drip_days: 1 })], 3);
    await shown(slug, ([first]) => first?.downloadUrl === null);
    expect(await followed(path)).toEqual([404, undefined]);
    await publish([section([only])], 4);
    await shown(slug, ([first]) => typeof first?.downloadUrl === 'string');
    expect(await followed(path)).toEqual([302, STORED]);
    await api.world.course({ ...course, state: 'draft' }, { version: 2 });
    await shown(slug, ({ length }) => length === 0);
    expect(await followed(path)).toEqual([404, undefined]);
    expect(requests).toHaveLength(1);
  });

  it('ends when the file leaves the lecture', async () => {
    const { file, only, course_id, slug } = await enrolled();
    const attachments = [attachment('Other')];
    await api.world.attachments({ ...member, course_id, lecture_id: only.lecture_id, attachments }, { version: 2 });
    await shown(slug, ([first]) => first?.title === 'Other');
    expect(await followed(pathOf(file.downloadUrl))).toEqual([404, undefined]);
  });

  it('ends with the membership of the member', async () => {
    const { file, slug } = await enrolled();
    await api.world.role({ ...member, roles: [] }, { version: 2 });
    await api.until(QUERY, ({ viewer }) => viewer === null, { variables: { slug } });
    expect(await followed(pathOf(file.downloadUrl))).toEqual([404, undefined]);
    await api.world.role(member, { version: 3 });
    await shown(slug, ({ length }) => length === 2);
  });

  it.each([
    ['404 for a lecture that admin-api has unpublished', 'not_found', 404],
    ['503 while admin-api is unavailable', 'temporarily_unavailable', 503],
  ])('returns %s', async (_name, code, status) => {
    const { file } = await enrolled();
    reply = { ok: false, error: { code, detail: 'No.' } };
    const response = await follow(pathOf(file.downloadUrl));
    expect([response.status, response.headers['location']]).toEqual([status, undefined]);
  });
});

it('returns no attachments of another site', async () => {
  const { slug, only } = await enrolled({ attachments: [LINK] });
  const other = { site_id: api.sites[1].site_id, course_id: uuidv7(), lecture_id: only.lecture_id };
  await api.world.attachments({ ...other, attachments: [FILE, LINK] }, { version: 9 });
  const marker = await enrolled();
  expect(marker.file.title).toBe('Chart');
  expect(await shown(slug, ({ length }) => length > 0)).toHaveLength(1);
});

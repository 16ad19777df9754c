import {
  MEMBER_DATA_SECTIONS,
  REQUEST_HEADERS,
  SCHOOL_DATA_SECTIONS,
  exportMemberData,
  exportSchoolData,
} from '@lyceum/contracts';
import type { Reply } from '@lyceum/contracts';
import { connectAs, testNats } from '@lyceum/testing';
import type { Page, TestNats } from '@lyceum/testing';
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import type { z } from 'zod';
import { EXPORTED_TABLES } from '#src/data-exports/data-exports.repository.js';
import type { DataExport } from '#src/data-exports/data-exports.service.js';
import { LIMITS } from '#src/limits/limits.js';
import { PeopleService } from '#src/people/people.service.js';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';
import { signedIn } from './passkey-flow.js';
import { PictureFlow, png } from './picture-flow.js';

const EXPORT = '/account/export';
/** In the order of `services`. */
const SUBJECTS: readonly string[] = [exportSchoolData.subject, exportMemberData.subject];
type Input = z.output<(typeof exportMemberData | typeof exportSchoolData)['input']>;

let nats: TestNats;
let auth: TestAuth;
/** The NATS users of admin-api and member-api. */
let services: readonly NatsConnection[] = [];
let responders: readonly Subscription[] = [];
const requests: (Input & { readonly site_id: string | undefined })[] = [];

beforeAll(async () => {
  nats = await testNats();
  auth = await startAuth({ nats: nats.environment('auth') });
  services = await Promise.all(['admin-api', 'member-api'].map((name) => connectAs(nats.environment(name))));
});
beforeEach(() => auth.resetLimits());
afterEach(async () => {
  for (const responder of responders) responder.unsubscribe();
  responders = [];
  requests.length = 0;
  await flushed();
});
afterAll(async () => {
  await auth.stop();
  await Promise.all(services.map((service) => service.close()));
  await nats.stop();
});

const flushed = () => Promise.all(services.map((service) => service.flush()));

/** Responds in place of both services, or of some. */
async function respond(reply: (input: Input) => Reply, subjects = SUBJECTS): Promise<void> {
  responders = services.flatMap((service, index) => {
    const subject = SUBJECTS[index] ?? '';
    if (!subjects.includes(subject)) return [];
    const responder = service.subscribe(subject, {
      callback: (_error, message) => {
        const input = message.json<Input>();
        requests.push({ ...input, site_id: message.headers?.get(REQUEST_HEADERS.site) });
        message.respond(JSON.stringify(reply(input)));
      },
    });
    return [responder];
  });
  await flushed();
}
const rows = (found: readonly object[], more = false): Reply => ({ ok: true, result: { rows: found, more } });
const download = async (flow: Flow): Promise<Page> => flow.submit(await flow.browser.open(EXPORT), 'csrf', {});
const read = ({ body }: Page): DataExport => JSON.parse(body) as DataExport;

describe('The download of the own data', () => {
  it('contains the records of all services about this person at this site', async () => {
    const known: Readonly<Record<string, object>> = { enrollments: { course_id: 'a-course' }, orders: { number: '1' } };
    await respond(({ section }) => rows([known[section] ?? []].flat()));
    const flow = await signedIn(auth, 'both');
    await flow.tokens({}, 'both');
    await new PictureFlow(auth, flow).upload(png());
    await (await signedIn(auth, 'both', auth.other)).browser.open('/account');
    const response = await download(flow);
    expect(response.status).toBe(200);
    const data = read(response);
    expect(data).toMatchObject({
      site: { name: 'First School', url: auth.site.base_url },
      shortened: [],
      account: {
        account: [{ email: 'both@school.example', has_password: true }],
        membership: [{ roles: ['student'], name: 'The both' }],
        pictures: [{ type: 'image/png', data: png().toString('base64') }],
        sessions: [{ began_at: expect.any(String) }],
        connections: [{ application: 'Public member' }],
      },
      school: { orders: [{ number: '1' }], comments: [] },
      learning: { enrollments: [{ course_id: 'a-course' }], notifications: [] },
    });
    expect(data.account['audit_log']?.map(({ event }) => event)).toContain('sign_in.succeeded');
    expect(Object.keys(data.school)).toEqual([...SCHOOL_DATA_SECTIONS]);
    expect(Object.keys(data.learning)).toEqual([...MEMBER_DATA_SECTIONS]);
    const [{ person_id } = { person_id: '' }] = await auth.sql<{ person_id: string }>(
      `select person_id from people where email = 'both@school.example'`,
    );
    expect(requests[0]).toMatchObject({ person_id, site_id: auth.site.site_id, offset: 0 });
  });

  it('contains the log of the account at all sites, and none of another site or person', async () => {
    await respond(() => rows([]));
    const people = auth.app.get(PeopleService);
    for (const name of ['both', 'student']) {
      const person = await people.byEmail(`${name}@school.example`);
      await people.signOutEverywhere(person?.person_id ?? '');
    }
    await auth.sql(
      `insert into audit_log (event, site_id, person_id)
       select 'email.changed', $1, person_id from people where email = 'both@school.example'`,
      [auth.other.site_id],
    );
    const { account } = read(await download(await signedIn(auth, 'both')));
    const events = account['audit_log']?.map(({ event }) => event) ?? [];
    expect(events.filter((event) => event === 'signed_out.everywhere')).toHaveLength(1);
    expect(events).not.toContain('email.changed');
  });

  it('contains no digest of a password, a token or a session', async () => {
    await respond(() => rows([]));
    const flow = await signedIn(auth, 'student');
    await flow.tokens();
    const { body } = await download(flow);
    const secrets = await auth.sql<{ secret: string }>(
      `select password_hash as secret from people where password_hash is not null
       union all select encode(token_hash, 'hex') from access_tokens union all select uid from sessions`,
    );
    expect(secrets.length).toBeGreaterThan(5);
    expect(secrets.filter(({ secret }) => body.includes(secret))).toEqual([]);
    expect(body).not.toMatch(/_hash|sealed|public_key|"payload"/);
  });

  it('reads every table with a person', async () => {
    const found = await auth.sql<{ name: string }>(
      `select table_name as name from information_schema.columns
        where table_schema = 'public' and column_name = 'person_id' and table_name !~ '^audit_log_' order by 1`,
    );
    expect(found.map(({ name }) => name)).toEqual(EXPORTED_TABLES.toSorted());
  });

  it('requests the next rows of a section until its end', async () => {
    await respond(({ section, offset }) =>
      section === 'notifications' && offset < 3 ? rows([{ offset }], true) : rows([]),
    );
    const { learning: parts } = read(await download(await signedIn(auth, 'student')));
    expect(parts['notifications']).toEqual([{ offset: 0 }, { offset: 1 }, { offset: 2 }]);
    expect(requests.filter(({ section }) => section === 'notifications').map(({ offset }) => offset)).toEqual([
      0, 1, 2, 3,
    ]);
  });

  it('responds with a file that browsers do not keep', async () => {
    await respond(() => rows([]));
    const flow = await signedIn(auth, 'student');
    const csrf = /name="csrf" value="([^"]+)"/.exec((await flow.browser.open(EXPORT)).body)?.[1] ?? '';
    const { status, headers } = await flow.post(EXPORT, { csrf }, { cookie: flow.browser.cookiesFor(EXPORT) });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="my-data-\d{4}-\d\d-\d\d\.json"$/);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('records each download, and limits them for each person', async () => {
    await respond(() => rows([]));
    const flow = await signedIn(auth, 'lecturer');
    for (let count = 0; count < LIMITS.data_exports.hits; count += 1) expect((await download(flow)).status).toBe(200);
    const refused = await download(flow);
    expect([refused.status, refused.body]).toEqual([429, expect.stringContaining('Try again later')]);
    expect((await download(await signedIn(auth, 'admin'))).status).toBe(200);
    const text = `select 1 from audit_log join people using (person_id)
                   where event = 'data.exported' and email = 'lecturer@school.example' and site_id = $1`;
    expect(await auth.sql(text, [auth.site.site_id])).toHaveLength(LIMITS.data_exports.hits);
  });

  it.each(SUBJECTS)('says so when only %s responds, and leaves no part out', async (subject) => {
    await respond(() => rows([]), [subject]);
    const { status, body } = await download(await signedIn(auth, 'student'));
    expect([status, body]).toEqual([503, expect.stringContaining('Try again in a minute')]);
  });

  it('does not count a download that a service did not respond to', async () => {
    const flow = await signedIn(auth, 'admin');
    for (let count = 0; count <= LIMITS.data_exports.hits; count += 1) expect((await download(flow)).status).toBe(503);
    await respond(() => rows([]));
    expect((await download(flow)).status).toBe(200);
  });

  it('requires a session, and refuses a form from elsewhere', async () => {
    const flow = new Flow(auth);
    expect((await flow.browser.open(EXPORT)).url.pathname).toBe('/account/sign-in');
    const member = await signedIn(auth, 'student');
    const cookie = member.browser.cookiesFor(EXPORT);
    expect((await member.post(EXPORT, { csrf: 'x' }, { cookie })).status).toBe(403);
    expect(requests).toEqual([]);
  });
});

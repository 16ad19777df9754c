import { randomUUID } from 'node:crypto';
import { eventually } from '@lyceum/testing';
import { FileSweep } from '#src/files/file.sweep.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';
import { Identity } from './identity.js';
import { GIF } from './new-image.js';
import { CSV, arrived, complete, follow } from './new-upload.js';

type Body = Record<string, unknown>;

let api: TestApi;
let identity: Identity;
beforeAll(async () => {
  api = await startAdminApi();
  identity = await Identity.start(api.nats.environment);
});
afterAll(async () => {
  await identity.stop();
  await api.stop();
});

const IMAGE = { purpose: 'image', filename: 'mei.gif', content_type: 'image/gif' };
const ELSEWHERE = 'https://cdn.example.com/mei.png';

async function newImage(site = api.sites[0]): Promise<string> {
  const upload = await arrived(api, GIF, IMAGE, site);
  expect((await complete(api, upload, site)).body).toMatchObject({ state: 'ready' });
  return upload.id;
}
async function newMember(): Promise<string> {
  const body = { email: `${randomUUID()}@example.com`, name: 'Mei Lin', roles: ['lecturer'] };
  const made = await api.send('POST', '/api/v1/members', { body });
  expect(made.status).toBe(201);
  return String(made.body['id']);
}
const publicUrl = (id: string): string => `${api.sites[0].base_url}/files/public/${id}`;
const patch = (id: string, body: Body) => api.send('PATCH', `/api/v1/members/${id}`, { body });
const get = (id: string) => api.send('GET', `/api/v1/members/${id}`);
const picture = ({ body }: { readonly body: Body }) => [body['avatar_url'], body['avatar_file_id']];

interface Stored {
  readonly uses: number;
  readonly expired: boolean;
}
const stored = (id: string): Promise<Stored | undefined> =>
  withDatabase(api.databaseUrl, async (client) => {
    const text = 'select uses, coalesce(sweep_at <= now(), false) as expired from files where id = $1';
    return (await client.query<Stored>(text, [id])).rows[0];
  });

it('shows an uploaded image as the picture, also at identity, and keeps its file', async () => {
  const [member, file] = [await newMember(), await newImage()];
  const changed = await patch(member, { avatar_file_id: file });
  expect([changed.status, ...picture(changed)]).toEqual([200, publicUrl(file), file]);
  expect(picture(await get(member))).toEqual([publicUrl(file), file]);
  expect((await follow(api, 'GET', publicUrl(file))).status).toBe(200);
  expect((await api.send('POST', `/api/v1/uploads/${file}/abort`)).body).toMatchObject({ code: 'resource_in_use' });
  const [at, tag] = [`/api/v1/members/${member}`, changed.headers['etag'] ?? ''];
  expect((await api.send('PATCH', at, { body: { name: 'Lin' }, headers: { 'if-match': tag } })).status).toBe(200);
  expect(picture(await get(member))).toEqual([publicUrl(file), file]);
});

it('changes between files and addresses, and each file is used while it is the picture', async () => {
  const [member, one, other] = [await newMember(), await newImage(), await newImage()];
  expect(picture(await patch(member, { avatar_url: ELSEWHERE }))).toEqual([ELSEWHERE, null]);
  expect(picture(await patch(member, { avatar_file_id: one }))).toEqual([publicUrl(one), one]);
  expect(picture(await patch(member, { avatar_file_id: other }))).toEqual([publicUrl(other), other]);
  expect([await stored(one), await stored(other)]).toMatchObject([{ uses: 0 }, { uses: 1 }]);
  expect(picture(await patch(member, { avatar_url: ELSEWHERE }))).toEqual([ELSEWHERE, null]);
  expect(await stored(other)).toMatchObject({ uses: 0 });
  await patch(member, { avatar_file_id: one });
  expect(picture(await patch(member, { avatar_file_id: null }))).toEqual([null, null]);
  expect(await stored(one)).toMatchObject({ uses: 0 });
});

it('refuses files of other sites, of other purposes and unknown ones, and asks identity for nothing', async () => {
  const member = await newMember();
  const attachment = await arrived(api, CSV, { purpose: 'attachment' });
  await complete(api, attachment);
  const foreign = await newImage(api.sites[1]);
  const { length } = identity.requests;
  for (const [file, code] of [
    [foreign, 'not_found'],
    [randomUUID(), 'not_found'],
    [attachment.id, 'invalid_value'],
  ] as const) {
    const refused = await patch(member, { avatar_file_id: file });
    expect([refused.status, refused.body['errors']]).toMatchObject([422, [{ pointer: '/avatar_file_id', code }]]);
  }
  const both = await patch(member, { avatar_file_id: await newImage(), avatar_url: ELSEWHERE });
  expect([both.status, both.body['errors']]).toMatchObject([422, [{ pointer: '/avatar_file_id' }]]);
  expect(identity.requests).toHaveLength(length);
  expect(picture(await get(member))).toEqual([null, null]);
});

it('gives a new member no picture, and changes nothing in a dry run', async () => {
  const [member, file] = [await newMember(), await newImage()];
  const body = { email: `${randomUUID()}@example.com`, roles: ['lecturer'], avatar_file_id: file };
  expect((await api.send('POST', '/api/v1/members', { body })).status).toBe(422);
  const dry = await api.send('PATCH', `/api/v1/members/${member}?dry_run=true`, { body: { avatar_file_id: file } });
  expect(picture(dry)).toEqual([publicUrl(file), file]);
  expect([picture(await get(member)), await stored(file)]).toMatchObject([[null, null], { uses: 0 }]);
});

it('ends the use when the person chooses another picture, and not by an older event', async () => {
  const [member, file] = [await newMember(), await newImage()];
  const { body } = await patch(member, { avatar_file_id: file });
  const [{ site_id }] = api.sites;
  const event = {
    site_id,
    person_id: randomUUID(),
    member_id: member,
    email: String(body['email']),
    name: 'Mei Lin',
    roles: ['lecturer' as const],
    state: 'active' as const,
    joined_at: String(body['joined_at']),
    picture: ELSEWHERE,
  };
  await api.events.sendRoles(event, 1);
  await api.events.sendRoles({ ...event, picture: publicUrl(file), name: 'Mei L.' }, 8);
  await eventually(
    () => get(member),
    (found) => found.body['name'] === 'Mei L.',
  );
  expect([picture(await get(member)), await stored(file)]).toMatchObject([[publicUrl(file), file], { uses: 1 }]);
  await api.events.sendRoles(event, 9);
  await eventually(
    () => get(member),
    (found) => found.body['avatar_url'] === ELSEWHERE,
  );
  expect([picture(await get(member)), await stored(file)]).toMatchObject([[ELSEWHERE, null], { uses: 0 }]);
});

it('lets the sweep delete the picture of a removed member at once', async () => {
  const [member, own, lent] = [await newMember(), await newImage(), await newImage()];
  await patch(member, { avatar_file_id: own });
  expect((await api.send('POST', `/api/v1/members/${member}/remove`)).status).toBe(200);
  expect(picture(await get(member))).toEqual([null, null]);
  expect(await stored(own)).toEqual({ uses: 0, expired: true });
  expect((await follow(api, 'GET', publicUrl(own))).status).toBe(404);
  const other = await newMember();
  await patch(other, { avatar_file_id: lent });
  await api.send('POST', '/api/v1/lecturers', { body: { name: 'Mei', slug: 'mei-lent', avatar_file_id: lent } });
  await api.send('POST', `/api/v1/members/${other}/remove`);
  expect(await stored(lent)).toEqual({ uses: 1, expired: false });
});

it('erases the name of the picture of a removed member with its file', async () => {
  const filename = 'Mei Lin at home.gif';
  const upload = await arrived(api, GIF, { ...IMAGE, filename });
  await complete(api, upload);
  const member = await newMember();
  await patch(member, { avatar_file_id: upload.id });
  const named = () =>
    withDatabase(api.databaseUrl, async (client) => {
      const found = await client.query(`select 1 from files t where t::text like '%' || $1 || '%'`, [filename]);
      return found.rowCount;
    });
  expect(await named()).toBe(1);
  await api.send('POST', `/api/v1/members/${member}/remove`);
  await api.service.app.get(FileSweep, { strict: false }).run();
  expect(await named()).toBe(0);
  const events = await api.events.of([upload.id], 3);
  expect(events.map(({ type, data }) => [type, data['filename']])).toEqual([
    ['school.file.created.v1', ''],
    ['school.file.ready.v1', ''],
    ['school.file.deleted.v1', ''],
  ]);
});

import { randomUUID } from 'node:crypto';
import { zipFile } from '@lyceum/testing';
import { KEPT_DEPLOYMENTS } from '#src/page-deployments/page-deployment.policy.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';
import { unique } from './new-course.js';
import { INDEX, PAGES, bundle, checked, deployed, live, newPage, zipOf } from './new-page.js';
import { CSV, newUpload } from './new-upload.js';
import { toolCaller } from './tool-caller.js';

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

const MISSING = '019ab3c0-0000-7000-8000-000000000000';

const show = async (page: string) => (await api.send('GET', `${PAGES}/${page}`)).body;
const list = async (page: string) =>
  (await api.send<{ data: { id: string; state: string }[] }>('GET', `${PAGES}/${page}/deployments?limit=100`)).body
    .data;
const states = async (page: string) => (await list(page)).map(({ state }) => state);
const act = (page: string, id: string, action: string) =>
  api.send('POST', `${PAGES}/${page}/deployments/${id}/${action}`);
const deploy = (page: string, file_id: string) =>
  api.send<{ id: string; code?: string; errors: { pointer: string; detail: string }[] }>(
    'POST',
    `${PAGES}/${page}/deployments`,
    {
      body: { file_id },
    },
  );

/** Deploys a zip file, and waits for its job. */
async function settled(page: string, file_id: string) {
  const { status, body } = await deploy(page, file_id);
  expect([status, body]).toMatchObject([201, { state: 'queued', bytes: 0, files_count: 0, faults: [] }]);
  return checked(api, page, body.id);
}

const usage = () =>
  withDatabase(api.databaseUrl, async (client) => {
    const { rows } = await client.query<{ bytes: string }>('select bytes from file_usage where site_id = $1', [
      api.sites[0].site_id,
    ]);
    return Number(rows[0]?.bytes ?? 0);
  });

it('deploys a zip file, promotes it and rolls back to the deployment before', async () => {
  const { id, slug, ...page } = await newPage(api);
  const base = api.sites[0].base_url;
  expect(page).toMatchObject({
    page_type: 'static_page',
    path_prefix: `/pages/${String(slug)}/`,
    url: `${base}/pages/${String(slug)}/`,
    state: 'draft',
    live_deployment_id: null,
  });
  const first = await deployed(api, id, { ...INDEX, 'a.css': 'p{}', '.env': 'SECRET=1' });
  expect(first).toMatchObject({
    page_id: id,
    state: 'ready',
    faults: [],
    files_count: 2,
    bytes: 17,
    created_by: expect.any(String),
  });
  expect((await show(id))['live_deployment_id']).toBeNull();

  expect((await act(id, first.id, 'promote')).body).toMatchObject({ id: first.id, state: 'live' });
  const second = await live(api, id, { 'index.html': 'New' });
  expect(await states(id)).toEqual(['live', 'superseded']);
  expect((await show(id))['live_deployment_id']).toBe(second.id);

  expect((await act(id, second.id, 'roll_back')).body).toMatchObject({ id: second.id, state: 'superseded' });
  expect(await states(id)).toEqual(['superseded', 'live']);
  expect((await show(id))['live_deployment_id']).toBe(first.id);
  for (const { id: one } of [first, second])
    expect((await act(id, one, 'roll_back')).body).toMatchObject({ code: 'invalid_state' });

  const events = await api.events.of([id], 8);
  expect(events.map(({ type, data }) => [type.split('.')[2], data['live_deployment_id']])).toEqual([
    ['created', null],
    ['deployed', null],
    ['deployment_ready', null],
    ['promoted', first.id],
    ['deployed', first.id],
    ['deployment_ready', first.id],
    ['promoted', second.id],
    ['rolled_back', first.id],
  ]);
});

it(`keeps the newest ${KEPT_DEPLOYMENTS} deployments, the live one and the one before it, and counts their bytes`, async () => {
  const { id } = await newPage(api);
  const [before, shown] = [await live(api, id, INDEX), await live(api, id, INDEX)];
  const old = await deployed(api, id, INDEX);
  const file_id = await bundle(api, zipOf({ 'index.html': 'x'.repeat(1_000) }));
  const start = await usage();
  for (let count = 1; count < KEPT_DEPLOYMENTS; count += 1) await settled(id, file_id);
  expect((await list(id)).map((one) => one.id)).toContain(old.id);
  expect(await usage()).toBe(start + (KEPT_DEPLOYMENTS - 1) * 1_000);
  await settled(id, file_id);
  const kept = (await list(id)).map((one) => one.id);
  expect(kept).toHaveLength(KEPT_DEPLOYMENTS + 2);
  expect(kept.slice(-2)).toEqual([shown.id, before.id]);
  expect(await usage()).toBe(start + KEPT_DEPLOYMENTS * 1_000 - INDEX['index.html'].length);

  expect((await api.send('DELETE', `${PAGES}/${id}`)).status).toBe(204);
  expect(await usage()).toBe(start - 3 * INDEX['index.html'].length);
});

it('refuses uploads that are missing, not ready, of another purpose or of another site', async () => {
  const { id } = await newPage(api);
  const csv = await newUpload(api, CSV, { purpose: 'attachment' });
  const zip = zipOf(INDEX);
  const announced = { purpose: 'page_bundle', filename: 'a.zip', content_type: 'application/zip' };
  const pending = await newUpload(api, zip, announced);
  const foreign = await bundle(api, zip, api.sites[1]);
  const detail = 'It names no upload of the purpose page_bundle that is ready';
  for (const file_id of [MISSING, csv.id, pending.id, foreign]) {
    const { status, body } = await deploy(id, file_id);
    expect([status, body.errors]).toEqual([422, [{ pointer: '/file_id', code: 'invalid_value', detail }]]);
  }
  expect(await list(id)).toEqual([]);
});

it('refuses the upload of another member, whose deployment each admin promotes', async () => {
  const { id: page_id } = await newPage(api);
  const file_id = await bundle(api, zipOf(INDEX));
  const scopes = ['pages:read', 'pages:write'];
  const other = { scopes, member: { member_id: randomUUID(), roles: ['admin' as const] } };
  const { call } = toolCaller(api);
  expect(await call('create_page_deployment', { page_id, file_id }, other)).toMatchObject({
    code: 'validation_failed',
    errors: [{ pointer: '/file_id', code: 'invalid_value' }],
  });
  const { body } = await deploy(page_id, file_id);
  await call('promote_page_deployment', { page_id, deployment_id: body.id }, other);
  expect((await show(page_id))['live_deployment_id']).toBe(body.id);
});

it('fails with the faults of an unusable zip file, which is never promoted', async () => {
  const { id } = await newPage(api);
  const shown = await live(api, id, INDEX);
  const damaged = { name: 'index.html', content: Buffer.from('text'), claims: { bytes: 5 } };
  for (const [zip, faults] of [
    [zipOf({ 'a/index.html': '' }), [{ code: 'index_missing', path: null }]],
    [
      zipOf({ 'a.zip': '', 'b.exe': '' }),
      [
        { code: 'type_not_served', path: 'a.zip' },
        { code: 'type_not_served', path: 'b.exe' },
        { code: 'index_missing', path: null },
      ],
    ],
    [zipFile([damaged]), [{ code: 'unsafe_zip', path: null, detail: expect.stringContaining('index.html') }]],
  ] as const) {
    const failed = await settled(id, await bundle(api, zip));
    expect(failed).toMatchObject({ state: 'failed', faults, bytes: 0, files_count: 0 });
    for (const action of ['promote', 'roll_back'])
      expect((await act(id, failed.id, action)).body).toMatchObject({ code: 'invalid_state' });
  }
  expect((await show(id))['live_deployment_id']).toBe(shown.id);
  expect(await states(id)).toEqual(['failed', 'failed', 'failed', 'live']);
  const names = (await api.events.of([id], 10)).map(({ type }) => type.split('.')[2]);
  expect(names.filter((name) => name === 'deployment_failed')).toHaveLength(3);
});

it('fails above the storage quota of the site', async () => {
  const { id } = await newPage(api);
  const file_id = await bundle(api, zipOf(INDEX));
  const fill = (bytes: string) =>
    withDatabase(api.databaseUrl, (client) =>
      client.query(`update file_usage set bytes = ${bytes} where site_id = $1`, [api.sites[0].site_id]),
    );
  const used = await usage();
  const most = api.config.FILES_QUOTA_BYTES - INDEX['index.html'].length;
  await fill(String(most + 1));
  expect(await settled(id, file_id)).toMatchObject({ state: 'failed', faults: [{ code: 'quota_exceeded' }] });
  await fill(String(most));
  expect(await settled(id, file_id)).toMatchObject({ state: 'ready' });
  await fill(String(used));
});

it('finds deployments below their own page only', async () => {
  const [page, other] = [await newPage(api), await newPage(api)];
  const { id } = await deployed(api, page.id, INDEX);
  for (const path of [`${other.id}/deployments/${id}`, `${MISSING}/deployments/${id}`, `${MISSING}/deployments`])
    expect((await api.send('GET', `${PAGES}/${path}`)).status).toBe(404);
  expect((await act(other.id, id, 'promote')).status).toBe(404);
  expect((await deploy(MISSING, MISSING)).status).toBe(404);
});

it('keeps one live deployment after promotions at the same time', async () => {
  const { id } = await newPage(api);
  const ids = await Promise.all([1, 2, 3].map(async () => (await deployed(api, id, INDEX)).id));
  const promoted = await Promise.all(ids.map((one) => act(id, one, 'promote')));
  expect(promoted.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await states(id)).toSorted()).toEqual(['live', 'superseded', 'superseded']);
});

it('upserts a page by the external id of the caller', async () => {
  const slug = unique('page');
  const at = `${PAGES}/by_external_id/${slug}`;
  expect((await api.send('PUT', at, { body: { slug, title: 'One' } })).status).toBe(201);
  const { body } = await api.send('PUT', at, { body: { slug: `${slug}-2`, title: 'Two' } });
  expect(body).toMatchObject({ path_prefix: `/pages/${slug}-2/`, title: 'Two', external_id: slug });
});

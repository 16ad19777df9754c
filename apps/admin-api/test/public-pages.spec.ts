import { send } from '@lyceum/testing';
import type { TestSite } from '@lyceum/testing';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { INDEX, PAGES, bundle, live, newPage, publishedPage, zipOf } from './new-page.js';

const SANDBOX = 'sandbox allow-scripts allow-forms allow-popups';
const FILES = {
  'index.html': '<h1>Hello</h1>',
  'app.js': 'start()',
  'docs/index.html': '<h1>Docs</h1>',
  'docs/a b.css': 'p{}',
};

let api: TestApi;
let page: { readonly id: string; readonly slug: string };
beforeAll(async () => {
  api = await startAdminApi();
  page = await publishedPage(api, { files: FILES });
});
afterAll(() => api.stop());

/** Sends a request of a visitor. Each response below /pages is isolated, and sets no cookie. */
async function visit(path: string, { method = 'GET', site = api.sites[0], headers = {} }: Visit = {}) {
  const response = await send<Record<string, unknown>>(api.service.url, method, path, { host: site.host, ...headers });
  expect([path, response.headers['content-security-policy']]).toEqual([path, SANDBOX]);
  expect(response.headers['x-content-type-options']).toBe('nosniff');
  for (const name of ['set-cookie', 'service-worker-allowed']) expect(response.headers).not.toHaveProperty(name);
  return response;
}
interface Visit {
  readonly method?: string;
  readonly site?: TestSite;
  readonly headers?: Readonly<Record<string, string>>;
}

const at = (path: string): string => `/pages/${page.slug}${path}`;

it.each([
  ['/', '<h1>Hello</h1>', 'text/html; charset=utf-8'],
  ['/index.html', '<h1>Hello</h1>', 'text/html; charset=utf-8'],
  ['/app.js', 'start()', 'text/javascript; charset=utf-8'],
  ['/app.js?v=2', 'start()', 'text/javascript; charset=utf-8'],
  ['/docs/', '<h1>Docs</h1>', 'text/html; charset=utf-8'],
  ['/docs/a%20b.css', 'p{}', 'text/css; charset=utf-8'],
])('serves %s', async (path, text, type) => {
  const response = await visit(at(path));
  expect([response.status, response.text, response.headers['content-type']]).toEqual([200, text, type]);
  expect(response.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, no-cache',
    'content-length': String(text.length),
    ratelimit: expect.stringContaining('read-source'),
  });
});

it.each([
  ['', '/'],
  ['?a=1', '/?a=1'],
  ['/docs', '/docs/'],
  ['/docs?a=/b', '/docs/?a=/b'],
])('redirects %s to the slash of a folder', async (path, target) => {
  const response = await visit(at(path));
  expect([response.status, response.headers['location']]).toEqual([308, at(target)]);
});

it.each(['/none', '/app.js/', '/app.js/index.html', '/Index.html', '//', '/../app.js', '/%00', '/%2e%2e/index.html'])(
  'responds with 404 to %s',
  async (path) => expect((await visit(at(path))).status).toBe(404),
);

it.each([
  ['GET', '/pages', 404],
  ['GET', '/pages/', 404],
  ['GET', '/pages/none/', 404],
  ['GET', '/%70ages/none/', 404],
  ['GET', '/pages/%zz', 400],
  ['POST', '/pages/about/', 405],
  ['OPTIONS', '/pages/about/', 405],
])('isolates the refusal of %s %s', async (method, path, status) => {
  expect((await visit(path, { method })).status).toBe(status);
});

it('isolates the refusal of an unknown host, and no response elsewhere', async () => {
  expect((await visit(at('/'), { headers: { host: 'unknown.example' } })).status).toBe(421);
  const { headers } = await send(api.service.url, 'GET', '/openapi.json', { host: api.sites[0].host });
  expect(headers).not.toHaveProperty('content-security-policy');
});

it('answers HEAD as GET, without the bytes, and a known entity tag with 304', async () => {
  const { headers } = await visit(at('/app.js'));
  const head = await visit(at('/app.js'), { method: 'HEAD' });
  expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '7']);
  expect(head.headers['etag']).toBe(headers['etag']);
  const known = { 'if-none-match': `"x", W/${String(headers['etag'])}` };
  const again = await visit(at('/app.js'), { headers: known });
  expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', headers['etag']]);
  expect((await visit(at('/'), { headers: known })).status).toBe(200);
});

it('refuses service workers', async () => {
  const response = await visit(at('/app.js'), { headers: { 'service-worker': 'script' } });
  expect([response.status, response.body['code']]).toEqual([403, 'forbidden']);
});

it('serves what is live, from its promotion to the next one or a roll back', async () => {
  const { id, slug } = await publishedPage(api, { files: { 'index.html': 'one', 'a.txt': 'a' } });
  const read = async (path = '/') => {
    const { status, text } = await visit(`/pages/${slug}${path}`);
    return status === 200 ? text : status;
  };
  const file_id = await bundle(api, zipOf({ 'index.html': 'two' }));
  const made = await api.send<{ id: string }>('POST', `${PAGES}/${id}/deployments`, { body: { file_id } });
  expect([await read(), await read('/a.txt')]).toEqual(['one', 'a']);
  const deployment = `${PAGES}/${id}/deployments/${made.body.id}`;
  await api.send('POST', `${deployment}/promote`);
  expect([await read(), await read('/a.txt')]).toEqual(['two', 404]);
  await api.send('POST', `${deployment}/roll_back`);
  expect([await read(), await read('/a.txt')]).toEqual(['one', 'a']);
});

it('serves published pages of the site alone, at their current slug', async () => {
  const { id, slug } = await newPage(api);
  const status = async (name: unknown, site = api.sites[0]) =>
    (await visit(`/pages/${String(name)}/`, { site })).status;
  await api.send('POST', `${PAGES}/${id}/publish`);
  expect(await status(slug)).toBe(404);
  await live(api, id, INDEX);
  expect([await status(slug), await status(slug, api.sites[1])]).toEqual([200, 404]);
  await api.send('PATCH', `${PAGES}/${id}`, { body: { slug: `${String(slug)}-moved` } });
  expect([await status(slug), await status(`${String(slug)}-moved`)]).toEqual([404, 200]);
  await api.send('POST', `${PAGES}/${id}/unpublish`);
  expect(await status(`${String(slug)}-moved`)).toBe(404);
  const other = await publishedPage(api, { slug: page.slug, site: api.sites[1], files: { 'index.html': 'there' } });
  expect((await visit(`/pages/${other.slug}/`, { site: api.sites[1] })).text).toBe('there');
  await api.send('DELETE', `${PAGES}/${other.id}`, { site: api.sites[1] });
  expect([await status(page.slug, api.sites[1]), await status(page.slug)]).toEqual([404, 200]);
});

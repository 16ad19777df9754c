import { send, zipFile } from '@lyceum/testing';
import type { ZipEntry } from '@lyceum/testing';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { INDEX, PAGES, checked, live, publishedPage } from './new-page.js';
import { announced, arrived, complete } from './new-upload.js';

const BUNDLE = { purpose: 'page_bundle', filename: 'site.zip', content_type: 'application/zip' };
const MIB = 1024 * 1024;
const index: ZipEntry = { name: 'index.html', content: Buffer.from('<h1>Attack</h1>') };
const page = (...more: readonly ZipEntry[]): Buffer => zipFile([index, ...more]);
const NOTHING = Buffer.alloc(0);
const empty = (count: number): Buffer =>
  zipFile(Array.from({ length: count }, (_entry, at) => ({ name: `${at}.txt`, content: NOTHING })));

let api: TestApi;
/** A page that shows its only deployment. */
let shown: { readonly id: string; readonly slug: string };
beforeAll(async () => {
  api = await startAdminApi();
  shown = await publishedPage(api);
});
afterAll(() => api.stop());

async function visit(path: string): Promise<unknown[]> {
  const { status, text } = await send(api.service.url, 'GET', path, { host: api.sites[0].host });
  return status === 200 ? [status, text] : [status];
}

const deploy = (file_id: string) =>
  api.send<{ id: string }>('POST', `${PAGES}/${shown.id}/deployments`, { body: { file_id } });

/** The page shows what it showed, and has no other deployment that could be shown. */
async function unchanged(): Promise<void> {
  const { id, slug } = shown;
  expect(await visit(`/pages/${slug}/`)).toEqual([200, INDEX['index.html']]);
  for (const name of ['a.txt', 'setup.exe', 'link.html']) expect(await visit(`/pages/${slug}/${name}`)).toEqual([404]);
  const { body } = await api.send<{ data: { state: string }[] }>('GET', `${PAGES}/${id}/deployments`);
  expect(body.data.filter(({ state }) => state !== 'failed')).toHaveLength(1);
}

describe('the upload of a zip file', () => {
  it.each<[string, Buffer]>([
    ['a path above the folder', page({ name: '../index.html' })],
    ['a path above the folder, further in', page({ name: 'a/../../index.html' })],
    ['an absolute path', page({ name: '/index.html' })],
    ['a path with a drive', page({ name: 'C:/index.html' })],
    ['a path with a backslash', page({ name: 'a\\..\\index.html' })],
    ['a path with a control character', page({ name: 'a\0.html' })],
    ['a symbolic link', page({ name: 'link.html', content: Buffer.from('/etc/passwd'), claims: { mode: 0o120777 } })],
    ['an encrypted file', page({ name: 'a.html', claims: { flags: 1 } })],
    ['one name twice', page(index)],
    ['one name twice in other case', page({ name: 'INDEX.html' })],
    ['a bomb of zeros', page({ name: 'a.txt', content: Buffer.alloc(4 * MIB) })],
    ['a claim of 4 GB', page({ name: 'a.txt', claims: { bytes: 0xffff_fff0 } })],
    ['files that overlap', page({ name: 'a.txt', claims: { packed: 100_000, bytes: 100_000 } })],
    ['5,001 entries', empty(5_001)],
    ['50,000 entries', empty(50_000)],
    ['no directory', Buffer.from(`PK\u0003\u0004${'x'.repeat(1_000)}`, 'latin1')],
    ['another type', Buffer.from(`<!doctype html>${'x'.repeat(1_000)}`)],
  ])('refuses %s, and serves nothing of it', async (_what, zip) => {
    expect(zip.length).toBeLessThanOrEqual(5 * MIB);
    const upload = await arrived(api, zip, BUNDLE);
    const { body } = await complete(api, upload);
    expect(body).toMatchObject({ state: 'rejected', rejection: expect.stringMatching(/unsafe_zip|type_mismatch/) });
    expect(await deploy(upload.id)).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    await unchanged();
  });

  it('refuses more entries than fit into the size of a bundle', async () => {
    // A directory without the extension for large files counts no more. 100,000 entries take more than 8 MB.
    const zip = empty(65_534);
    const { status, body } = await api.send('POST', '/api/v1/uploads', { body: announced(zip, BUNDLE) });
    expect([status, body['errors']]).toMatchObject([422, [{ pointer: '/bytes', code: 'too_large' }]]);
  });
});

describe('the deployment of a zip file', () => {
  it.each<[string, Buffer, string]>([
    ['no index.html', zipFile([{ name: 'about.html' }]), 'index.html is missing'],
    ['an index.html in a folder', zipFile([{ name: 'site/index.html' }]), 'index.html is missing'],
    ['a program', page({ name: 'setup.exe' }), 'setup.exe: pages serve no files'],
    ['a script for the server', page({ name: 'shell.php' }), 'shell.php: pages serve no files'],
    ['a double ending', page({ name: 'a.html.exe' }), 'a.html.exe: pages serve no files'],
    ['a zip file in it', page({ name: 'inner.zip', content: page() }), 'inner.zip: pages serve no files'],
    [
      '501 files',
      zipFile([index, ...Array.from({ length: 500 }, (_file, at) => ({ name: `${at}.txt` }))]),
      '500 files',
    ],
    ['a file that unpacks to more than it says', page({ name: 'a.txt', claims: { bytes: 3 } }), 'refused: a.txt'],
    ['a file that unpacks to less than it says', page({ name: 'a.txt', claims: { bytes: 5 } }), 'refused: a.txt'],
  ])('fails for %s, and serves nothing of it', async (_what, zip, detail) => {
    const upload = await arrived(api, zip, BUNDLE);
    expect((await complete(api, upload)).body).toMatchObject({ state: 'ready' });
    const { body } = await deploy(upload.id);
    const failed = await checked(api, shown.id, body.id);
    expect(failed).toMatchObject({ state: 'failed', faults: [{ detail: expect.stringContaining(detail) }] });
    const promoted = await api.send('POST', `${PAGES}/${shown.id}/deployments/${body.id}/promote`);
    expect(promoted.body).toMatchObject({ code: 'invalid_state' });
    await unchanged();
  });
});

it('leaves out the hidden files of a bundle', async () => {
  const { id, slug } = await publishedPage(api);
  const hidden = ['.env', '.git/config', 'a/.htpasswd', '__MACOSX/a.txt'];
  await live(api, id, { ...INDEX, ...Object.fromEntries(hidden.map((name) => [name, 'SECRET=1'])) });
  for (const name of hidden) expect(await visit(`/pages/${slug}/${name}`)).toEqual([404]);
});

import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_CODES, FIELD_CODES, API_ERROR_CODES } from '@lyceum/errors';
import { DiscoveryService, ModulesContainer } from '@nestjs/core';
import { BASE_URL, routesOf, servedRoutes, type Json } from '@lyceum/rest';
import { OpenApiController } from '#src/openapi/openapi.controller.js';
import { send } from '@lyceum/testing';
import { startAdminApi, type TestApi } from './admin-api.js';
import { builtDocument } from './described.js';

const document = JSON.parse(builtDocument('openapi.json')) as Json & {
  paths: Record<string, Record<string, Json>>;
  webhooks: Record<string, Json>;
  components: Record<string, Json>;
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
);

const scriptsOf = (page: string): (string | undefined)[] =>
  [...page.matchAll(/<script[^>]* src="([^"]*)"/g)].map(([, source]) => source);

let api: TestApi;

beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

describe('the running service', () => {
  it('serves no route that the document does not describe', () => {
    const modules = [...api.service.app.get(ModulesContainer).values()];
    const controllers = modules.flatMap((module) => [...module.controllers.values()].map(({ metatype }) => metatype));
    const bare = controllers.filter((controller) => routesOf([controller as never]).length === 0);
    expect(bare).toEqual([OpenApiController]);
    const served = servedRoutes(api.service.app.get(DiscoveryService)).flatMap((of) => of.routes);
    const routes = served.map(({ method, path }) => `${method} ${path}`);
    expect(routes.sort()).toEqual(operations.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it('responds at every operation', async () => {
    for (const { method, path } of operations) {
      const { headers } = await api.send('TRACE', path.replaceAll(/\{\w+\}/g, '019ab3c0-0000-7000-8000-000000000000'), {
        token: null,
      });
      expect([path, headers['allow']?.split(', ')]).toEqual([path, expect.arrayContaining([method.toUpperCase()])]);
    }
  });
});

describe('/openapi.json', () => {
  it('serves the document without a token, with the origin of the site alone', async () => {
    for (const site of api.sites) {
      const response = await api.send('GET', '/openapi.json', { site, token: null });
      expect(response.status).toBe(200);
      expect(response.body['servers']).toEqual([{ url: site.base_url }]);
      expect(response.text).not.toContain(BASE_URL);
      expect(response.text).toContain(`${site.base_url}/oauth/authorize`);
      const known = { 'if-none-match': response.headers['etag'] ?? '' };
      expect((await api.send('GET', '/openapi.json', { site, token: null, headers: known })).status).toBe(304);
    }
    const unknown = await send(api.service.url, 'GET', '/openapi.json', { host: 'elsewhere.example' });
    expect(unknown.status).toBe(421);
  });
});

describe('/docs/operations', () => {
  it('names every operation and every error on a page in the look of the site, which needs no script', async () => {
    const { status, headers, text } = await api.send('GET', '/docs/operations', { token: null });
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    for (const { path, operation } of operations) {
      expect(text).toContain(path);
      expect(text).toContain(`id="${String(operation['operationId'])}"`);
    }
    for (const code of API_ERROR_CODES) expect(text).toContain(`<code>${code}</code>`);
    const types = Object.keys(document.webhooks);
    expect(types.length).toBeGreaterThan(50);
    for (const type of types) expect(text).toContain(`id="webhook-${type}"`);
    const [, style = ''] = /<style>([^]*?)<\/style>/.exec(text) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    const [site] = api.sites;
    expect(headers['content-security-policy']).toContain(
      `default-src 'none'; script-src ${site.base_url}/account/scripts/page.js; style-src ${site.base_url}/account/style.css 'sha256-${hash}';`,
    );
    expect(text).toContain(`<a href="/"><bdi>${site.name}</bdi></a>`);
    expect([...text.matchAll(/<link rel="stylesheet" href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      '/account/style.css',
    ]);
    expect(text).toContain(`curl "${api.sites[0].base_url}/api/v1/courses`);
    expect(scriptsOf(text)).toEqual(['/account/scripts/page.js']);
    expect(text).not.toMatch(/<img|@import|url\(|style="|\[object|undefined/);
  });

  it('leads from the contents to each tag, and from each tag to its operations', async () => {
    const { text } = await api.send('GET', '/docs/operations', { token: null });
    const ids = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const targets = [...text.matchAll(/ href="#([^"]+)"/g)].map(([, target]) => target);
    const tags = new Set(operations.map(({ operation }) => `tag-${(operation['tags'] as string[])[0]}`));
    expect(targets).toEqual(
      expect.arrayContaining([...tags, ...operations.map(({ operation }) => operation['operationId'])]),
    );
    expect(targets.filter((target) => !ids.has(target))).toEqual([]);
  });
});

describe('/docs/errors', () => {
  const codes = [...ERROR_CODES, ...FIELD_CODES];
  const page = (path: string) => api.send('GET', `/docs/errors${path}`, { token: null });

  it('serves a page in HTML and in Markdown for each code, and an index', async () => {
    const [index, list] = [await page(''), await page('/index.md')];
    for (const code of codes) {
      expect(index.text).toContain(`href="/docs/errors/${code}"`);
      expect(list.text).toContain(`${api.sites[0].base_url}/docs/errors/${code}.md`);
      for (const [path, type] of [
        [code, 'text/html'],
        [`${code}.md`, 'text/markdown'],
      ] as const) {
        const { status, headers, text } = await page(`/${path}`);
        expect([path, status, headers['content-type']]).toEqual([path, 200, `${type}; charset=utf-8`]);
        expect(text).toContain('What to do');
        expect(scriptsOf(text)).toEqual(type === 'text/html' ? ['/account/scripts/page.js'] : []);
        expect(text).not.toMatch(/\[object|undefined/);
        expect(text).not.toContain(BASE_URL);
        if (type === 'text/html') {
          expect(text).toContain(`<a href="/"><bdi>${api.sites[0].name}</bdi></a>`);
          expect(text).toContain('<a href="/docs/errors" aria-current="page">Errors</a>');
        }
      }
    }
  });

  it.each(['unknown', 'NOT_FOUND', 'toString', '..%2Fclients', 'not_found.html'])(
    'returns 404 for %j',
    async (code) => {
      expect((await page(`/${code}`)).status).toBe(404);
    },
  );
});

describe('an unknown path', () => {
  const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8';

  it.each([
    ['/docs/errors/unknown', 405],
    ['/docs/clients/unknown.md', 405],
    ['/docs/operations/unknown', 404],
    ['/api/v1/unknown', 404],
  ])('shows people a page and programs a problem document at %s', async (path, posted) => {
    const page = await api.send('GET', path, { token: null, headers: { accept: BROWSER } });
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(page.text).toContain('<h1>The page does not exist</h1>');
    expect(page.text).toContain('<link rel="stylesheet" href="/account/style.css" />');
    for (const accept of ['application/json', '*/*']) {
      const problem = await api.send('GET', path, { token: null, headers: { accept } });
      expect([problem.status, problem.headers['content-type']]).toEqual([404, 'application/problem+json']);
    }
    const post = await api.send('POST', path, { token: null, headers: { accept: BROWSER }, body: {} });
    expect([post.status, post.headers['content-type']]).toEqual([posted, 'application/problem+json']);
  });
});

it('returns only documented codes, each with the URL of its page', async () => {
  const schemas = document.components['schemas'] as { Problem: { properties: { code: { enum: string[] } } } };
  expect(schemas.Problem.properties.code.enum).toEqual([...API_ERROR_CODES]);
  const found = new Set<string>();
  for (const { method, path, operation } of operations) {
    const target = path.replaceAll(/\{\w+\}/g, '019ab3c0-0000-7000-8000-000000000000');
    const verb = method.toUpperCase();
    const headers = { 'content-type': 'application/json' };
    const attempts = [
      await api.send(verb, target, { token: null }),
      await api.send(verb, `${target}?nonsense=1`),
      ...(method === 'get'
        ? [await api.send(verb, target)]
        : [
            await api.send(verb, target, { headers, body: '{' }),
            await api.send(verb, target, { headers, body: { nonsense: 1 } }),
          ]),
    ];
    for (const { status, body } of attempts.filter((response) => response.status >= 400)) {
      const { $ref = '' } = (operation['responses'] as Record<string, { $ref?: string }>)[status] ?? {};
      expect([method, path, body['code'], $ref.split(/[./]/)]).toEqual([
        method,
        path,
        body['code'],
        expect.arrayContaining([body['code']]),
      ]);
      expect(body['type']).toBe(`${api.sites[0].base_url}/docs/errors/${String(body['code'])}`);
      for (const error of (body['errors'] ?? []) as object[]) {
        expect(Number('pointer' in error) + Number('parameter' in error)).toBe(1);
      }
      found.add(String(body['code']));
    }
  }
  expect([...found]).toEqual(
    expect.arrayContaining(['invalid_token', 'unknown_parameter', 'invalid_request', 'validation_failed', 'not_found']),
  );
});

describe('/docs/clients', () => {
  const directory = join(__dirname, '../../../docs/clients');

  it('serves every recipe as Markdown with the origin of the site', async () => {
    const files = readdirSync(directory);
    expect(files).toContain('README.md');
    for (const file of files) {
      for (const site of api.sites) {
        const path = `/docs/clients/${file}`;
        const response = await api.send('GET', path, { site, token: null });
        expect([response.status, response.headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8']);
        const text = readFileSync(join(directory, file), 'utf8');
        expect(response.text).toBe(text.replaceAll('https://school.example', site.base_url));
        expect(response.headers['access-control-allow-origin']).toBe('*');
        const known = { 'if-none-match': response.headers['etag'] ?? '' };
        expect((await api.send('GET', path, { site, token: null, headers: known })).status).toBe(304);
      }
    }
  });

  it('serves the documents to which recipes link by a relative path', async () => {
    const found = new Set<string>();
    for (const file of readdirSync(directory))
      for (const [, target = ''] of readFileSync(join(directory, file), 'utf8').matchAll(/\]\((\.[^)#]+)/g))
        found.add(new URL(target, `${BASE_URL}/docs/clients/${file}`).pathname);
    expect(found.size).toBeGreaterThan(20);
    for (const path of found)
      expect([path, (await api.send('GET', path, { token: null })).status]).toEqual([path, 200]);
  });

  it.each(['/docs/clients', '/docs/clients/'])('leads people from %s to the recipes of the guides', async (path) => {
    const { status, headers } = await api.send('GET', path, { token: null });
    expect([status, headers['location']]).toEqual([302, '/docs/guides#recipes']);
  });

  it.each(['urql', 'nothing.md', '..%2F..%2FREADME.md', '%00', 'README.md%2F'])('returns 404 for %j', async (file) => {
    const response = await api.send('GET', `/docs/clients/${file}`, { token: null });
    expect([response.status, response.headers['content-type']]).toEqual([404, expect.stringMatching('problem.json')]);
  });
});

import { stripTypeScriptTypes } from 'node:module';
import { codeSamples } from './samples.js';

const BODY = {
  name: `It's "a" \\ course`,
  tags: ['knots', 'ropes'],
  seo: {},
  price: { amount_minor: 5, tax: null },
  hidden: true,
};
const DOCUMENT = {
  paths: {
    '/api/v1/courses/{course_id}': {
      get: { responses: { 200: { content: { 'application/json': {} } } } },
      patch: {
        requestBody: {
          content: { 'application/merge-patch+json': { examples: { C: { $ref: '#/components/examples/C' } } } },
        },
        responses: { 200: { content: { 'application/json': {} } } },
      },
      delete: { responses: { 204: {}, 404: { content: { 'application/problem+json': {} } } } },
    },
    '/api/v1/students/export': { get: { responses: { 200: { content: { 'text/csv': {} } } } } },
  },
  components: { examples: { C: { value: BODY } } },
};
const ORIGIN = 'https://school.example';
const sourceOf = (method: string, language: string, path = '/api/v1/courses/{course_id}'): string =>
  codeSamples(DOCUMENT, path, method, ORIGIN).find(({ label }) => label === language)?.source ?? '';

describe('the samples of an operation', () => {
  it('exists in curl, TypeScript, Python and PHP, and reads the token from the environment', () => {
    const samples = codeSamples(DOCUMENT, '/api/v1/courses/{course_id}', 'get', ORIGIN);
    expect(samples.map(({ label }) => label)).toEqual(['curl', 'TypeScript', 'Python', 'PHP']);
    for (const { source } of samples) {
      expect(source).toContain(`${ORIGIN}/api/v1/courses/COURSE_ID`);
      expect(source).toMatch(/\$TOKEN|process\.env\.TOKEN|os\.environ\['TOKEN'\]|getenv\('TOKEN'\)/);
    }
  });

  it('sends a body with quotes and backslashes as JSON of its media type', () => {
    const shell = sourceOf('patch', 'curl');
    const [, sent = ''] = /-d '([^]*)'$/.exec(shell) ?? [];
    expect(JSON.parse(sent.replaceAll(String.raw`'\''`, "'"))).toEqual(BODY);
    expect(shell).toContain("-H 'Content-Type: application/merge-patch+json'");
    const code = stripTypeScriptTypes(sourceOf('patch', 'TypeScript'));
    const [, literal = ''] = /JSON\.stringify\(([^]*?)\),\n\}\);/.exec(code) ?? [];
    expect(JSON.parse(literal)).toEqual(BODY);
  });

  it('writes the constants of Python and PHP', () => {
    expect(sourceOf('patch', 'Python')).toContain(
      `"seo": {},\n        "price": {\n            "amount_minor": 5,\n            "tax": None,`,
    );
    expect(sourceOf('patch', 'Python')).toContain('"hidden": True,');
    expect(sourceOf('patch', 'PHP')).toContain(`'seo' => new stdClass(),`);
    expect(sourceOf('patch', 'PHP')).toContain(String.raw`'name' => 'It\'s "a" \\ course',`);
  });

  it('prints JSON, text or a status, as the response has it', () => {
    expect(sourceOf('get', 'TypeScript')).toContain('console.log(await response.json());');
    expect(sourceOf('get', 'TypeScript', '/api/v1/students/export')).toContain('console.log(await response.text());');
    expect(sourceOf('delete', 'TypeScript')).toContain('console.log(response.status);');
    expect(sourceOf('delete', 'Python')).toContain('print(response.status)');
  });
});

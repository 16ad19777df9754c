import { execFile, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { stripTypeScriptTypes } from 'node:module';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { codeSamples } from '@lyceum/docs';
import { systemStack } from '../stack/system-stack.js';
import { CompiledClient } from './compiled-client.js';
import { tokenFor } from './tokens.js';

type Json = Readonly<Record<string, unknown>>;
interface Document extends Json {
  readonly paths: Readonly<Record<string, Json>>;
}

const site = systemStack().sites[0]!;
const run = promisify(execFile);
const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;
const withPython = has('python3') ? it : it.skip;
const withPhp = has('php') ? it : it.skip;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
let document: Document;
let token: string;

beforeAll(async () => {
  document = (await (await fetch(`${site.base_url}/openapi.json`)).json()) as Document;
  token = await tokenFor('operator', 'openid courses:read courses:write students:read');
});

/** The sample that the reference shows, with the values that a reader fills in. */
function sampleOf(label: string, path: string, method: string, filled: Readonly<Record<string, string>> = {}): string {
  const source = codeSamples(document, path, method, site.base_url).find((one) => one.label === label)?.source ?? '';
  return Object.entries(filled).reduce((code, [name, value]) => code.replaceAll(name, value), source);
}

/** All operations of the document with their samples in a language. */
const everySample = (label: string): [string, string][] =>
  Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations)
      .filter((method) => METHODS.includes(method))
      .map((method): [string, string] => [`${method} ${path}`, sampleOf(label, path, method)]),
  );

/** Runs a program that reads its code from its input, and returns its output. */
async function output(command: string, args: readonly string[], code: string): Promise<string> {
  const child = spawn(command, args, { env: { ...process.env, TOKEN: token } });
  child.stdin.end(code);
  const [printed, faults, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ]);
  if (status !== 0) throw new Error(`${code}\n${printed}\n${faults}`);
  return printed;
}

const RUNS = {
  // The meter of curl goes to the other output.
  curl: (code: string) => output('sh', ['-s'], code),
  // The inspection of an object is no JSON, so the program prints the text that a reader would parse.
  TypeScript: (code: string) =>
    output(
      process.execPath,
      ['--input-type=module'],
      stripTypeScriptTypes(code).replace('console.log(await response.json())', 'console.log(await response.text())'),
    ),
  Python: (code: string) => output('python3', ['-'], code),
  PHP: (code: string) => output('php', [], code),
};
/** The part of the types of Node.js that the samples use. */
const GLOBAL = 'declare const process: { env: Record<string, string | undefined> };';

type Language = keyof typeof RUNS;

/** Creates, reads, changes, publishes and deletes a course with the samples of a language. Returns the last output. */
async function walk(language: Language): Promise<string> {
  const send = (path: string, method: string, filled: Readonly<Record<string, string>> = {}): Promise<string> =>
    RUNS[language](sampleOf(language, path, method, filled));
  const slug = `sample-${randomUUID()}`;
  const example = sampleOf('curl', '/api/v1/courses', 'post');
  const [, exampleSlug = ''] = /"slug": "([^"]+)"/.exec(example) ?? [];
  expect(exampleSlug).not.toBe('');
  const made = JSON.parse(await send('/api/v1/courses', 'post', { [exampleSlug]: slug })) as Json;
  expect(made['slug']).toBe(slug);
  const id = { 'courses/ID': `courses/${String(made['id'])}` };
  const { data } = JSON.parse(await send('/api/v1/courses', 'get')) as { data: Json[] };
  expect(data.map((one) => one['id'])).toContain(made['id']);
  expect(JSON.parse(await send('/api/v1/courses/{id}', 'get', id))).toMatchObject({ id: made['id'], slug });
  const changed = JSON.parse(await send('/api/v1/courses/{id}', 'patch', id)) as Json;
  expect([changed['id'], changed['updated_at'] === made['updated_at']]).toEqual([made['id'], false]);
  const published = JSON.parse(await send('/api/v1/courses/{id}/publish', 'post', id)) as Json;
  expect([published['id'], published['state']]).toEqual([made['id'], 'published']);
  expect(await send('/api/v1/courses/{id}', 'delete', id)).not.toContain('error');
  // PHP prints the problem and ends well.
  return send('/api/v1/courses/{id}', 'get', id).catch(String);
}

describe('the samples of the reference', () => {
  it('runs in curl', async () => {
    expect(await walk('curl')).toContain('not_found');
  });

  it('runs in TypeScript', async () => {
    expect(await walk('TypeScript')).toContain('not_found');
  });

  withPython('work in Python', async () => {
    expect(await walk('Python')).toContain('not_found');
  });

  withPhp('work in PHP', async () => {
    expect(await walk('PHP')).toContain('not_found');
  });

  it('parses for each operation in curl', async () => {
    const samples = everySample('curl');
    expect(samples.length).toBeGreaterThan(150);
    await run('sh', ['-n', '-c', samples.map(([, source]) => source).join('\n')]);
  });

  it('compiles for each operation under strict TypeScript', () => {
    const samples = everySample('TypeScript');
    // A function for each, so that one compilation checks all of them.
    const functions = samples.map(([, source], index) => `export async function f${index}() {\n${source}\n}`);
    const faults = new CompiledClient({ samples: [GLOBAL, ...functions].join('\n') }).faults();
    expect(faults).toEqual({});
  });

  withPython('are valid for each operation in Python', async () => {
    const samples = everySample('Python');
    const program = `import ast, json, sys\nfor name, code in json.load(sys.stdin): ast.parse(code, name)\nprint("valid")`;
    expect(await output('python3', ['-c', program], JSON.stringify(samples))).toBe('valid\n');
  });

  withPhp('are valid for operations with bodies in PHP', async () => {
    const samples = everySample('PHP').filter(([, source]) => source.includes('json_encode'));
    expect(samples.length).toBeGreaterThan(50);
    for (const [, source] of samples.slice(0, 20))
      expect(await output('php', ['-l'], source)).toContain('No syntax errors');
  });
});

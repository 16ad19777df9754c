import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../configuration/usage-error.js';
import { readJsonFile } from './read-json-file.js';

const schema = z.strictObject({ name: z.string(), roles: z.array(z.enum(['owner', 'admin'])).default([]) });

let directory: string;
let path: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'json-file-'));
  path = join(directory, 'file.json');
});
afterAll(() => rmSync(directory, { recursive: true }));

async function refusal(file: string): Promise<UsageError> {
  const error: unknown = await readJsonFile(file, schema).catch((thrown: unknown) => thrown);
  if (error instanceof UsageError) return error;
  throw new Error('The file was not refused as a wrong argument', { cause: error });
}

it('returns the parsed content, with defaults', async () => {
  writeFileSync(path, '{"name":"Mei"}');
  expect(await readJsonFile(path, schema)).toEqual({ name: 'Mei', roles: [] });
});

it('refuses a missing file and a directory', async () => {
  for (const file of [join(directory, 'missing.json'), directory])
    expect((await refusal(file)).message).toMatch(/^\S+ cannot be read: E\w+: .+$/);
});

it.each([
  ['text that is no JSON', '{"name": hunter2', 'is not JSON'],
  ['a value of another type', '"hunter2"', 'has errors: /: Must be an object'],
  [
    'wrong members',
    '{"roles":["owner","hunter2"],"hunter":2}',
    'has errors: /name: Required; /roles/1: One of: owner, admin; /hunter: Unknown name. Known: name, roles',
  ],
])('refuses %s in one line without a value of the file', async (_what, text, message) => {
  writeFileSync(path, text);
  expect((await refusal(path)).message).toBe(`${path} ${message}`);
});

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { STACK_VARIABLE, systemStack } from '../stack/system-stack.js';

const root = join(__dirname, '../..');
const LOCAL = 'http://localhost:8080';
const readme = readFileSync(join(root, 'README.md'), 'utf8');

interface Call {
  readonly commands: string;
  /** The JSON that the README prints below the commands. Members named "…" are placeholders. */
  readonly response: unknown;
}

/** The calls of a section, in order, each with the response that follows it. */
function callsOf(heading: string): Call[] {
  const section = readme.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
  const blocks = section.matchAll(/^```sh\n([\s\S]*?)^```[^`]*^```json\n([\s\S]*?)^```/gm);
  return [...blocks].map(([, commands, response]) => ({ commands: commands!, response: JSON.parse(response!) }));
}

/** The commands of a document, with what it prints below them. */
function examplesOf(file: string): { readonly commands: string; readonly printed: string }[] {
  const text = readFileSync(join(root, file), 'utf8');
  const blocks = text.matchAll(/^```sh\n([\s\S]*?)^```\s*^```html\n([\s\S]*?)^```/gm);
  return [...blocks].map(([, commands = '', printed = '']) => ({ commands, printed }));
}

/** Runs all blocks in one shell. Returns the output of each. */
async function copyAndRun(blocks: readonly string[]): Promise<string[]> {
  const { sites } = systemStack();
  const directory = mkdtempSync(join(tmpdir(), 'lyceum-readme-'));
  const mark = '-- next block --';
  const token = `node ${join(root, 'libs/testing/dist/token.js')} --demo $${STACK_VARIABLE}`;
  const script = [`set -eu`, ...blocks.flatMap((block) => [block, `printf '\\n${mark}\\n'`])]
    .join('\n')
    // The stack of the tests has other ports than `npm start`.
    .replaceAll(LOCAL, sites[0]!.base_url)
    .replaceAll('npm run -s token --', token)
    .replaceAll('npm run -s token)', `${token})`);
  try {
    const { stdout } = await promisify(execFile)('sh', ['-c', script], { cwd: directory, encoding: 'utf8' });
    return stdout.split(mark).slice(0, -1);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The JSON of an HTTP response, or of the last event of an event stream. */
function jsonOf(printed: string): unknown {
  const lines = printed.split('\n').filter((line) => /^(data: )?\{/.test(line));
  return JSON.parse(lines.at(-1)!.replace(/^data: /, ''));
}

/** A matcher for the response of the README: ids and members named "…" may be anything. */
function expected(response: unknown): unknown {
  if (typeof response === 'string') return response.replaceAll(LOCAL, systemStack().sites[0]!.base_url);
  if (Array.isArray(response)) return response.map(expected);
  if (typeof response !== 'object' || response === null) return response;
  const members = Object.entries(response).filter(([name]) => name !== '…');
  return expect.objectContaining(
    Object.fromEntries(members.map(([name, value]) => [name, name === 'id' ? expect.any(String) : expected(value)])),
  );
}

describe('the README', () => {
  it('prints the responses that its first calls get', async () => {
    const calls = callsOf('First calls');
    expect(calls).toHaveLength(5);
    const printed = await copyAndRun(calls.map(({ commands }) => commands));
    expect(printed.map(jsonOf)).toEqual(calls.map(({ response }) => expected(response)));
  });

  it('limits the README to 900 words', () => {
    expect(readme.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(900);
  });
});

it('deploys a page by the commands of its document', async () => {
  const [example, ...others] = examplesOf('docs/operate/pages.md');
  expect(others).toEqual([]);
  const [printed] = await copyAndRun([example!.commands]);
  expect(printed?.trim()).toBe(example!.printed.trim());
});

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { STACK_VARIABLE, systemStack } from '../stack/system-stack.js';

const root = join(__dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The shell blocks between two headings, in order. */
function commandsOf(heading: string): string[] {
  const section = readme.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
  return [...section.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, commands]) => commands!);
}

/** Runs all blocks in one shell, as somebody who copies them does; gives what each printed. */
async function copyAndRun(blocks: readonly string[]): Promise<string[]> {
  const { sites } = systemStack();
  const directory = mkdtempSync(join(tmpdir(), 'lyceum-readme-'));
  const mark = '-- next block --';
  const script = [`set -eu`, ...blocks.flatMap((block) => [block, `printf '\\n${mark}\\n'`])]
    .join('\n')
    // The stack of this run stands on another port than \`npm start\` puts it.
    .replaceAll('http://localhost:8080', sites[0]!.base_url)
    .replaceAll('npm run -s token --', `node ${join(root, 'libs/testing/dist/token.js')} --demo $${STACK_VARIABLE}`)
    .replaceAll('npm run -s token)', `node ${join(root, 'libs/testing/dist/token.js')} --demo $${STACK_VARIABLE})`);
  try {
    const { stdout } = await promisify(execFile)('sh', ['-c', script], { cwd: directory, encoding: 'utf8' });
    return stdout.split(mark).slice(0, -1);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

describe('the first calls of the README', () => {
  it('work as they stand there', async () => {
    const blocks = commandsOf('First calls');
    const printed = await copyAndRun(blocks);
    expect(printed).toHaveLength(blocks.length);
    const [, discovered, , queried, tools, operated, revoked] = printed;
    const baseUrl = systemStack().sites[0]!.base_url;
    expect(discovered).toContain(`"issuer":"${baseUrl}"`);
    expect(discovered).toContain('# Authentication at');
    const [courses, purchases] = queried!.trim().replace('}{', '}\n{').split('\n');
    const { data } = JSON.parse(courses!) as { data: { viewer: { enrolledCourses: { nodes: { slug: string }[] } } } };
    expect(data.viewer.enrolledCourses.nodes.map(({ slug }) => slug)).toContain('knots-and-splices');
    expect(purchases).toContain(`"downloadUrl":"${baseUrl}/member/downloads?token=`);
    expect(purchases).toContain('"state":"REGISTERED"');
    expect(purchases).not.toContain('"errors"');
    expect(tools).toContain('"next_cursor"');
    expect(tools).toContain('knots-and-splices');
    expect(tools).not.toContain('"isError":true');
    expect(operated).toContain('"slug":"reading-the-clouds"');
    expect(operated).toContain('"has_more":');
    expect(revoked).toMatch(/^\s*200\n/);
    expect(revoked).toContain('INVALID_TOKEN');
  });
});

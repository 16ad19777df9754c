import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { systemStack } from '../stack/system-stack.js';
import { Recipe } from './recipe.js';
import { tokenFor } from './tokens.js';

const site = systemStack().sites[0]!;
const run = promisify(execFile);
const guide = new Recipe('../guides/idempotency', site.base_url);

/** Runs a program after the code of the guide, in a process of its own. It prints one line of JSON. */
async function printed(program: string): Promise<unknown> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', `${guide.block('js')}\n${program}`]);
  return JSON.parse(stdout);
}

describe('the guide to idempotency', () => {
  it('creates one object for a key, and replays the response', async () => {
    const token = await tokenFor('operator', 'openid courses:read courses:write');
    const given = [token, randomUUID(), { name: 'Tides', slug: `tides-${randomUUID()}` }].map((one) =>
      JSON.stringify(one),
    );
    const program = `
const given = [${given.join(', ')}];
const [first, again] = [await create(...given), await create(...given)];
const other = await create(given[0], given[1], { ...given[2], name: 'Other' }).catch(({ message }) => message);
console.log(JSON.stringify([first.replayed, again.replayed, first.course.id === again.course.id, other]));
`;
    expect(await printed(program)).toEqual([false, true, true, 'idempotency_key_reused']);
  });

  it('sends its curl call once, however often it runs', async () => {
    const TOKEN = await tokenFor('operator', 'openid courses:read courses:write');
    const slug = `curl-${randomUUID()}`;
    const command = guide
      .block('sh')
      .replace('7f9c2ba4-e88f-4a3d-9d6b-5c1c3f0e7a11', randomUUID())
      .replace('"slug":"tides"', `"slug":"${slug}"`);
    const answers = [];
    for (let turn = 0; turn < 2; turn += 1) {
      const { stdout } = await run('sh', ['-c', command], { env: { ...process.env, TOKEN } });
      answers.push(JSON.parse(stdout) as Record<string, unknown>);
    }
    expect(answers[0]).toMatchObject({ slug, id: expect.any(String) });
    expect(answers[1]).toEqual(answers[0]);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROBLEMS } from '@lyceum/errors';

const ROOT = join(import.meta.dirname, '../..');
const GUIDES = join(ROOT, 'docs/guides');
const MEMBER_API = join(ROOT, 'apps/member-api/src');
/** A response that says when to send the same request again. */
const repeated = Object.entries(PROBLEMS)
  .filter(([, { status, remedy }]) => status < 500 && remedy?.includes('`Retry-After`'))
  .map(([code, { status }]) => [status, code] as const);

/** The numbers of `LIMITS` that a caller of the member API meets, as texts write them. */
function memberLimits(): string[] {
  const source = readFileSync(join(MEMBER_API, 'selection/limits.policy.ts'), 'utf8');
  const limits = new Map([...source.matchAll(/^ {2}(\w+): ([\d_]+),$/gm)].map(([, name, value = '']) => [name, value]));
  limits.delete('explainedVariables');
  return [...limits.values()].map((value) => Number(value.replaceAll('_', '')).toLocaleString('en-US'));
}

describe('the guide to errors', () => {
  it.each([
    ['errors.md', 'Member API'],
    ['zh-tw/errors.md', '成員 API'],
  ])('names each limit of the member API: %s', (file, title) => {
    const [, section = ''] = readFileSync(join(GUIDES, file), 'utf8').split(`## ${title}\n`);
    const [text = ''] = section.split('\n## ');
    const [, points] = /RATE_LIMIT_POINTS: .*default\((\d+)\)/.exec(
      readFileSync(join(MEMBER_API, 'configuration.ts'), 'utf8'),
    )!;
    const [, kibibytes] = /BODY_LIMIT = (\d+) \* 1024/.exec(
      readFileSync(join(MEMBER_API, 'graphql/member.driver.ts'), 'utf8'),
    )!;
    const limits = [...memberLimits(), points!, `${kibibytes} KiB`];
    expect(limits).toEqual(expect.arrayContaining(['1,000', '5,000', '600', '256 KiB']));
    expect(limits.filter((limit) => !new RegExp(`(?<![\\d,])${limit}(?!\\d|,\\d)`).test(text))).toEqual([]);
  });

  it.each(['errors.md', 'zh-tw/errors.md'])('repeats each request that the error says to repeat: %s', (file) => {
    const rows = readFileSync(join(GUIDES, file), 'utf8')
      .split('\n')
      .filter((line) => /^\| \d/.test(line));
    expect(repeated).toEqual(expect.arrayContaining([[409, 'idempotency_in_progress']]));
    for (const [status, code] of repeated) {
      const first = rows.find((row) => row.includes(String(status)));
      expect(first).toContain(`\`${code}\``);
      expect(first).toContain('`Retry-After`');
    }
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROBLEMS } from '@lyceum/errors';

const GUIDES = join(import.meta.dirname, '../../docs/guides');
/** A response that says when to send the same request again. */
const repeated = Object.entries(PROBLEMS)
  .filter(([, { status, remedy }]) => status < 500 && remedy?.includes('`Retry-After`'))
  .map(([code, { status }]) => [status, code] as const);

describe('the guide to errors', () => {
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

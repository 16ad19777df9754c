import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const filesOf = (pattern: string): string[] =>
  execFileSync('git', ['ls-files', pattern], { cwd: root, encoding: 'utf8' }).trim().split('\n');
const named = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name);

describe('the pages of operators', () => {
  it('explains each member that an import has at its creation', () => {
    const page = read('docs/operate/imports.md');
    const members = named(read('apps/admin-api/src/imports/import.schema.ts'), /^ {4}(\w+): (?:editable|fixed)\(/gm);
    expect(members).toEqual(expect.arrayContaining(['collection', 'encoding', 'mapping']));
    expect(members.filter((member) => !new RegExp(`["\`]${member}["\`]`).test(page))).toEqual([]);
  });

  it('names each encoding of imports', () => {
    const [list = ''] = named(
      read('apps/admin-api/src/imports/import.policy.ts'),
      /^export const IMPORT_ENCODINGS = \[(.+)\]/gm,
    );
    const encodings = named(list, /'([^']+)'/g);
    expect(encodings.length).toBeGreaterThan(1);
    expect(encodings.filter((encoding) => !read('docs/operate/imports.md').includes(`\`${encoding}\``))).toEqual([]);
  });

  it('says what a dead job of each queue leaves undone', () => {
    const page = read('docs/runbooks/dead-jobs-present.md');
    const queues = filesOf('apps/*.queue.ts').flatMap((file) =>
      named(read(file), /: QueueDeclaration = \{[^}]*?\bname: '(\w+)'/g),
    );
    expect(queues).toEqual(expect.arrayContaining(['exports', 'mails', 'webhook_erasures']));
    expect(queues.filter((queue) => !page.includes(`\`${queue}\``))).toEqual([]);
  });
});

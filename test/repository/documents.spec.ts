import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(__dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const tracked = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n');

/** `docs/operate/files.md` links to `exports.md`, and to `../adr/0077-files.md#quota`. */
function brokenLinks(file: string, text: string): string[] {
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  const paths = targets.filter((target) => !/^(?:[a-z]+:|#)/.test(target)).map((target) => target.replace(/#.*$/, ''));
  return paths.filter((path) => !existsSync(join(root, dirname(file), path)));
}

/** Names of the npm scripts that a text runs in the root: `start` of `npm start -- --without member-api`. */
function scriptsIn(text: string): string[] {
  const commands = text.matchAll(/npm (?:run (?:-s )?([\w:-]+)|(start|test)\b)/g);
  return [...commands].map(([, script, short]) => script ?? short ?? '');
}

/** Pairs of target and project of `npx nx test auth`. */
function targetsIn(text: string): (readonly [string, string])[] {
  return [...text.matchAll(/npx nx (test|serve) ([\w-]+)/g)].map(([, target = '', project = '']) => [target, project]);
}

describe('the documents', () => {
  it('contains only links to files that exist', () => {
    expect(tracked.length).toBeGreaterThan(100);
    const broken = tracked.flatMap((file) => brokenLinks(file, read(file)).map((path) => `${file}: ${path}`));
    expect(broken).toEqual([]);
  });

  it('leads to each document from the index of its reader', () => {
    const index = read('docs/README.md');
    const pages = tracked.filter((file) =>
      /^docs\/(?:[^/]+|guides\/[^/]+|how-to\/[^/]+|operate\/[^/]+)\.md$/.test(file),
    );
    expect(pages.length).toBeGreaterThan(30);
    const absent = pages.filter(
      (file) => file !== 'docs/README.md' && !index.includes(`(${file.slice('docs/'.length)})`),
    );
    expect(absent).toEqual([]);
  });

  it('finds a broken link', () => {
    expect(
      brokenLinks('docs/tools.md', '[a](operate/files.md#x) [b](none.md) [c](#d) [e](https://e.example/)'),
    ).toEqual(['none.md']);
  });

  it.each(['README.md', 'CONTRIBUTING.md'])('names only commands that exist in %s', (file) => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> };
    const [named, targets] = [scriptsIn(read(file)), targetsIn(read(file))];
    expect(named).toContain('start');
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
    expect(targets.length).toBeGreaterThan(0);
    for (const [target, project] of targets) {
      const own = JSON.parse(read(`apps/${project}/package.json`)) as { scripts: Readonly<Record<string, string>> };
      expect(own.scripts).toHaveProperty(target);
    }
  });

  it('finds the commands of a text', () => {
    expect(scriptsIn('`npm start -- --data x`, npm run -s token -- --help, npm run test:long (npm test)')).toEqual([
      'start',
      'token',
      'test:long',
      'test',
    ]);
    expect(targetsIn('npx nx test auth; npx nx serve member-api')).toEqual([
      ['test', 'auth'],
      ['serve', 'member-api'],
    ]);
  });

  it.each([
    ['OAuth applications', 'MCP connections'],
    ['OAuth 應用程式', 'MCP 連線'],
  ])('says in each page with “%s” that they need “%s”', (applications, connections) => {
    const pages = tracked.filter((file) => file.startsWith('docs/') && !file.startsWith('docs/adr/'));
    const naming = pages.filter((file) => read(file).includes(applications));
    expect(naming).not.toEqual([]);
    expect(naming.filter((file) => !read(file).includes(connections))).toEqual([]);
  });

  it('lists each record of a decision, with the records that supersede it', () => {
    const records = tracked
      .filter((file) => /^docs\/adr\/\d{4}-/.test(file))
      .map((file) => file.slice('docs/adr/'.length));
    expect(records.length).toBeGreaterThan(100);
    const lines = read('docs/adr/README.md').split('\n');
    const wrong = records.filter((record) => {
      const entry = lines.filter((line) =>
        new RegExp(`^- \\[\\d+\\. [^\\]]+\\]\\(${record.replace('.', '\\.')}\\)`).test(line),
      );
      return entry.length !== 1 || supersededBy(record).some((later) => !entry[0]?.includes(`](${later})`));
    });
    expect(wrong).toEqual([]);
  });
});

/** Files of the records that the first lines of a record name as those that supersede it. */
function supersededBy(record: string): string[] {
  const notes = read(`docs/adr/${record}`)
    .split('\n')
    .filter((line) => line.startsWith('_Superseded'));
  return notes.flatMap((line) => [...line.matchAll(/\((\d{4}-[\w-]+\.md)\)/g)].map(([, file = '']) => file));
}

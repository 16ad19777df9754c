import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { currentSurfaces, writeBaseline } from './surfaces.ts';

const root = join(__dirname, '../..');
const directory = mkdtempSync(join(tmpdir(), 'lyceum-release-'));
const FILES = ['dist/openapi.json', 'dist/tools.json', 'dist/schema.graphql'];

const git = (...args: string[]): string => execFileSync('git', args, { cwd: directory, encoding: 'utf8' });
const commit = (): void => {
  git('add', '-A');
  git('commit', '-q', '--allow-empty', '-m', 'test');
};

/** A repository at this version with the current surfaces as its baseline and one edited file. */
function repository(version: string, file?: string, from = '', to = ''): void {
  git('checkout', '-q', '-f', '--detach', 'current');
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ version }));
  if (file !== undefined) edit(file, from, to);
  commit();
}

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(join(directory, file), 'utf8');
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
  writeFileSync(join(directory, file), text.replace(from, to));
}

function release(): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(__dirname, 'release.ts'), directory], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  });
  return { status, output: stdout + stderr };
}

beforeAll(() => {
  git('init', '-q');
  for (const name of FILES) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    cpSync(join(root, name), join(directory, name));
  }
  mkdirSync(join(directory, 'docs/compatibility'), { recursive: true });
  writeBaseline(directory, { version: '0.0.1', surfaces: currentSurfaces(root) });
  writeFileSync(join(directory, 'CHANGELOG.md'), '# Changelog\n\n## 0.1.0\n\n### Tools\n\n- One tool.\n');
  git('config', 'user.name', 'test');
  git('config', 'user.email', 'test@example.com');
  commit();
  git('tag', 'current');
});
afterAll(() => rmSync(directory, { recursive: true }));

it.each([
  ['dist/openapi.json', '"/api/v1/courses":', '"/api/v1/lessons":', 'openapi.json: GET /api/v1/courses'],
  [
    'dist/schema.graphql',
    '  unreadNotificationCount: Int\n}',
    '  unread: Int\n}',
    'schema.graphql: Viewer.unreadNotificationCount',
  ],
  ['dist/tools.json', '"list_courses"', '"read_courses"', 'tools.json: list_courses'],
  ['docs/compatibility/events/school.course.v1.json', '"published"', '"vanished"', 'events/school.course.v1.json'],
  [
    'docs/compatibility/commands.json',
    '"school.review.post.v1":',
    '"school.review.posted.v1":',
    'commands.json: school.review.posted.v1: was removed',
  ],
  [
    'docs/compatibility/consumers.json',
    '"school.post.*.v1",',
    '',
    'consumers.json: SCHOOL/admin-api-changes: receives school.post.*.v1 now',
  ],
])('reports a breaking change of %s before v0.1.0, and refuses it from then on', (file, from, to, place) => {
  repository('0.1.0-dev', file, from, to);
  const before = release();
  expect([before.status, before.output]).toEqual([0, expect.stringContaining(`- ${place}`)]);
  expect(git('status', '--porcelain')).toContain('docs/compatibility');

  repository('0.1.0', file, from, to);
  const after = release();
  expect([after.status, after.output]).toEqual([1, expect.stringContaining(`- ${place}`)]);
  expect(git('status', '--porcelain')).toBe('');
});

it('refuses a working tree with changes', () => {
  repository('0.1.0');
  writeFileSync(join(directory, 'note.txt'), '');
  expect(release()).toEqual({ status: 1, output: expect.stringContaining('note.txt') });
});

it.each([
  ['## 0.1.0\n', 'no section "## 0.2.0"'],
  ['## 0.2.01\n\n- One change.\n', 'no section "## 0.2.0"'],
  ['## 0.2.0\n\n## 0.1.0\n\n- One tool.\n', 'no section "## 0.2.0"'],
  ['## Unreleased\n\n- One change.\n', 'Name the section "## 0.2.0"'],
  ['## Unreleased\n\n- One more change.\n\n## 0.2.0\n\n- One change.\n', 'Name the section "## 0.2.0"'],
])(
  'refuses a version whose changes have no section of their own in the changelog, and writes nothing',
  (text, fault) => {
    repository('0.2.0');
    writeFileSync(join(directory, 'CHANGELOG.md'), `# Changelog\n\n${text}`);
    commit();
    expect(release()).toEqual({ status: 1, output: expect.stringContaining(fault) });
    expect(git('status', '--porcelain')).toBe('');
  },
);

it('releases a version beside an empty section for the changes to come', () => {
  repository('0.2.0', 'CHANGELOG.md', '## 0.1.0', '## Unreleased\n\n## 0.2.0\n\n- One change.\n\n## 0.1.0');
  expect(release()).toEqual({ status: 0, output: expect.stringContaining('run this again to tag v0.2.0') });
});

it('tags the commit of the baseline with the section of the changelog, once', () => {
  repository('0.1.0');
  expect(release()).toEqual({ status: 0, output: expect.stringContaining('run this again to tag v0.1.0') });
  commit();
  const steps = `Next:
1. Push the tag: git push origin v0.1.0
2. Make the images with their SBOMs from the tag: docker/build --tag 0.1.0 --output <folder>
3. Begin the next version: npm version 0.2.0-dev --no-git-tag-version. Add the section "## Unreleased" to CHANGELOG.md, and commit both.
`;
  expect(release()).toEqual({ status: 0, output: `v0.1.0 is HEAD.\n${steps}` });
  expect(git('tag', '--list', 'v0.1.0', '--format=%(contents)').trim()).toBe(
    'Lyceum 0.1.0\n\n### Tools\n\n- One tool.',
  );
  expect(git('rev-parse', 'v0.1.0^{commit}')).toBe(git('rev-parse', 'HEAD'));
  expect(release()).toEqual({ status: 0, output: `v0.1.0 is HEAD already.\n${steps}` });
  commit();
  expect(release()).toEqual({ status: 1, output: expect.stringContaining('v0.1.0 is another commit') });
});

it('names the changes of the working tree: in the section of its version, or until then as unreleased', () => {
  const read = (file: string): string => readFileSync(join(root, file), 'utf8');
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const [latest = '', ...others] = Array.from(read('CHANGELOG.md').matchAll(/^## (.+)$/gm), ([, name]) => name);
  const released = others.includes(version) || latest === version;
  expect([version, latest === 'Unreleased' || released]).toEqual([version, true]);
  // The lockfile has the version too: npm ci would not refuse another one.
  const lock = JSON.parse(read('package-lock.json')) as { version: string; packages: { '': { version: string } } };
  expect([lock.version, lock.packages[''].version]).toEqual([version, version]);
});

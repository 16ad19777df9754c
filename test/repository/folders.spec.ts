import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const MOST = 25;

/** Folders that are still to be divided. */
const LARGER = [
  'apps/admin-api/src/imports',
  'apps/auth/src/admin-area',
  'libs/contracts/src/school',
  'libs/testing/src',
];

/** Folders of production code with more files than `MOST`. */
function largeFolders(files: readonly string[]): readonly string[] {
  const sources = files.filter(
    (file) => /^(?:apps|libs)\/[^/]+\/src\/.+\.ts$/.test(file) && !file.endsWith('.spec.ts'),
  );
  const folders = Map.groupBy(sources, (file) => file.slice(0, file.lastIndexOf('/')));
  return [...folders].flatMap(([folder, inside]) => (inside.length > MOST ? [folder] : [])).sort();
}

it(`keeps a folder of production code at ${MOST} files`, () => {
  const root = join(__dirname, '../..');
  const tracked = execFileSync('git', ['ls-files', 'apps', 'libs'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  expect(tracked.length).toBeGreaterThan(2_000);
  expect(largeFolders(tracked)).toEqual(LARGER);
});

it(`finds a folder with ${MOST + 1} files, and counts neither specs nor other folders`, () => {
  const files = Array.from({ length: MOST }, (_, index) => `libs/one/src/room/file-${index}.ts`);
  const others = ['libs/one/src/room/a.spec.ts', 'libs/one/src/room/below/b.ts', 'libs/one/test/c.ts'];
  expect(largeFolders([...files, ...others])).toEqual([]);
  expect(largeFolders([...files, 'libs/one/src/room/more.ts'])).toEqual(['libs/one/src/room']);
});

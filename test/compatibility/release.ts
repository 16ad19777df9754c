/** `npm run release`: makes the surfaces of the working tree the baseline that the compatibility gates compare with. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { breakingChanges, currentSurfaces, readBaseline, refusesBreaking, writeBaseline } from './surfaces.ts';

const root = process.argv[2] ?? join(import.meta.dirname, '../..');
const changed = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
if (changed !== '') fail(`The working tree has changes. Commit or remove them first:\n${changed}`);

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const changelog = join(root, 'CHANGELOG.md');
const [core = ''] = version.split('-', 1);
if (!existsSync(changelog) || !readFileSync(changelog, 'utf8').split('\n').includes(`## ${core}`)) {
  fail(
    `CHANGELOG.md has no section "## ${core}". Write for callers and operators what ${core} changes, and commit it.`,
  );
}
const surfaces = currentSurfaces(root);
// The first release has no baseline to compare with. Later ones have it in full: git keeps it.
const baseline = existsSync(join(root, 'docs/compatibility/version.json')) ? readBaseline(root) : undefined;
const changes = baseline === undefined ? [] : breakingChanges(baseline.surfaces, surfaces);
if (changes.length > 0) process.stdout.write(`Breaking changes:\n${changes.map((line) => `- ${line}\n`).join('')}`);
if (baseline !== undefined && changes.length > 0 && refusesBreaking(version, baseline.version)) {
  fail(`${version} cannot break ${baseline.version}. Raise the major version, or undo the changes.`);
}
writeBaseline(root, { version, surfaces });
process.stdout.write(`docs/compatibility is the baseline of ${version} now. Commit it and tag v${version}.\n`);

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

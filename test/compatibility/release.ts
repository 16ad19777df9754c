/**
 * `npm run release`: makes the surfaces of the working tree the baseline that the compatibility gates compare with.
 * When the committed baseline is that of this version already, it tags HEAD with the section of the changelog, and says
 * what follows.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { breakingChanges, currentSurfaces, readBaseline, refusesBreaking, writeBaseline } from './surfaces.ts';

const root = process.argv[2] ?? join(import.meta.dirname, '../..');
const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
const changed = git('status', '--porcelain');
if (changed !== '') fail(`The working tree has changes. Commit or remove them first:\n${changed}`);

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const [core = ''] = version.split('-', 1);
const notes = sectionOf(core);
if (sectionOf('Unreleased'))
  fail(`CHANGELOG.md has changes in "## Unreleased". Name the section "## ${core}", and commit it.`);
if (!notes) {
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
const tag = `v${version}`;
if (git('status', '--porcelain') !== '') {
  process.stdout.write(
    `docs/compatibility is the baseline of ${version} now. Commit it, and run this again to tag ${tag}.\n`,
  );
} else if (git('tag', '--list', tag) === '') {
  git('tag', '--annotate', tag, '--cleanup=verbatim', '--message', `Lyceum ${version}\n\n${notes}`);
  process.stdout.write(`${tag} is HEAD.\n${nextSteps()}`);
} else if (git('rev-parse', `${tag}^{commit}`) !== git('rev-parse', 'HEAD')) {
  fail(`${tag} is another commit. Raise the version in package.json.`);
} else {
  process.stdout.write(`${tag} is HEAD already.\n${nextSteps()}`);
}

/** The work after the tag: the images from it, then the version that the next commits belong to. */
function nextSteps(): string {
  const [major = 0, minor = 0] = core.split('.').map(Number);
  return [
    'Next:',
    `1. Push the tag: git push origin ${tag}`,
    `2. Make the images with their SBOMs from the tag: docker/build --tag ${version} --output <folder>`,
    `3. Begin the next version: npm version ${major}.${minor + 1}.0-dev --no-git-tag-version. Add the section ` +
      '"## Unreleased" to CHANGELOG.md, and commit both.',
    '',
  ].join('\n');
}

/** The text of a version in the changelog. Undefined without its heading. */
function sectionOf(released: string): string | undefined {
  const file = join(root, 'CHANGELOG.md');
  const [, ...sections] = (existsSync(file) ? readFileSync(file, 'utf8') : '').split(/^## /m);
  const heading = `${released}\n`;
  return sections
    .find((section) => section.startsWith(heading))
    ?.slice(heading.length)
    .trim();
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

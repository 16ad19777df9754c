/**
 * `node docker/assemble.mjs <target> <package>…`: copies packages of this workspace, and the packages that they depend
 * on in production, to the target. There `npm ci` installs the rest from the same lockfile. The first package is the
 * service: `app` is a link to it.
 *
 * `npm ci --omit=dev --workspace` is not enough: it also installs the development dependencies of a service that are
 * production dependencies of another package, so a wrong declaration would not be noticed.
 */
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** Members of a manifest that Node and npm read in production. */
const MEMBERS = ['name', 'version', 'private', 'type', 'imports', 'exports', 'dependencies', 'optionalDependencies'];
/** The content of a package that has no `files`. */
const BUILT = ['dist'];

const [target, ...roots] = process.argv.slice(2);
if (target === undefined || roots.length === 0) fail('usage: node docker/assemble.mjs <target> <package>…');
if (existsSync(target) && readdirSync(target).length > 0) fail(`${target} is not empty`);

const root = manifestOf('.');
const lockfile = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const directories = globSync(root.workspaces.map((pattern) => `${pattern}/package.json`)).map(dirname);
const workspace = new Map(directories.map((directory) => [manifestOf(directory).name, directory]));
const needed = [...new Set(roots.flatMap((name) => [name, ...dependenciesOf(name)]))].map((name) =>
  workspace.get(name),
);
const [app] = needed;

for (const directory of needed) copy(directory);
writeJson('package.json', {
  name: roots[0].replace('@', '').replace('/', '-'),
  version: root.version,
  private: true,
  workspaces: needed,
  overrides: productionOverrides(),
});
cpSync('package-lock.json', join(target, 'package-lock.json'));
symlinkSync(app, join(target, 'app'));

/** Names of packages of the workspace, also of those that others need. */
function dependenciesOf(name, seen = new Set()) {
  const directory = workspace.get(name) ?? fail(`the workspace has no package ${name}`);
  const { dependencies, optionalDependencies } = manifestOf(directory);
  for (const needs of Object.keys({ ...dependencies, ...optionalDependencies })) {
    if ((!workspace.has(needs) && !isLinked(needs)) || seen.has(needs)) continue;
    seen.add(needs);
    dependenciesOf(needs, seen);
  }
  return seen;
}

/** True for a package of the workspace, also when the build has left it out. */
function isLinked(name) {
  return lockfile.packages[`node_modules/${name}`]?.link === true;
}

function copy(directory) {
  const manifest = manifestOf(directory);
  for (const file of manifest.files ?? BUILT) {
    const from = join(directory, file);
    if (!existsSync(from)) fail(`${from} is missing: is ${manifest.name} built?`);
    cpSync(from, join(target, from), { recursive: true });
  }
  writeJson(join(directory, 'package.json'), Object.fromEntries(MEMBERS.map((member) => [member, manifest[member]])));
}

/** An override that refers to a development dependency of the root (`$typescript`) has no meaning here. */
function productionOverrides() {
  const entries = Object.entries(root.overrides ?? {});
  return Object.fromEntries(entries.filter(([, override]) => !JSON.stringify(override).includes('"$')));
}

function manifestOf(directory) {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
}

function writeJson(file, content) {
  const path = join(target, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`);
}

function fail(message) {
  process.stderr.write(`assemble: ${message}\n`);
  process.exit(1);
}

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.mjs';

/** The script of a package that is TypeScript alone. */
const SWC = 'swc src -d dist --strip-leading-paths --config-file ../../.swcrc';

/** @typedef {{ name: string, directory: string, script: string, hash: string }} Package */

/**
 * Packages whose `dist` is older than their `src`. Compares the contents with the hash of the last build: reading a few
 * hundred small files is faster than starting Nx.
 * @returns {Package[]}
 */
export function stalePackages(root) {
  const built = noted(root);
  return buildable(root).filter(
    ({ name, directory, hash }) => built[name] !== hash || !existsSync(join(root, directory, 'dist')),
  );
}

/**
 * Packages whose documents are older than the sources that they are made from. The script `documents` of a package
 * writes what describes its public surface, from the built code (ADR 150).
 * @returns {Package[]}
 */
export function staleDocuments(root) {
  const built = noted(root);
  const hashes = new Map(buildable(root).map(({ name, hash }) => [name, hash]));
  const lockfile = join(root, 'package-lock.json');
  return workspacePackages(root).flatMap(({ directory, manifest: { name, scripts = {}, nx } }) => {
    const script = scripts.documents;
    if (!script) return [];
    const hash = createHash('sha256').update(script);
    // Another version of a library can write another document.
    if (existsSync(lockfile)) hash.update(readFileSync(lockfile));
    for (const used of [...usedPackages(root, name).keys()].sort()) hash.update(`\0${used}\0${hashes.get(used)}`);
    const stale = { name: `${name}:documents`, directory, script, hash: hash.digest('hex') };
    const files = nx.targets.documents.outputs.map((output) => output.replace('{workspaceRoot}', root));
    return built[stale.name] === stale.hash && files.every((file) => existsSync(file)) ? [] : [stale];
  });
}

/** Builds through Nx: dependencies first, unchanged packages and documents from the cache. */
export async function build(root, packages, documents = []) {
  const names = [...packages, ...documents].map(({ name }) => name.replace(':documents', '')).join(',');
  const targets = documents.length > 0 ? ['build', 'documents'] : ['build'];
  const nx = join(root, 'node_modules/nx/dist/bin/nx.js');
  await run(node(root), [nx, 'run-many', '-t', ...targets, '-p', names, '--output-style=static'], {
    cwd: root,
    env: { ...withPath(root), NX_DAEMON: 'false', NX_TUI: 'false', NX_ISOLATE_PLUGINS: 'false' },
  });
  note(root, [...packages, ...documents]);
}

/** The same without Nx, whose start takes seconds. No build reads the output of another one; the documents do. */
export async function compileAll(root, packages, documents = []) {
  const plain = packages.filter(({ script }) => script === SWC);
  const others = packages.filter(({ script }) => script !== SWC);
  await Promise.all([compileTogether(root, plain), ...others.map((one) => compile(root, one))]);
  await Promise.all(documents.map((one) => compile(root, one)));
}

async function compileTogether(root, packages) {
  if (packages.length === 0) return;
  const folders = packages.map(({ directory }) => join(root, directory));
  await run(node(root), [fileURLToPath(new URL('./compile.mjs', import.meta.url)), ...folders], {
    cwd: root,
    env: withPath(root),
  });
  note(root, packages);
}

/** Runs the script `build` or `documents` of one package, as Nx would. */
export async function compile(root, { name, directory, script, hash }) {
  const [program = '', ...args] = script.split(' ');
  await run(join(root, 'node_modules/.bin', program), args, { cwd: join(root, directory), env: withPath(root) });
  note(root, [{ name, hash }]);
}

/**
 * Builds before a suite that was started by hand, without the start time of Nx. Below Nx the build is already done.
 */
export async function buildForSuite(root) {
  if (process.env.NX_TASK_TARGET_PROJECT) return;
  for (const stale of staleForSuite(root)) {
    // A package that does not compile must not stop the suites of the others: its own suite reports the error.
    await compile(root, stale).catch((error) => process.stderr.write(`${error.message}\n`));
  }
}

/**
 * Returns the builds that a suite needs that was started by hand in the folder of its package: all packages, and the
 * documents of its own package and of those that it names in `implicitDependencies`.
 */
export function staleForSuite(root) {
  const { name, nx } = JSON.parse(readFileSync('package.json', 'utf8'));
  const started = [name, ...(nx?.implicitDependencies ?? [])].map((used) => `${used}:documents`);
  return [...stalePackages(root), ...staleDocuments(root).filter((stale) => started.includes(stale.name))];
}

/** The program of Node 24, independent of the Node that runs this script. */
export function node(root) {
  return join(root, 'node_modules/.bin/node');
}

export function withPath(root) {
  return { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` };
}

/** The directories and manifests of all packages. */
export function workspacePackages(root) {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const directories = workspaces.flatMap((pattern) =>
    pattern.endsWith('/*')
      ? readdirSync(join(root, dirname(pattern))).map((name) => join(dirname(pattern), name))
      : [pattern],
  );
  return directories.flatMap((directory) => {
    const file = join(root, directory, 'package.json');
    return existsSync(file) ? [{ directory, manifest: JSON.parse(readFileSync(file, 'utf8')) }] : [];
  });
}

/**
 * Directories by name: the package and what it depends on, however far away.
 * @returns {Map<string, string>}
 */
export function usedPackages(root, name) {
  const all = new Map(workspacePackages(root).map((one) => [one.manifest.name, one]));
  const used = new Map();
  const add = (wanted) => {
    const found = all.get(wanted);
    if (found === undefined || used.has(wanted)) return;
    used.set(wanted, found.directory);
    for (const dependency of Object.keys(found.manifest.dependencies ?? {})) add(dependency);
  };
  add(name);
  if (used.size === 0) throw new Error(`${name} is not a package of this repository`);
  return used;
}

function buildable(root) {
  return workspacePackages(root).flatMap(({ directory, manifest: { name, scripts = {}, nx } }) => {
    if (!scripts.build || !existsSync(join(root, directory, 'src'))) return [];
    const hash = hashOf(root, [join(directory, 'src'), ...documentsOf(nx)], scripts.build);
    return [{ name, directory, script: scripts.build, hash }];
  });
}

/** Folders of `docs` that a package names as inputs of its build. */
function documentsOf(nx) {
  const inputs = nx?.targets?.build?.inputs ?? [];
  return inputs.flatMap((input) => /^\{workspaceRoot\}\/(docs\/[\w/]+)\/\*\*\/\*$/.exec(input)?.[1] ?? []);
}

function hashOf(root, directories, script) {
  const hash = createHash('sha256')
    .update(script)
    .update(readFileSync(join(root, '.swcrc')));
  const entries = directories.flatMap((directory) =>
    readdirSync(join(root, directory), { recursive: true, withFileTypes: true }).sort(byPath),
  );
  for (const entry of entries) {
    if (!entry.isFile() || entry.name.endsWith('.spec.ts')) continue;
    const file = join(pathOf(entry), entry.name);
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

/** `parentPath` came with Node 20.12. */
function pathOf(entry) {
  return entry.parentPath ?? entry.path;
}

function byPath(a, b) {
  return join(pathOf(a), a.name) < join(pathOf(b), b.name) ? -1 : 1;
}

function accountOf(root) {
  return join(root, '.lyceum/build.json');
}

function noted(root) {
  const account = accountOf(root);
  return existsSync(account) ? JSON.parse(readFileSync(account, 'utf8')) : {};
}

function note(root, packages) {
  const account = accountOf(root);
  mkdirSync(dirname(account), { recursive: true });
  const all = { ...noted(root), ...Object.fromEntries(packages.map(({ name, hash }) => [name, hash])) };
  // Renamed into place: another command may be reading.
  writeFileSync(`${account}.${process.pid}`, JSON.stringify(all, null, 2));
  renameSync(`${account}.${process.pid}`, account);
}

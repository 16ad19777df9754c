import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.mjs';

/** The script of a package that is TypeScript alone. */
const SWC = 'swc src -d dist --strip-leading-paths --config-file ../../.swcrc';

/** The program that makes bundles, and its parts. */
const BUNDLERS = ['docker/bundle.mjs', 'docker/bundle-map.mjs'];
/** Made by it when it bundles several services. */
const SHARED_PARTS = 'dist/bundle/parts';

/** @typedef {{ name: string, directory: string, script: string, hash: string }} Package */

/**
 * Packages whose `dist` is older than their `src`. Compares the contents with the hash of the last build: reading a few
 * hundred small files is faster than starting Nx.
 * @returns {Package[]}
 */
export function stalePackages(root, packages = buildable(root)) {
  const built = noted(root);
  return packages.filter(
    ({ name, directory, hash }) => built[name] !== hash || !existsSync(join(root, directory, 'dist')),
  );
}

/** All that is stale. The contents of the sources are read once. */
export function staleParts(root) {
  const packages = buildable(root);
  return {
    packages: stalePackages(root, packages),
    documents: staleDocuments(root, packages),
    bundles: staleBundles(root, packages),
  };
}

/**
 * Packages whose documents are older than the sources that they are made from. The script `documents` of a package
 * writes what describes its public surface, from the built code (ADR 150).
 * @returns {Package[]}
 */
export function staleDocuments(root, packages = buildable(root)) {
  const built = noted(root);
  return results(root, packages, 'documents').filter(({ name, hash, manifest }) => {
    const files = manifest.nx.targets.documents.outputs.map((output) => output.replace('{workspaceRoot}', root));
    return built[name] !== hash || !files.every((file) => existsSync(file));
  });
}

/**
 * Services whose bundle is older than their sources or than the program that makes it (ADR 185).
 * @returns {Package[]}
 */
export function staleBundles(root, packages = buildable(root)) {
  const built = noted(root);
  return allBundles(root, packages).filter(
    ({ name, directory, hash }) => built[name] !== hash || !hasBundle(root, directory),
  );
}

/** False also when the parts that services share are missing. */
function hasBundle(root, directory) {
  const file = bundleOf(root, directory);
  if (!existsSync(file)) return false;
  return existsSync(join(root, SHARED_PARTS)) || !readFileSync(file, 'utf8').includes(SHARED_PARTS);
}

function allBundles(root, packages = buildable(root)) {
  return results(root, packages, 'bundle', BUNDLERS);
}

/** Deletes bundles of older sources. Their services then start from their modules. */
export function dropStaleBundles(root) {
  for (const { directory } of staleBundles(root)) rmSync(bundleOf(root, directory), { force: true });
}

function bundleOf(root, directory) {
  return join(root, directory, 'bundle/main.js');
}

/** Returns the files that the script writes, from the built code of a package and its dependencies. */
function results(root, packages, script, programs = []) {
  const hashes = new Map(packages.map(({ name, hash }) => [name, hash]));
  const read = ['package-lock.json', ...programs].map((file) => join(root, file)).filter((file) => existsSync(file));
  return workspacePackages(root).flatMap(({ directory, manifest }) => {
    const { name, scripts = {} } = manifest;
    const command = scripts[script];
    if (!command) return [];
    const hash = createHash('sha256').update(command);
    // Another version of a library leads to another result.
    for (const file of read) hash.update(readFileSync(file));
    for (const used of [...usedPackages(root, name).keys()].sort()) hash.update(`\0${used}\0${hashes.get(used)}`);
    return [{ name: `${name}:${script}`, directory, script: command, hash: hash.digest('hex'), manifest }];
  });
}

/** Deletes compiled files whose source is gone: an import of one would fail in a clean clone alone. */
function dropOrphans(root, packages) {
  for (const { directory, script } of packages) {
    const dist = join(root, directory, 'dist');
    if (script !== SWC || !existsSync(dist)) continue;
    for (const name of readdirSync(dist, { recursive: true })) {
      const source = /^(.+)\.js(?:\.map)?$/.exec(name);
      if (source && !existsSync(join(root, directory, 'src', `${source[1]}.ts`))) rmSync(join(dist, name));
    }
  }
}

/** Builds through Nx: dependencies first, unchanged packages, documents and bundles from the cache. */
export async function build(root, packages, documents = [], bundles = []) {
  const names = [...packages, ...documents, ...bundles].map(({ name }) => name.replace(/:.*/, '')).join(',');
  const targets = ['build', ...(documents.length > 0 ? ['documents'] : []), ...(bundles.length > 0 ? ['bundle'] : [])];
  const nx = join(root, 'node_modules/nx/dist/bin/nx.js');
  dropOrphans(root, packages);
  await run(node(root), [nx, 'run-many', '-t', ...targets, '-p', names, '--output-style=static'], {
    cwd: root,
    env: { ...withPath(root), NX_DAEMON: 'false', NX_TUI: 'false', NX_ISOLATE_PLUGINS: 'false' },
  });
  note(root, [...packages, ...documents, ...bundles]);
}

/**
 * The same without Nx, whose start takes seconds. No build reads the output of another one; the documents and the
 * bundles do.
 */
export async function compileAll(root, packages, documents = [], bundles = []) {
  const plain = packages.filter(({ script }) => script === SWC);
  const others = packages.filter(({ script }) => script !== SWC);
  await Promise.all([compileTogether(root, plain), ...others.map((one) => compile(root, one))]);
  await Promise.all([...documents.map((one) => compile(root, one)), bundleTogether(root, bundles)]);
}

async function compileTogether(root, packages) {
  if (packages.length === 0) return;
  dropOrphans(root, packages);
  const folders = packages.map(({ directory }) => join(root, directory));
  await run(node(root), [fileURLToPath(new URL('./compile.mjs', import.meta.url)), ...folders], {
    cwd: root,
    env: withPath(root),
  });
  note(root, packages);
}

/** Services that are bundled together share parts, so more than one means all. */
async function bundleTogether(root, bundles) {
  if (bundles.length === 0) return;
  const due = bundles.length > 1 ? allBundles(root) : bundles;
  await run(node(root), [join(root, BUNDLERS[0]), ...due.map(({ directory }) => join(root, directory))], { cwd: root });
  note(root, due);
}

/** Runs the script `build`, `documents` or `bundle` of one package, as Nx would. */
export async function compile(root, { name, directory, script, hash }) {
  const [program = '', ...args] = script.split(' ');
  dropOrphans(root, [{ directory, script }]);
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
  dropStaleBundles(root);
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

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withPath } from './build.mjs';
import { run } from './run.mjs';
import { skippedServers } from './servers.mjs';
import { writeStartManifests } from './start-manifests.mjs';

const WITHOUT_NODE = 'Node 24 is missing';
const QUIET = ['--no-audit', '--no-fund'];
/** The lockfile names no addresses, so npm would ask the registry about each package that its cache knows. */
const FROM_CACHE = '--prefer-offline';
/** The error of npm when the cached list of versions is older than the lockfile. */
const OLD_CACHE = 'ETARGET';

/**
 * `start`: the packages that `npm start` builds with and runs, a third of all. `all`: those of tests and checks too.
 * @typedef {'start' | 'all'} Extent
 */
const OPTION = { start: '--omit=dev', all: '--include=dev' };

/**
 * The reason why the installed packages differ from the lockfile, or undefined when they match: the last install used
 * this lockfile, or npm's own list of installed packages (`node_modules/.package-lock.json`) has the same entries.
 * @param {Extent} extent
 */
export function installFault(root, extent = 'all') {
  const [skipped] = skippedServers(root);
  return packagesFault(root, extent) ?? (skipped && `${skipped} is missing`);
}

function packagesFault(root, extent) {
  // The package `node` downloads the program in its install script, which the npm configuration may block.
  if (!existsSync(join(root, 'node_modules/.bin/node'))) return WITHOUT_NODE;
  const covering = [stampFor(root, 'all'), stampFor(root, extent)];
  return covering.includes(stampIn(root)) ? undefined : differingPackage(root, extent);
}

function differingPackage(root, extent) {
  const account = accountOf(root);
  if (!existsSync(account)) return 'no packages are installed';
  const wanted = packages(join(root, 'package-lock.json'));
  const installed = packages(account);
  for (const [path, entry] of Object.entries(wanted)) {
    if (!path.includes('node_modules/') || (extent === 'start' && entry.dev)) continue;
    const found = installed[path];
    // An optional package may be one for another platform.
    if (!found && (entry.optional || entry.devOptional)) continue;
    if (!found) return `${path} is missing`;
    if (found.version !== entry.version || found.integrity !== entry.integrity) return `${path} is another version`;
  }
  return undefined;
}

/**
 * `npm ci`, with the Node and npm that run this script. npm leaves out optional packages that ask for a newer Node, so
 * the Node 24 that it installed completes the servers.
 * @param {Extent} extent
 */
export async function install(root, extent = 'all') {
  const npm = process.env.npm_execpath;
  const run24 = join(root, 'node_modules/.bin/node');
  const npmWith = (node) => (npm ? [node, npm] : ['npm']);
  if (packagesFault(root, extent)) {
    const words = npmWith(process.execPath);
    if (extent !== 'start' || !(await installStart(root, words))) await cleanInstall(root, words, extent);
  }
  if (!existsSync(run24))
    throw new Error(`${WITHOUT_NODE} after npm ci: are install scripts blocked (see allowScripts in package.json)?`);
  if (skippedServers(root).length > 0) {
    const [program, ...words] = npmWith(run24);
    await run(program, [...words, 'install', '--no-save', OPTION[extent], ...QUIET], {
      cwd: root,
      env: withPath(root),
    });
  }
  writeFileSync(stampOf(root), stampFor(root, extent));
  const fault = installFault(root, extent);
  if (fault) throw new Error(`npm ci ended well, but ${fault}.`);
}

function cleanInstall(root, [command, ...words], extent) {
  const ci = [...words, 'ci', OPTION[extent], ...QUIET];
  return run(command, [...ci, FROM_CACHE], { cwd: root }).catch((error) => {
    if (!error.message.includes(OLD_CACHE)) throw error;
    return run(command, ci, { cwd: root });
  });
}

/**
 * Installs what a start needs beside the repository, and moves it there. Returns false when that fails: a registry may
 * have other addresses, for example. The installation of the whole lockfile then decides, and names what is wrong.
 */
async function installStart(root, [command, ...words]) {
  const target = join(root, '.lyceum/install');
  try {
    rmSync(target, { recursive: true, force: true });
    const printed = await run(command, [...words, 'config', 'get', 'registry'], { cwd: root });
    const [registry] = /^https?:\S+?(?=\/?$)/m.exec(printed);
    const folders = writeStartManifests(root, target, registry);
    await run(command, [...words, 'ci', OPTION.start, ...QUIET, FROM_CACHE], { cwd: target });
    for (const folder of ['', ...folders]) {
      const [from, to] = [target, root].map((one) => join(one, folder, 'node_modules'));
      rmSync(to, { recursive: true, force: true });
      if (existsSync(from)) renameSync(from, to);
    }
    return true;
  } catch {
    return false;
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}

function stampOf(root) {
  return join(root, 'node_modules/.lyceum-lockfile');
}

function stampIn(root) {
  return existsSync(stampOf(root)) ? readFileSync(stampOf(root), 'utf8') : undefined;
}

/** Covers the lockfile and npm's list of installed packages, which another install may have changed meanwhile. */
function stampFor(root, extent) {
  const hash = createHash('sha256')
    .update(extent)
    .update(readFileSync(join(root, 'package-lock.json')));
  const account = accountOf(root);
  return hash.update(existsSync(account) ? readFileSync(account) : '').digest('hex');
}

function accountOf(root) {
  return join(root, 'node_modules/.package-lock.json');
}

function packages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

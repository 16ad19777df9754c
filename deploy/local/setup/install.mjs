import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';

/**
 * The reason why the installed packages differ from the lockfile, or undefined when they match: the last install used this
 * lockfile, or npm's own list of installed packages (`node_modules/.package-lock.json`) has the same entries.
 */
export function installFault(root) {
  // The package `node` downloads the program in its install script, which the npm configuration may block.
  if (!existsSync(join(root, 'node_modules/.bin/node'))) return 'Node 24 is missing';
  return installedFrom(root) === lockfilesOf(root) ? undefined : differingPackage(root);
}

function differingPackage(root) {
  const account = accountOf(root);
  if (!existsSync(account)) return 'no packages are installed';
  const wanted = packages(join(root, 'package-lock.json'));
  const installed = packages(account);
  for (const [path, entry] of Object.entries(wanted)) {
    if (!path.includes('node_modules/')) continue;
    const found = installed[path];
    // An optional package may be one for another platform.
    if (!found && (entry.optional || entry.devOptional)) continue;
    if (!found) return `${path} is missing`;
    if (found.version !== entry.version || found.integrity !== entry.integrity) return `${path} is another version`;
  }
  return undefined;
}

/** `npm ci`, with the npm that runs this script. */
export async function install(root) {
  const npm = process.env.npm_execpath;
  const [command, ...args] = npm ? [process.execPath, npm] : ['npm'];
  await run(command, [...args, 'ci', '--include=dev', '--no-audit', '--no-fund'], { cwd: root });
  writeFileSync(stampOf(root), lockfilesOf(root));
  const fault = installFault(root);
  if (fault)
    throw new Error(`npm ci ended well, but ${fault}. Are install scripts blocked? (see allowScripts in package.json)`);
}

function stampOf(root) {
  return join(root, 'node_modules/.lyceum-lockfile');
}

function installedFrom(root) {
  return existsSync(stampOf(root)) ? readFileSync(stampOf(root), 'utf8') : undefined;
}

/** Covers the lockfile and npm's list of installed packages, which another install may have changed meanwhile. */
function lockfilesOf(root) {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  const account = accountOf(root);
  return hash.update(existsSync(account) ? readFileSync(account) : '').digest('hex');
}

function accountOf(root) {
  return join(root, 'node_modules/.package-lock.json');
}

function packages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';

/**
 * Why the installed packages are not those of the lockfile, or undefined when they are: we have installed from this very
 * lockfile, or npm's own account of what it installed (`node_modules/.package-lock.json`) names the same, for every user.
 */
export function installFault(root) {
  // The package `node` fetches the program in its install script, which npm may have been told to block.
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

/** `npm ci`, with the npm that runs us. */
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

/** Of what was asked for and of npm's account of what is there: somebody may have installed in between. */
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

/**
 * The part of the manifests and of the lockfile that `npm start` needs, in a folder of its own (ADR 196). npm reads all
 * 2,800 entries of a lockfile several times, and installs packages of tests that are optional peers of others.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { workspacePackages } from './build.mjs';

/** Members that npm reads of a package of the workspace. */
const MEMBERS = ['name', 'version', 'dependencies', 'optionalDependencies'];

/** The entry that a package finds by a name: below its own folder, or below one above. */
function find(packages, from, name) {
  for (let folder = from; ; folder = folderAbove(folder)) {
    const path = `${folder}${folder && '/'}node_modules/${name}`;
    if (packages[path]) return path;
    if (folder === '') return undefined;
  }
}

/** The folder whose `node_modules` comes next: of a package within another one, or of the folders of the repository. */
function folderAbove(folder) {
  const end = folder.includes('node_modules/') ? folder.lastIndexOf('node_modules/') - 1 : folder.lastIndexOf('/');
  return folder.slice(0, Math.max(0, end));
}

/** The names that a package needs. A peer that it can do without is left out. */
function needs({ dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} }) {
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** The paths of all entries that the given ones need. */
function neededEntries(packages, roots) {
  const needed = new Set();
  const add = (path) => {
    if (path === undefined || needed.has(path)) return;
    needed.add(path);
    const { link, resolved } = packages[path];
    if (link) add(resolved);
    else for (const name of needs(packages[path])) add(find(packages, path, name));
  };
  roots.forEach(add);
  return needed;
}

/**
 * An entry with the address of its package: npm then takes it from its cache without reading the versions of the
 * package first. `integrity` decides about the content. Without `engines`, because the Node that runs npm may be older
 * than the one that it installs, which runs the packages.
 */
function entryOf(path, entry, registry) {
  const own = { ...entry, engines: undefined };
  if (entry.integrity === undefined || entry.resolved !== undefined) return own;
  const name = entry.name ?? path.split('node_modules/').at(-1);
  return { ...own, resolved: `${registry}/${name}/-/${name.split('/').at(-1)}-${entry.version}.tgz` };
}

/**
 * Writes manifests without development dependencies, and their lockfile. Packages that are not built have no
 * dependencies in it. Returns the folders of packages.
 */
export function writeStartManifests(root, target, registry) {
  const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const write = (file, content) => {
    mkdirSync(dirname(join(target, file)), { recursive: true });
    writeFileSync(join(target, file), JSON.stringify(content));
  };
  const { name, version, dependencies, workspaces, overrides, allowScripts } = read('package.json');
  const { packages: all, ...lock } = read('package-lock.json');
  const own = workspacePackages(root).map(({ directory, manifest }) => {
    const built = manifest.scripts?.build !== undefined;
    const members = MEMBERS.filter((member) => built || !member.endsWith('ependencies'));
    return [directory, Object.fromEntries(members.map((member) => [member, manifest[member]]))];
  });
  const first = { name, version, workspaces, dependencies };
  const packages = { ...all, '': first, ...Object.fromEntries(own) };
  const links = Object.keys(all).filter((path) => all[path].link);
  const kept = neededEntries(packages, ['', ...links]);
  const entries = Object.keys(packages).filter((path) => kept.has(path));
  const isThere = (package_) => entries.some((path) => path.endsWith(`node_modules/${package_}`));
  write('package.json', {
    ...first,
    private: true,
    overrides: overridesWithoutReferences(overrides),
    allowScripts: Object.fromEntries(Object.entries(allowScripts ?? {}).filter(([package_]) => isThere(package_))),
  });
  for (const [directory, manifest] of own) write(join(directory, 'package.json'), manifest);
  write('package-lock.json', {
    ...lock,
    packages: Object.fromEntries(entries.map((path) => [path, entryOf(path, packages[path], registry)])),
  });
  if (existsSync(join(root, '.npmrc'))) copyFileSync(join(root, '.npmrc'), join(target, '.npmrc'));
  return own.map(([directory]) => directory);
}

/** An override that refers to a development dependency (`$typescript`) has no meaning here. */
function overridesWithoutReferences(overrides = {}) {
  return Object.fromEntries(
    Object.entries(overrides).filter(([, override]) => !JSON.stringify(override).includes('"$')),
  );
}

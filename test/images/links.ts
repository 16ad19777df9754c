import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Copies the content of a folder by hard links, without the entries of these names directly in it. */
export function link(origin: string, destination: string, without: readonly string[] = []): void {
  mkdirSync(destination, { recursive: true });
  for (const entry of readdirSync(origin, { withFileTypes: true })) {
    if (without.includes(entry.name)) continue;
    const [from, to] = [join(origin, entry.name), join(destination, entry.name)];
    if (entry.isDirectory()) link(from, to);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
    else linkSync(from, to);
  }
}

/** The files of a folder and of those below it, relative to the folder. */
export function filesBelow(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => lstatSync(join(folder, file)).isFile());
}

/** An entry of a lockfile. */
interface Entry {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
}

const packagesOf = (file: string): Readonly<Record<string, Entry>> =>
  (JSON.parse(readFileSync(file, 'utf8')) as { packages: Readonly<Record<string, Entry>> }).packages;

/** The list of installed packages that npm writes, and `npm sbom` reads. */
const ACCOUNT = 'node_modules/.package-lock.json';

/**
 * Installs in a folder the packages that `npm ci --dry-run --loglevel=silly` has named there: links to those of the
 * repository, which npm has installed from the same lockfile.
 */
export function linkPackages(log: string, repository: string, folder: string): void {
  const locations = [...log.matchAll(/^npm silly ADD (\S*node_modules\/\S+)$/gm)].map(([, location = '']) => location);
  if (locations.length === 0) throw new Error(`npm names no packages:\n${log.slice(-2_000)}`);
  const wanted = packagesOf(join(folder, 'package-lock.json'));
  const installed = packagesOf(join(repository, ACCOUNT));
  // A package comes before those in its folder.
  const packages = locations.toSorted().flatMap((location): [string, Entry][] => {
    const entry = wanted[location];
    if (entry === undefined) throw new Error(`The lockfile has no ${location}`);
    const [from, to] = [join(repository, location), join(folder, location)];
    // For another platform.
    if (entry.optional === true && !existsSync(from)) return [];
    mkdirSync(dirname(to), { recursive: true });
    if (entry.link === true) symlinkSync(relative(dirname(to), join(folder, entry.resolved ?? '')), to);
    else if (entry.integrity !== installed[location]?.integrity) throw new Error(`${location} is another version`);
    else link(from, to, ['node_modules']);
    return [[location, entry]];
  });
  writeFileSync(join(folder, ACCOUNT), JSON.stringify({ lockfileVersion: 3, packages: Object.fromEntries(packages) }));
}

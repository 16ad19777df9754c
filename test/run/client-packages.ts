interface LockedPackage {
  /** The name of an alias, where it differs from the path. */
  readonly name?: string;
  readonly version?: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export interface Lockfile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/** The workspace of the system suites in the lockfile. */
const WORKSPACE = 'test';

/**
 * The packages that the texts name, or whose commands they name, with all packages that these need: one
 * `<path> <name> <version>` each, sorted.
 */
export function clientPackages({ packages }: Lockfile, texts: string): string[] {
  const found = new Map<string, LockedPackage>();
  const add = (parent: string, name: string): void => {
    const path = pathOf(packages, parent, name);
    const locked = path === undefined ? undefined : packages[path];
    if (path === undefined || locked === undefined || found.has(path)) return;
    found.set(path, locked);
    const { dependencies, optionalDependencies, peerDependencies } = locked;
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
      add(path, needed);
  };
  const direct = [packages['']!, packages[WORKSPACE]!].flatMap(({ dependencies, devDependencies }) =>
    Object.keys({ ...dependencies, ...devDependencies }),
  );
  for (const name of direct) {
    const path = pathOf(packages, WORKSPACE, name);
    const commands = Object.keys((path === undefined ? undefined : packages[path]?.bin) ?? {});
    if ([name.replace(/^@types\//, ''), ...commands].some((word) => isNamed(word, texts))) add(WORKSPACE, name);
  }
  return [...found].map(([path, { name, version }]) => [path, name, version].filter(Boolean).join(' ')).toSorted();
}

/** In quotes, with or without a path in the package. */
function isNamed(word: string, texts: string): boolean {
  return ["'", '"', '`'].some(
    (quote) => texts.includes(`${quote}${word}${quote}`) || texts.includes(`${quote}${word}/`),
  );
}

/** The place where Node finds the package. Packages of the workspace have none: their suites run what they change. */
function pathOf(packages: Lockfile['packages'], parent: string, name: string): string | undefined {
  for (let directory = parent; ; directory = directory.slice(0, Math.max(directory.lastIndexOf('/node_modules/'), 0))) {
    const path = `${directory === '' ? '' : `${directory}/`}node_modules/${name}`;
    if (packages[path]?.version !== undefined) return path;
    if (directory === '') return undefined;
  }
}

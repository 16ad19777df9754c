import { SERVICES } from '@lyceum/contracts';
import { startInfrastructure, type Infrastructure } from '@lyceum/testing';
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { filesBelow } from './links.js';
import { hasDatabase, runBootstrap, runWord, startReady } from './service.js';
import { DOCKERFILE, ROOT, type Made, Workshop } from './workshop.js';

/** Above the base image. */
const MOST_BYTES = 70_000_000;

const directory = mkdtempSync(join(tmpdir(), 'lyceum-images-'));
const workshop = new Workshop(join(directory, 'stages'));
let servers: Awaited<ReturnType<typeof startInfrastructure>>;
let infrastructure: Pick<Infrastructure, 'nats' | 'environments'>;

beforeAll(async () => {
  // The commands of an image run one after the other. Those of several images run at one time.
  for (const service of SERVICES) workshop.make(service).catch(() => undefined);
  servers = await startInfrastructure({ auth: false });
  infrastructure = JSON.parse(readFileSync(servers.file, 'utf8')) as Infrastructure;
});
afterAll(async () => {
  await servers?.stop();
  rmSync(directory, { recursive: true });
});

/** True when a file can import the package. */
function isInstalled(name: string, file: string): boolean {
  try {
    return findPackageJSON(name, pathToFileURL(file)) !== undefined;
  } catch {
    return false;
  }
}

interface Bom {
  readonly metadata: { readonly component: { readonly name: string } };
  readonly components: readonly { readonly purl: string; readonly scope?: string }[];
}

describe.each(SERVICES)('the image of %s, installed without a container', (service) => {
  let image: Made;
  let files: readonly string[];
  beforeAll(async () => {
    image = await workshop.make(service);
    files = filesBelow(image.root);
    expect(files.length).toBeGreaterThan(1_000);
  });

  it('migrates, starts and is ready', async () => {
    const environment = infrastructure.environments[service];
    if (hasDatabase(service)) await runWord(image, environment, 'migrate');
    const { child, managementUrl } = await startReady(image, environment, join(directory, `${service}.log`));
    const response = await fetch(`${managementUrl}/readyz`);
    expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ ready: true })]);
    expect(await child.stop()).toEqual({ code: 0, signal: null });
  });

  it('runs the bootstrap step of NATS', async () => {
    expect(JSON.parse((await runBootstrap(image, infrastructure)).trim())).toEqual({ done: true, changes: 0 });
  });

  it('contains no tests and documents of packages, and keeps their licenses', () => {
    // Links lead from node_modules to the packages of the workspace, whose source maps stay.
    const ofPackages = files.filter((file) => /\/node_modules\/(?!@lyceum\/)/.test(file));
    const isLicense = (file: string): boolean => /(?:licen[cs]e[^/]*|\/(?:notice|copying)[^/]*)$/i.test(file);
    const unused = /\.(?:md|tsbuildinfo|map)$|\/node_modules\/.+\/test\//;
    expect(ofPackages.filter((file) => unused.test(file) && !isLicense(file))).toEqual([]);
    expect(ofPackages.filter(isLicense).length).toBeGreaterThan(50);
  });

  it('contains no tests, sources, build tools or other services', () => {
    const own = files.filter((file) => /^srv\/(?:apps|libs)\//.test(file) && !file.includes('node_modules/'));
    expect(own.length).toBeGreaterThan(100);
    expect(
      own.filter((file) => /\.spec\.[jt]s(?:\.map)?$|\.ts$|^srv\/[^/]+\/[^/]+\/(?:src|test)\//.test(file)),
    ).toEqual([]);
    expect(files.filter((file) => /\.[cm]?ts$/.test(file))).toEqual([]);
    expect(readdirSync(join(image.root, 'srv/apps'))).toEqual([service]);
    expect(readdirSync(join(image.root, 'srv')).toSorted()).toEqual(
      [
        'app',
        'apps',
        ...(service === 'admin-api' ? ['dist', 'docs'] : []),
        'libs',
        'node_modules',
        'package.json',
      ].toSorted(),
    );
    for (const tool of ['typescript', 'nx', '@swc/core', 'jest', '@lyceum/testing'])
      expect({ tool, installed: existsSync(join(image.root, 'srv/node_modules', tool)) }).toEqual({
        tool,
        installed: false,
      });
  });

  it('adds at most 70 MB to its base', () => {
    // Links lead to a file by several names.
    const stored = new Set(files.map((file) => realpathSync(join(image.root, file))));
    const bytes = [...stored].reduce((sum, file) => sum + lstatSync(file).size, 0);
    expect(bytes).toBeGreaterThan(20_000_000);
    expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
  });

  it('contains each module of its bundle once, except those of programs beside it', () => {
    const bundle = join(image.root, 'srv/apps', service, 'bundle');
    const maps = readdirSync(bundle).filter((name) => name.endsWith('.map'));
    const modules = maps.flatMap((name) => {
      const { sections } = JSON.parse(readFileSync(join(bundle, name), 'utf8')) as {
        sections: readonly { readonly map: { readonly sources: readonly string[] } }[];
      };
      return sections.flatMap(({ map }) => map.sources.map((source) => join(bundle, source)));
    });
    expect(modules.length).toBeGreaterThan(1_000);
    const entry = join(image.root, 'srv/apps', service, 'dist/main.js');
    expect(readFileSync(entry, 'utf8')).toBe("import '../bundle/main.js';\n");
    const left = modules.filter((file) => file.endsWith('.js') && file !== entry && existsSync(file));
    const bootstrap = /\/libs\/(?:contracts|topology)\/|\/node_modules\/(?:@nats-io|zod|tweetnacl)\//;
    // Packages of sharp, which has machine code.
    const native = /\/node_modules\/(?:@img|detect-libc|semver)\//;
    expect(left.filter((file) => bootstrap.test(file)).length).toBeGreaterThan(0);
    expect(left.filter((file) => !bootstrap.test(file) && !native.test(file))).toEqual([]);
  });

  it('contains the packages that it loads after its start, in its bundle or beside it', () => {
    const bundle = join(image.root, 'srv/apps', service, 'bundle');
    const parts = readdirSync(bundle).filter((name) => name.endsWith('.js'));
    const text = parts.map((name) => readFileSync(join(bundle, name), 'utf8')).join('\n');
    const maps = files.filter((file) => /\/dist\/.*\.js\.map$/.test(file) && !file.includes('node_modules/'));
    const names = maps.flatMap((file) => {
      // `srv/app` is a link to the service.
      const inImage = relative(realpathSync(join(image.root, 'srv')), realpathSync(join(image.root, file)));
      const built = readFileSync(join(ROOT, inImage.replace(/\.map$/, '')), 'utf8');
      return [...built.matchAll(/\bimport\('([^'.#][^']*)'\)/g)].map(([, name = '']) => name);
    });
    expect(names.length).toBeGreaterThan(0);
    const beside = names.filter((name) => text.includes(`import("${name}")`));
    expect(beside.filter((name) => !isInstalled(name, join(bundle, 'main.js')))).toEqual([]);
  });

  it('lists its packages as CycloneDX', async () => {
    const { root } = await workshop.make(service, 'sbom');
    const { metadata, components } = JSON.parse(readFileSync(join(root, 'bom.cdx.json'), 'utf8')) as Bom;
    expect(metadata.component.name).toBe(`lyceum-${service}`);
    const listed = new Set(components.map(({ purl }) => purl));
    const { packages } = JSON.parse(readFileSync(join(image.root, 'srv/node_modules/.package-lock.json'), 'utf8')) as {
      packages: Readonly<Record<string, { version: string; link?: boolean }>>;
    };
    const installed = Object.entries(packages)
      .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
      .map(([path, { version }]) => `pkg:npm/${path.split('node_modules/').at(-1)!.replace('@', '%40')}@${version}`);
    expect(installed.length).toBeGreaterThan(50);
    expect(installed.filter((purl) => !listed.has(purl))).toEqual([]);
  });
});

describe('a wrong recipe or declaration', () => {
  interface Manifest {
    readonly dependencies: Readonly<Record<string, string>>;
    readonly devDependencies: Readonly<Record<string, string>>;
  }
  const asDevelopmentDependency = (name: string) => (text: string) => {
    const manifest = JSON.parse(text) as Manifest;
    const { [name]: version = '', ...dependencies } = manifest.dependencies;
    return JSON.stringify({
      ...manifest,
      dependencies,
      devDependencies: { ...manifest.devDependencies, [name]: version },
    });
  };

  it.each([
    ['does not build', 'libs/mail/dist', /libs\/mail\/dist is missing: is @lyceum\/mail built\?/],
    ['does not copy', 'libs/mail', /the workspace has no package @lyceum\/mail/],
  ])('fails to make the image when the recipe %s a lib', async (_case, missing, error) => {
    const build = 'RUN npx nx run-many -t build\n';
    const recipe = DOCKERFILE.replace(build, `${build}RUN rm -r ${missing}\n`);
    expect(recipe).not.toBe(DOCKERFILE);
    const faulty = new Workshop(join(directory, `without-${missing.replaceAll('/', '-')}`), recipe);
    await expect(faulty.make('auth')).rejects.toThrow(error);
  });

  it.each([
    ['auth', '@lyceum/mail'],
    ['mcp-gateway', '@modelcontextprotocol/server'],
  ] as const)('fails to start %s when it declares %s as a development dependency', async (service, name) => {
    const changes = { [`apps/${service}/package.json`]: asDevelopmentDependency(name) };
    const image = await new Workshop(join(directory, `undeclared-${service}`), DOCKERFILE, changes).make(service);
    await expect(runWord(image, infrastructure.environments[service], 'help')).rejects.toThrow(
      new RegExp(`ERR_MODULE_NOT_FOUND[^]*${name}|${name}[^]*ERR_MODULE_NOT_FOUND`),
    );
  });

  it('lists the services that exist', () => {
    expect(readdirSync(join(ROOT, 'apps')).toSorted()).toEqual([...SERVICES].toSorted());
  });
});

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { entryPoint, NODE, WORKSPACE } from './workspace.js';

/** In the repository, as a service: the bundle finds the packages that Node finds from there. */
const root = join(WORKSPACE, '.lyceum', `bundle-spec-${process.pid}`);
const folder = join(root, 'apps/one');

function write(name: string, text: string): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const run = (file: string): string => execFileSync(NODE, [file], { encoding: 'utf8', stdio: 'pipe' });

beforeAll(() => {
  write('package.json', JSON.stringify({ type: 'module' }));
  write('dist/deep/place.js', `export const place = import.meta.url;\nexport const folder = import.meta.dirname;\n`);
  write('dist/first.js', 'export class Entry {}\n');
  write('dist/second.js', 'export class Entry {}\n');
  write(
    'dist/texts.js',
    `import http, { STATUS_CODES } from 'node:http';
    /** @license A comment of the source. */
    export const texts = ['課程 🎓', \`\${1}課\`, /^[課🎓]$/u.test('🎓'), typeof http.createServer, STATUS_CODES[200]];
    export const loaded = process.moduleLoadList.filter((name) => name.includes('undici'));
    `,
  );
  write('dist/late.js', `globalThis.loaded.push('late');\nexport const late = 'late';\n`);
  write(
    'dist/main.js',
    `import zod from 'zod/package.json' with { type: 'json' };
    import { z } from 'zod';
    import { place, folder } from './deep/place.js';
    import { loaded, texts } from './texts.js';
    import * as first from './first.js';
    import * as second from './second.js';
    globalThis.loaded = [];
    const before = [...globalThis.loaded];
    const { late } = await import('./late.js');
    const names = [first.Entry.name, second.Entry.name];
    const parsed = z.string().parse('text');
    console.log(JSON.stringify({ place, folder, names, before, late, parsed, texts, version: zod.version }));
    console.error(loaded.join());
    `,
  );
  execFileSync(NODE, [join(WORKSPACE, 'docker/bundle.mjs'), folder], { stdio: 'pipe' });
});
afterAll(() => rmSync(root, { recursive: true }));

describe('the bundle of a service', () => {
  it('runs what the modules run, each at its own place', () => {
    const [bundled, modules] = ['bundle/main.js', 'dist/main.js'].map((file) => JSON.parse(run(join(folder, file))));
    expect(bundled).toEqual(modules);
    expect(bundled).toMatchObject({
      place: pathToFileURL(join(folder, 'dist/deep/place.js')).href,
      names: ['Entry', 'Entry'],
      before: [],
      late: 'late',
    });
  });

  it('contains one byte for each character, and no comments', () => {
    const text = readFileSync(join(folder, 'bundle/main.js'));
    expect(text.every((byte) => byte < 128)).toBe(true);
    expect(text.toString()).not.toContain('A comment of the source');
    expect(JSON.parse(run(join(folder, 'bundle/main.js')))).toMatchObject({
      texts: ['課程 🎓', '1課', true, 'function', 'OK'],
    });
  });

  it('loads no part of Node that only one member of node:http needs', () => {
    const undici = (file: string): string => spawnSync(NODE, [join(folder, file)], { encoding: 'utf8' }).stderr.trim();
    expect(undici('dist/main.js')).toContain('undici');
    expect(undici('bundle/main.js')).toBe('');
  });

  it('contains the driver of PostgreSQL alone', () => {
    const one = join(root, 'apps/drivers');
    mkdirSync(join(one, 'dist'), { recursive: true });
    const main = `import { DataSource } from 'typeorm';\nnew DataSource({ type: process.argv[2] });\n`;
    writeFileSync(join(one, 'dist/main.js'), main);
    execFileSync(NODE, [join(WORKSPACE, 'docker/bundle.mjs'), one], { stdio: 'pipe' });
    const start = (type: string): string =>
      spawnSync(NODE, [join(one, 'bundle/main.js'), type], { encoding: 'utf8' }).stderr;
    expect(start('postgres')).toBe('');
    expect(start('mysql')).toContain('MysqlDriver is not part of the bundle of a service');
  });

  it('runs without the modules that are in it', () => {
    const dist = join(folder, 'dist/first.js');
    const text = readFileSync(dist, 'utf8');
    rmSync(dist);
    try {
      expect(run(join(folder, 'bundle/main.js'))).toContain('"late":"late"');
      expect(() => run(join(folder, 'dist/main.js'))).toThrow(/ERR_MODULE_NOT_FOUND/);
    } finally {
      writeFileSync(dist, text);
    }
  });

  it('reads a part behind an import() from a file of its own', () => {
    const files = readdirSync(join(folder, 'bundle')).filter((name) => name.endsWith('.js'));
    expect(files.toSorted()).toEqual(expect.arrayContaining(['main.js', 'part.late.js']));
    expect(readFileSync(join(folder, 'bundle/main.js'), 'utf8')).not.toContain(`push('late')`);
  });

  it('keeps a map with a section for each module, and no texts of sources', () => {
    const { sections } = JSON.parse(readFileSync(join(folder, 'bundle/main.js.map'), 'utf8')) as {
      sections: { offset: { line: number }; map: { sources: string[]; sourcesContent?: string[] } }[];
    };
    const lines = sections.map(({ offset }) => offset.line);
    expect(lines).toEqual(lines.toSorted((a, b) => a - b));
    expect(sections.map(({ map }) => map.sources)).toContainEqual(['../dist/deep/place.js']);
    expect(sections.filter(({ map }) => map.sources.length !== 1 || map.sourcesContent)).toEqual([]);
  });
});

describe('services that are bundled together', () => {
  it('loads the modules that both load from shared files, each at its own place', () => {
    const whole = join(root, 'together');
    const files = {
      'libs/both/dist/both.js': 'export const both = import.meta.url;\n',
      'apps/one/dist/main.js': `import { both } from '../../../libs/both/dist/both.js';\nconsole.log(both);\n`,
      'apps/two/dist/main.js': `import { both } from '../../../libs/both/dist/both.js';\nconsole.log(both, 2);\n`,
    };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(whole, name)), { recursive: true });
      writeFileSync(join(whole, name), text);
    }
    const folders = ['apps/one', 'apps/two'].map((name) => join(whole, name));
    execFileSync(NODE, [join(WORKSPACE, 'docker/bundle.mjs'), ...folders], { stdio: 'pipe' });
    const both = pathToFileURL(join(whole, 'libs/both/dist/both.js')).href;
    expect(folders.map((service) => run(join(service, 'bundle/main.js')))).toEqual([`${both}\n`, `${both} 2\n`]);
    expect(readdirSync(join(whole, 'dist/bundle/parts')).filter((name) => name.endsWith('.js'))).toHaveLength(1);
  });
});

describe('the deletion of files that are in a bundle', () => {
  const image = join(root, 'image');
  const app = join(image, 'apps/one');
  const drop = (): string =>
    execFileSync(NODE, [join(WORKSPACE, 'docker/drop-bundled.mjs'), app, '@planted/program'], {
      stdio: 'pipe',
    }).toString();
  const files = {
    'apps/one/package.json': '{ "type": "module" }',
    'apps/one/dist/main.js': `import { once } from 'once';\nimport { both } from 'both';\nconsole.log(once, both);\n`,
    'apps/one/dist/main.js.map': '{}',
    'node_modules/once/package.json': '{ "type": "module", "exports": "./index.js" }',
    'node_modules/once/index.js': `export class One {}\nexport const once = String(new One() && 'once');\n`,
    'node_modules/once/unused.js': '',
    'node_modules/both/package.json': '{ "type": "module", "exports": "./index.js" }',
    'node_modules/both/index.js': `export const both = 'both';\n`,
    'node_modules/@planted/program/package.json': '{ "dependencies": { "both": "*", "absent": "*" } }',
  };
  beforeAll(() => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(image, name)), { recursive: true });
      writeFileSync(join(image, name), text);
    }
    execFileSync(NODE, [join(WORKSPACE, 'docker/bundle.mjs'), app], { stdio: 'pipe' });
  });
  const left = (): string[] => Object.keys(files).filter((name) => existsSync(join(image, name)));

  it('refuses a folder with sources, which is no part of an image', () => {
    mkdirSync(join(app, 'src'));
    expect(drop).toThrow(/has its sources: it is no part of an image/);
    rmSync(join(app, 'src'), { recursive: true });
    expect(left()).toEqual(Object.keys(files));
  });

  it('keeps those of a program beside it, and maps, manifests and files that are not in it', () => {
    drop();
    expect(left()).toEqual(Object.keys(files).filter((name) => name !== 'node_modules/once/index.js'));
    for (const file of ['bundle/main.js', 'dist/main.js']) expect(run(join(app, file))).toBe('once both\n');
  });
});

describe('the entry point of a service', () => {
  it('takes its bundle, and its modules when it has none', () => {
    const file = join(folder, 'bundle/main.js');
    expect(entryPoint('one', root)).toBe(file);
    const text = readFileSync(file, 'utf8');
    rmSync(file);
    expect(entryPoint('one', root)).toBe(join(folder, 'dist/main.js'));
    writeFileSync(file, text);
  });
});

import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startChild, type Child } from './child.js';
import { eventually } from './eventually.js';
import { Part } from './part.js';
import { freePort } from './ports.js';
import { ServiceWatch } from './service-watch.js';
import { NODE, WORKSPACE } from './workspace.js';

const MAIN = `
  import { createServer } from 'node:http';
  import { text } from '@lyceum/far';
  createServer((_request, response: { end(text: string): void }) => response.end(text + ' and main')).listen(Number(process.env['PORT']), '127.0.0.1');
`;
const LIB = `export { text } from '@lyceum/deep';`;
const DEEP = `export const text: string = 'one';`;

/** A repository with one service, a lib, a lib of that lib, and a package that the service does not use. */
let root: string;
let service: Part<Child>;
let port: number;
let watched: ServiceWatch;
let said: string;
let restarts: (readonly string[])[];

function write(path: string, content: string | object): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

function pack(directory: string, name: string, dependencies: readonly string[], source: string): void {
  const build = 'swc src -d dist --strip-leading-paths --config-file ../../.swcrc';
  const exports = directory.startsWith('libs/') ? { exports: './dist/main.js' } : {};
  const used = Object.fromEntries(dependencies.map((one) => [one, '*']));
  write(`${directory}/package.json`, { name, type: 'module', ...exports, scripts: { build }, dependencies: used });
  write(`${directory}/src/main.ts`, source);
  mkdirSync(join(root, 'node_modules/@lyceum'), { recursive: true });
  symlinkSync(join(root, directory), join(root, 'node_modules', name));
}

/** Polls until the value is the wanted one; an error is a value. */
async function untilEqual<T>(ask: () => Promise<T> | T, wanted: T): Promise<void> {
  const attempt = async (): Promise<unknown> => {
    try {
      return await ask();
    } catch (error) {
      return String(error);
    }
  };
  await eventually(attempt, (value) => value === wanted).catch((error: Error) => {
    throw new Error(`${error.message} in place of ${String(wanted)}. Said: ${said}`);
  });
}

const response = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}`)).text();
/** Changes the text that the service answers with. */
const changed = (text: string): string => write('libs/deep/src/main.ts', `export const text: string = '${text}';`);

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'lyceum-watch-'));
  write('package.json', { workspaces: ['apps/*', 'libs/*'] });
  write('.swcrc', readFileSync(join(WORKSPACE, '.swcrc'), 'utf8'));
  mkdirSync(join(root, 'node_modules'));
  symlinkSync(join(WORKSPACE, 'node_modules/.bin'), join(root, 'node_modules/.bin'));
  pack('apps/one', '@lyceum/one', ['@lyceum/far'], MAIN);
  pack('libs/far', '@lyceum/far', ['@lyceum/deep'], LIB);
  pack('libs/deep', '@lyceum/deep', [], DEEP);
  pack('libs/unused', '@lyceum/unused', [], DEEP);
  mkdirSync(join(root, 'apps/one/assets'));
  port = await freePort();
  [said, restarts] = ['', []];
  service = new Part<Child>({
    name: 'one',
    launch: () =>
      startChild({
        name: 'one',
        command: [NODE, join(root, 'apps/one/dist/main.js')],
        environment: { PORT: String(port) },
        stopSignal: 'SIGTERM',
        logFile: join(root, 'one.log'),
      }),
    onDeath: () => {},
  });
  watched = new ServiceWatch({
    root,
    service: '@lyceum/one',
    restart: async (files) => {
      restarts.push(files);
      await service.restart();
    },
    say: (text) => (said += text),
  });
  // The first change builds everything.
  changed('first');
  await untilEqual(response, 'first and main');
  await untilEqual(() => said.includes('is ready again'), true);
});

afterEach(async () => {
  await watched.stop();
  await service.stop();
  rmSync(root, { recursive: true });
});

describe('npm run dev', () => {
  it('builds and restarts the service after a change of a lib that a lib of it uses', async () => {
    changed('second');
    await untilEqual(response, 'second and main');
    await untilEqual(() => said.includes('(@lyceum/deep)'), true);
    // Two notices of one write, far apart on a busy machine, are two restarts.
    expect(restarts.length).toBeGreaterThanOrEqual(2);
  });

  it('builds and restarts the service after a change of its own source', async () => {
    write('apps/one/src/main.ts', MAIN.replace('and main', 'and more'));
    await untilEqual(response, 'first and more');
    expect(restarts[1]).toEqual(['apps/one/src/main.ts']);
  });

  it('restarts the service after a change of its assets', async () => {
    write('apps/one/assets/style.css', 'body {}');
    await untilEqual(() => said.includes('(assets)'), true);
    expect(restarts.length).toBeGreaterThanOrEqual(2);
    await untilEqual(response, 'first and main');
  });

  it('ignores tests and packages that the service does not use, and builds no file that was only touched', async () => {
    write('libs/far/src/main.spec.ts', 'it');
    write('libs/unused/src/main.ts', `export const text = 'other';`);
    utimesSync(join(root, 'libs/far/src/main.ts'), new Date(), new Date());
    changed('second');
    await untilEqual(response, 'second and main');
    await untilEqual(() => said.includes('(@lyceum/deep)'), true);
    expect(restarts.length).toBeGreaterThanOrEqual(2);
    expect(restarts.slice(1).flat()).not.toContain('libs/far/src/main.spec.ts');
    expect(restarts.slice(1).flat()).not.toContain('libs/unused/src/main.ts');
  });

  it('reports a source that does not compile, keeps the service, and builds the next change', async () => {
    write('libs/far/src/main.ts', 'export {');
    await untilEqual(() => said.includes('swc'), true);
    expect(await response()).toBe('first and main');
    write('libs/far/src/main.ts', LIB.replace('text }', 'text } '));
    changed('repaired');
    await untilEqual(response, 'repaired and main');
  });

  it('refuses a service that does not exist', () => {
    const options = { root, service: '@lyceum/other', restart: async () => {}, say: () => {} };
    expect(() => new ServiceWatch(options)).toThrow('@lyceum/other is not a package');
  });
});

import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { compileFunction } from 'node:vm';

// Jest has this environment; the package that depends on it is Jest.
const { TestEnvironment } = createRequire(createRequire(import.meta.url).resolve('jest-cli'))('jest-environment-node');

const PARAMETERS = ['module', 'exports', 'require', '__dirname', '__filename', 'jest'];
const GLOBALS = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'expect', 'it', 'test'];

/** Types that `expect.any` compares with its own. */
const TYPES = ['Array', 'BigInt', 'Boolean', 'Function', 'Number', 'Object', 'String', 'Symbol'];

/** The environment of the file that a worker runs. */
let current;
for (const name of GLOBALS)
  Object.defineProperty(globalThis, name, { configurable: true, get: () => current?.global[name] });

/**
 * Jest itself runs in a sandbox; specs run outside of it, as their service does. They import modules from `dist`, which
 * Node loads once for all files of a worker. In the sandbox Jest would load them again for each file, values of a
 * service would be of another realm, and each use of a global would be slow.
 */
export default class BuiltEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    const { rootDir } = config.projectConfig;
    this.global.lyceumRun = (source, module, exports, require, folder, file, jest) =>
      Reflect.apply(compileFunction(source, PARAMETERS, { filename: file }), exports, [
        module,
        exports,
        requireOf(rootDir, require, file),
        folder,
        file,
        jest,
      ]);
    for (const name of TYPES) this.global[name] = globalThis[name];
    const FakeTimers = this.fakeTimersModern.constructor;
    this.fakeTimersModern = new FakeTimers({ config: config.projectConfig, global: globalThis });
    current = this;
    globalThis.lyceumFailedTests = 0;
  }

  /** Counts the failed tests of the file, for tests that share something which a failed one may have broken. */
  handleTestEvent({ name, test }) {
    if (name === 'test_done' && test.errors.length > 0) globalThis.lyceumFailedTests += 1;
  }
}

function requireOf(rootDir, sandboxed, file) {
  const native = createRequire(file);
  const find = (name) => {
    if (name.startsWith('node:')) return native(name);
    if (isAbsolute(name)) return sandboxed(name);
    if (!name.startsWith('.')) return isBuilt(native, name) ? native(name) : sandboxed(name);
    const path = relative(join(rootDir, 'src'), join(dirname(file), name));
    return path.startsWith('..') ? sandboxed(name) : native(join(rootDir, 'dist', path));
  };
  return Object.assign(find, sandboxed);
}

/** Some packages are for tests alone: they have sources and no build. */
function isBuilt(native, name) {
  try {
    native.resolve(name);
    return true;
  } catch {
    return false;
  }
}

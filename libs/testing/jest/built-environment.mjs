import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

// Jest has this environment; the package that depends on it is Jest.
const { TestEnvironment } = createRequire(createRequire(import.meta.url).resolve('jest-cli'))('jest-environment-node');

/**
 * Specs run in a sandbox of Jest; what they import runs outside of it, from `dist`. Node loads these modules once for all
 * files of a worker. In the sandbox Jest loads them again for each file.
 */
export default class BuiltEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    const { rootDir } = config.projectConfig;
    this.global.lyceumRequire = (require, file) => Object.assign(requireOf(rootDir, require, file), require);
  }
}

function requireOf(rootDir, sandboxed, file) {
  const native = createRequire(file);
  return (name) => {
    if (name.startsWith('node:')) return sandboxed(name);
    if (!name.startsWith('.')) return isBuilt(native, name) ? native(name) : sandboxed(name);
    const path = relative(join(rootDir, 'src'), join(dirname(file), name));
    return path.startsWith('..') ? sandboxed(name) : native(join(rootDir, 'dist', path));
  };
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

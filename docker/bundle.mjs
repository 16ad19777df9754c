/**
 * `node docker/bundle.mjs <folder of a service>…`: writes the built code of a service and its packages to
 * `bundle/main.js` in its folder. Node starts it in a fraction of the time that it takes for thousands of modules.
 * Parts behind `import()` are files beside it, which are read at their first use. Services that are bundled together
 * share parts in `dist/bundle/parts` of the workspace.
 */
import { mkdirSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { sectionsOf } from './bundle-map.mjs';

/** Packages with machine code that they find beside their own files. */
export const NATIVE = ['sharp', '@node-rs/argon2'];
/** The depth is that of `bundle` of a service, so a relative path leads to the same file from both folders. */
const SHARED = 'dist/bundle/parts';

/** The place of a module decides which files it reads and which packages it finds, so a module keeps its own place. */
function keepPlaces(root) {
  return {
    name: 'keep-places',
    transform: {
      filter: { code: 'import.meta.' },
      handler(code, id) {
        const place = JSON.stringify(join('../../..', relative(root, id)));
        const url = `new URL(${place}, import.meta.url)`;
        const file = `process.getBuiltinModule('node:url').fileURLToPath(${url})`;
        const kept = code
          .replaceAll('import.meta.url', `${url}.href`)
          .replaceAll('import.meta.filename', file)
          .replaceAll('import.meta.dirname', `process.getBuiltinModule('node:path').dirname(${file})`);
        // The lines stay as they are.
        return { code: kept, map: null };
      },
    },
  };
}

/** Drivers of databases that no service has. TypeORM loads all, and starts the one of the options. */
const OTHER_DRIVERS =
  /\/typeorm\/driver\/(?:aurora|better|capacitor|cockroach|cordova|expo|mongodb|mysql|native|oracle|react|sap|spanner|sql)[\w-]*\/(\w+)\.js$/;

/** Replaces such a driver with a class of the same name, whose constructor throws. */
function leaveOutDrivers() {
  return {
    name: 'leave-out-drivers',
    load: {
      filter: { id: OTHER_DRIVERS },
      handler(id) {
        const [, name] = OTHER_DRIVERS.exec(id);
        const error = `new Error('${name} is not part of the bundle of a service')`;
        return `exports.${name} = class ${name} { constructor() { throw ${error}; } };\n`;
      },
    },
  };
}

/** `import` reads all members of a module of Node, and one of `node:http` loads `undici`: 3 MB, and 0.1 s. */
function requireHttp() {
  const id = '\0http';
  return {
    name: 'require-http',
    resolveId: { filter: { id: /^(?:node:)?http$/ }, handler: () => ({ id, moduleSideEffects: false }) },
    load: {
      filter: { id: /^\0http$/ },
      handler: () => `module.exports = process.getBuiltinModule('node:http');\n`,
    },
  };
}

/** A template whose function sees its text. */
const RAW = /String\.raw`[^`]*?[^\0-\x7f]/;

/**
 * V8 keeps the text of a script: with one byte for each character, or with two when one of them needs it. Outside of
 * raw templates an escape is the character.
 */
function withEscapes(code) {
  const [raw] = RAW.exec(code) ?? [];
  if (raw !== undefined) throw new Error(`A raw template would show an escape: ${raw}`);
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

async function bundle(folders) {
  const root = dirname(dirname(folders[0]));
  const targets = new Map(folders.map((folder) => [basename(folder), relative(root, join(folder, 'bundle'))]));
  const parts = folders.length > 1 ? SHARED : [...targets.values()][0];
  const build = await rolldown({
    input: Object.fromEntries(folders.map((folder) => [basename(folder), join(folder, 'dist/main.js')])),
    platform: 'node',
    tsconfig: false,
    external: NATIVE,
    // Packages try to load others that are not installed. One of them uses `eval`.
    onLog: (level, log, handle) => ['UNRESOLVED_IMPORT', 'EVAL'].includes(log.code) || handle(level, log),
    plugins: [keepPlaces(root), leaveOutDrivers(), requireHttp()],
  });
  const { output } = await build.generate({
    dir: root,
    format: 'es',
    entryFileNames: ({ name }) => `${targets.get(name)}/main.js`,
    chunkFileNames: `${parts}/part.[name].js`,
    sourcemap: 'hidden',
    sourcemapExcludeSources: true,
    // Nest, TypeORM and zod read the names of classes.
    keepNames: true,
    // The packages have their licenses beside their code.
    comments: false,
  });
  await build.close();
  for (const { type, fileName, code, map } of output) {
    // The maps are among the files, too.
    if (type !== 'chunk') continue;
    // A file of imports alone has no map.
    if (map) write(join(root, `${fileName}.map`), JSON.stringify(sectionsOf(map)));
    write(join(root, fileName), withEscapes(code));
  }
}

/** A service that starts meanwhile reads the old file or the new one. */
function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
}

if (import.meta.main) await bundle(process.argv.slice(2).map((folder) => realpathSync(folder)));

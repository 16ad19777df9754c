/**
 * `node docker/drop-bundled.mjs <folder of a service> <package>…`: deletes the modules that its bundle has, because
 * nothing reads their files any more. The maps of the bundle name them. Files of the named packages, and of those that
 * they depend on, stay: they are programs beside the service. Source maps, data and manifests stay, too.
 */
import { existsSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NATIVE } from './bundle.mjs';

const [folder, ...programs] = process.argv.slice(2);
const app = realpathSync(folder);
if (existsSync(join(app, 'src'))) throw new Error(`${folder} has its sources: it is no part of an image`);

/** The modules of a bundle, by the maps beside its files. */
function bundledFiles(bundle) {
  const maps = readdirSync(bundle).filter((name) => name.endsWith('.map'));
  const files = maps.flatMap((name) => {
    const { sections } = JSON.parse(readFileSync(join(bundle, name), 'utf8'));
    return sections.flatMap(({ map }) => map.sources.map((source) => resolve(bundle, source)));
  });
  if (files.length === 0) throw new Error(`${bundle} has no maps`);
  return new Set(files);
}

function folderOf(name, from) {
  try {
    const file = findPackageJSON(name, pathToFileURL(join(from, 'package.json')));
    return file && realpathSync(dirname(file));
  } catch {
    // It is for another platform, or another service.
    return undefined;
  }
}

/** The folders of packages and of all that they depend on. */
function folders(names, from, seen = new Set()) {
  for (const name of names) {
    const found = folderOf(name, from);
    if (found === undefined || seen.has(found)) continue;
    seen.add(found);
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(found, 'package.json'), 'utf8'));
    folders(Object.keys({ ...dependencies, ...optionalDependencies }), found, seen);
  }
  return seen;
}

/** False for a file of another package that is installed below the folder. */
function isIn(kept, file) {
  return file.startsWith(kept + sep) && !file.slice(kept.length).includes(`${sep}node_modules${sep}`);
}

const kept = [...folders([...programs, ...NATIVE], app)];
for (const file of bundledFiles(join(app, 'bundle')))
  if (/\.[cm]?js$/.test(file) && !kept.some((one) => isIn(one, file))) rmSync(file);
// Jobs of operators may name the file of before.
writeFileSync(join(app, 'dist/main.js'), "import '../bundle/main.js';\n");

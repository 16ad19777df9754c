/**
 * `node compile.mjs <folder>…`: compiles packages in one process, with the same result as the script `SWC` of
 * build.mjs, which starts a process with threads of its own for each package.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { transformFile } from '@swc/core';

/** Left out by .swcrc too. */
const TEST = /\.spec\.ts$|(?:^|\/)test\//;

async function compileFile(folder, name) {
  const from = join(folder, 'src', name);
  const to = join(folder, 'dist', name.replace(/\.ts$/, '.js'));
  const { code, map } = await transformFile(from, {
    configFile: join(folder, '../../.swcrc'),
    sourceFileName: relative(dirname(to), from),
    outputPath: to,
  });
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, `${code}\n//# sourceMappingURL=${basename(to)}.map`);
  writeFileSync(`${to}.map`, map);
}

for (const folder of process.argv.slice(2)) {
  const names = readdirSync(join(folder, 'src'), { recursive: true }).filter((name) => name.endsWith('.ts'));
  await Promise.all(names.filter((name) => !TEST.test(name)).map((name) => compileFile(folder, name)));
}

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { bundle } from './bundle.mjs';

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';
/** The highest quality takes ten times as long and saves 4 %. */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 };

/** Writes the compressed forms of a file. Its name changes with its content, so browsers keep it. */
function publish(folder, name, type, text) {
  const forms = {
    br: brotliCompressSync(text, { params: { ...BROTLI, [constants.BROTLI_PARAM_SIZE_HINT]: text.length } }),
    gzip: gzipSync(text, { level: 9 }),
  };
  for (const [encoding, bytes] of Object.entries(forms)) writeFileSync(join(folder, `${name}.${encoding}`), bytes);
  return { name, type, bytes: { br: forms.br.length, gzip: forms.gzip.length } };
}

/** An entry and all modules that it imports before it runs. */
function loadedBy(chunks, fileName, seen = new Set()) {
  if (seen.has(fileName)) return seen;
  seen.add(fileName);
  const { imports } = chunks.find((chunk) => chunk.fileName === fileName);
  for (const name of imports) loadedBy(chunks, name, seen);
  return seen;
}

export async function browserFiles(home, folder) {
  const script = (name) => join(home, `src/browser/${name}.mjs`);
  const { chunks, style } = await bundle({ reference: script('reference'), explorer: script('explorer') });
  const hash = createHash('sha256').update(style).digest('hex').slice(0, 16);
  const sheet = `explorer.${hash}.css`;
  const entry = (name) => chunks.find((chunk) => chunk.entry === name).fileName;
  const page = (name, styles) => ({
    script: entry(name),
    loads: [...loadedBy(chunks, entry(name)), ...styles],
    styles,
  });
  return {
    files: [
      ...chunks.map(({ fileName, code }) => publish(folder, fileName, SCRIPT, code)),
      publish(folder, sheet, STYLE, style),
    ],
    pages: { reference: page('reference', []), explorer: page('explorer', [sheet]) },
  };
}

import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import type { SourceMapPayload, SourceOrigin } from 'node:module';
import { fileURLToPath } from 'node:url';

/** By the URL of a file; null for a file without a map. */
const maps = new Map<string, SourceMap | null>();

function mapOf(url: string): SourceMap | null {
  const known = maps.get(url);
  if (known !== undefined) return known;
  let map: SourceMap | null = null;
  try {
    map = new SourceMap(JSON.parse(readFileSync(new URL(`${url}.map`), 'utf8')) as SourceMapPayload);
  } catch {
    // The trace shows the line of the built file.
  }
  maps.set(url, map);
  return map;
}

/** A line of a stack trace. */
function lineOf(site: NodeJS.CallSite): string {
  const text = (site as { toString(): string }).toString();
  const [url, line, column] = [site.getFileName(), site.getLineNumber(), site.getColumnNumber()];
  if (!url?.startsWith('file:') || url.includes('/node_modules/') || line === null || column === null) return text;
  // Empty for a place that the map does not have.
  const origin: Partial<SourceOrigin> = mapOf(url)?.findOrigin(line, column) ?? {};
  if (origin.fileName === undefined) return text;
  const source = fileURLToPath(new URL(origin.fileName, url));
  return text.replace(`${url}:${line}:${column}`, () => `${source}:${origin.lineNumber}:${origin.columnNumber}`);
}

/**
 * For `node --import @lyceum/platform/source-maps`: stack traces show TypeScript lines. A map is read when a trace
 * first names its file. `--enable-source-maps` and `setSourceMapsSupport` keep the maps of all files from the start.
 */
Error.prepareStackTrace = (error, sites) =>
  [Error.prototype.toString.call(error), ...sites.map((site) => `    at ${lineOf(site)}`)].join('\n');

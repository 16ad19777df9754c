import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import type { SourceMapPayload, SourceOrigin } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A map of a bundle: a part for each run of lines of one module, in the order of the lines. */
interface SectionedPayload {
  readonly sections: readonly { readonly offset: { readonly line: number }; readonly map: SourceMapPayload }[];
}

/** Keeps the line before each section of a bundle, and the maps of the sections that traces have named. */
interface SectionedMap {
  readonly lines: readonly number[];
  readonly maps: Map<number, SourceMap>;
}

type FileMap = SourceMap | SectionedMap;

interface Place {
  readonly url: string;
  readonly line: number;
  readonly column: number;
}

/** By the URL of a file; null for a file without a map. */
const files = new Map<string, FileMap | null>();

const readMap = (url: string): SourceMapPayload | SectionedPayload =>
  JSON.parse(readFileSync(new URL(`${url}.map`), 'utf8')) as SourceMapPayload | SectionedPayload;

function fileMap(url: string): FileMap | null {
  const known = files.get(url);
  if (known !== undefined) return known;
  let map: FileMap | null = null;
  try {
    const payload = readMap(url);
    map =
      'sections' in payload
        ? { lines: payload.sections.map(({ offset }) => offset.line), maps: new Map() }
        : new SourceMap(payload);
  } catch {
    // The trace shows the line of the built file.
  }
  files.set(url, map);
  return map;
}

function sectionMap(url: string, { maps }: SectionedMap, at: number): SourceMap | undefined {
  const known = maps.get(at);
  if (known !== undefined) return known;
  try {
    // The whole file is read again for each new section, because it is too large to keep.
    const section = (readMap(url) as SectionedPayload).sections[at];
    const map = section === undefined ? undefined : new SourceMap(section.map);
    if (map !== undefined) maps.set(at, map);
    return map;
  } catch {
    return undefined;
  }
}

/** The place that a file was built from. Undefined for a place that its map does not have. */
function originOf({ url, line, column }: Place): Place | undefined {
  const map = fileMap(url);
  if (map === null) return undefined;
  const at = 'lines' in map ? map.lines.findLastIndex((first) => first < line) : 0;
  const own = 'lines' in map ? sectionMap(url, map, at) : map;
  const above = 'lines' in map ? (map.lines[at] ?? 0) : 0;
  // Empty for a place that the map does not have.
  const { fileName, lineNumber, columnNumber }: Partial<SourceOrigin> = own?.findOrigin(line - above, column) ?? {};
  if (fileName === undefined || lineNumber === undefined || columnNumber === undefined) return undefined;
  return { url: new URL(fileName, url).href, line: lineNumber, column: columnNumber };
}

/** A line of a stack trace. */
function lineOf(site: NodeJS.CallSite): string {
  const text = (site as { toString(): string }).toString();
  const [url, line, column] = [site.getFileName(), site.getLineNumber(), site.getColumnNumber()];
  if (!url?.startsWith('file:') || line === null || column === null) return text;
  const isPackage = (place: Place): boolean => place.url.includes('/node_modules/');
  let place: Place = { url, line, column };
  // From the bundle to a module, and from the module to its source.
  while (place.url.endsWith('.js') && !isPackage(place)) {
    const origin = originOf(place);
    if (origin === undefined) break;
    place = origin;
  }
  if (place.url === url) return text;
  return text.replace(`${url}:${line}:${column}`, () => `${fileURLToPath(place.url)}:${place.line}:${place.column}`);
}

/**
 * For `node --import @lyceum/platform/source-maps`: stack traces show TypeScript lines. A map is read when a trace
 * first names its file. `--enable-source-maps` and `setSourceMapsSupport` keep the maps of all files from the start.
 */
Error.prepareStackTrace = (error, sites) =>
  [Error.prototype.toString.call(error), ...sites.map((site) => `    at ${lineOf(site)}`)].join('\n');

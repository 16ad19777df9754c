/**
 * Divides a source map by the module that each line comes from. A stack trace then needs the maps of the modules that
 * it names, not that of the whole bundle, which takes a tenth of a second and 40 MB. A line of a package keeps its
 * first place alone.
 */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Uint8Array(128);
for (let digit = 0; digit < DIGITS.length; digit += 1) VALUES[DIGITS.charCodeAt(digit)] = digit;
const [COMMA, SEMICOLON] = [44, 59];
/** The numbers of a segment, each relative to the segment before. The column starts again with each line. */
const [COLUMN, SOURCE, LINE, SOURCE_COLUMN] = [0, 1, 2, 3];

function textOf(number) {
  let [value, text] = [number < 0 ? (-number << 1) | 1 : number << 1, ''];
  while (value > 31) {
    text += DIGITS[(value & 31) | 32];
    value >>>= 5;
  }
  return text + DIGITS[value];
}

/** Collects sections. Each has the lines from one that begins in its module up to that of the next module. */
class Sections {
  all = [];
  #line = 0;
  /** The source of the line; undefined before its first segment. */
  #source;

  constructor(sources) {
    this.sources = sources;
  }

  endLine() {
    const section = this.all.at(-1);
    if (section) section.mappings += ';';
    this.#line += 1;
    this.#source = undefined;
  }

  add(place) {
    if (this.#source === undefined) this.#beginLine(place[SOURCE]);
    else if (this.#source !== place[SOURCE] || this.all.at(-1).isPackage) return;
    const section = this.all.at(-1);
    const { last } = section;
    section.mappings +=
      (last[COLUMN] < 0 ? textOf(place[COLUMN]) : `,${textOf(place[COLUMN] - last[COLUMN])}`) +
      `A${textOf(place[LINE] - last[LINE])}${textOf(place[SOURCE_COLUMN] - last[SOURCE_COLUMN])}`;
    for (const part of [COLUMN, LINE, SOURCE_COLUMN]) last[part] = place[part];
  }

  #beginLine(source) {
    this.#source = source;
    if (this.all.at(-1)?.source !== source) {
      const isPackage = this.sources[source].includes('node_modules/');
      this.all.push({ source, isPackage, line: this.#line, mappings: '', last: [-1, 0, 0, 0] });
    }
    // No segment of this line yet.
    this.all.at(-1).last[COLUMN] = -1;
  }
}

/** A map with a section for each run of lines of one module, without the texts of the sources. */
export function sectionsOf({ sources, mappings }) {
  const sections = new Sections(sources);
  const place = [0, 0, 0, 0, 0];
  let [part, value, shift] = [0, 0, 0];
  const endSegment = () => {
    if (part > SOURCE) sections.add(place);
    part = 0;
  };
  for (let at = 0; at < mappings.length; at += 1) {
    const code = mappings.charCodeAt(at);
    if (code === COMMA) endSegment();
    else if (code === SEMICOLON) {
      endSegment();
      sections.endLine();
      place[COLUMN] = 0;
    } else {
      value |= (VALUES[code] & 31) << shift;
      shift += 5;
      if (VALUES[code] & 32) continue;
      place[part] += value & 1 ? -(value >>> 1) : value >>> 1;
      part += 1;
      [value, shift] = [0, 0];
    }
  }
  endSegment();
  return {
    version: 3,
    sections: sections.all.map(({ source, line, mappings: own }) => ({
      offset: { line, column: 0 },
      map: { version: 3, sources: [sources[source]], names: [], mappings: own.replace(/;+$/, '') },
    })),
  };
}

import type { Sections } from './curriculum-pieces.policy.js';

/** JSON of the sections in the result of a tool, which has 60 KB. The largest sections need 30 KB of them. */
const SHOWN_BYTES = 55 * 1_024;

/** The sections of a course with their lectures, as responses have them. */
export function treeOf(sections: Sections) {
  return sections.map(({ section_id: id, title, drip_days, opens_at, lectures }) => ({
    id,
    title,
    drip_days,
    opens_at,
    lectures: lectures.map(({ lecture_id, published_at: _first, ...lecture }) => ({ id: lecture_id, ...lecture })),
  }));
}

/** All sections with the first lectures of the course that fit. Sections that leave some out have their number. */
export function shownTree(sections: Sections, limit: number = SHOWN_BYTES) {
  const shown = treeOf(sections).map((section) => ({
    ...section,
    lectures: [] as typeof section.lectures,
    more_lectures: section.lectures.length,
    all: section.lectures,
  }));
  let left = limit - bytesOf(shown.map(({ all: _all, ...section }) => section));
  for (const section of shown) {
    for (const lecture of section.all) {
      // The comma before it.
      left -= bytesOf(lecture) + 1;
      if (left < 0) break;
      section.lectures.push(lecture);
      section.more_lectures -= 1;
    }
    if (left < 0) break;
  }
  return shown.map(({ all: _all, more_lectures, ...section }) => ({
    ...section,
    ...(more_lectures === 0 ? {} : { more_lectures }),
  }));
}

const bytesOf = (value: object): number => Buffer.byteLength(JSON.stringify(value));

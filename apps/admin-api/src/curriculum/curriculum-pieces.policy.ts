import { CURRICULUM_LIMITS } from '@lyceum/contracts';
import type { curriculumEvents } from '@lyceum/contracts';
import type { NewEvent } from '@lyceum/messaging';

/** The parts of a course, as events have them. */
export type Sections = NewEvent<typeof curriculumEvents>['data']['sections'];
type Section = Sections[number];

const BRACKETS = 2;

/** Bytes of an item of a JSON array, with the comma before it. */
const bytesOf = (item: object, place: number): number =>
  Buffer.byteLength(JSON.stringify(item)) + (place === 0 ? 0 : 1);

/**
 * Divides a curriculum into the fewest pieces in its order, each of which fits into an event. A section that does not
 * fit continues in the next piece, with the same members.
 */
export function piecesOf(sections: Sections, limit: number = CURRICULUM_LIMITS.pieceBytes): readonly Sections[] {
  let piece: Section[] = [];
  const pieces = [piece];
  let used = BRACKETS;
  const begin = (section: Omit<Section, 'lectures'>, first: number): Section['lectures'] => {
    const opened: Section = { ...section, lectures: [] };
    if (piece.length > 0 && used + bytesOf(opened, piece.length) + first > limit) {
      pieces.push((piece = []));
      used = BRACKETS;
    }
    used += bytesOf(opened, piece.length);
    piece.push(opened);
    return opened.lectures;
  };
  for (const { lectures, ...section } of sections) {
    let into: Section['lectures'] | undefined;
    for (const lecture of lectures) {
      if (into === undefined || used + bytesOf(lecture, into.length) > limit)
        into = begin(section, bytesOf(lecture, 0));
      used += bytesOf(lecture, into.length);
      into.push(lecture);
    }
    if (into === undefined) begin(section, 0);
  }
  return pieces;
}

/** The section or lecture with this id, without other parts. Empty: the part is deleted, or no single one changed. */
export function partOf(sections: Sections, id: string | null): Sections {
  if (id === null) return [];
  for (const section of sections) {
    if (section.section_id === id) return [{ ...section, lectures: [] }];
    const lectures = section.lectures.filter(({ lecture_id }) => lecture_id === id);
    if (lectures.length > 0) return [{ ...section, lectures }];
  }
  return [];
}

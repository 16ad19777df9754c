/** Bytes of JSON for a curriculum in the result of a tool, of which mcp-gateway shows at most 60 KiB. */
export const CURRICULUM_BYTES = 40 * 1024;

interface Lecture {
  readonly lecture_id: string;
}

interface Section<L extends Lecture> {
  readonly lectures: readonly L[];
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/**
 * Leaves off lectures of a large course. The next lecture and those after it are kept first, then those from the
 * beginning. Sections stay, and so does the order.
 */
export function fittingLectures<L extends Lecture, S extends Section<L>>(
  sections: readonly (S & Section<L>)[],
  next: string | null,
): { readonly sections: readonly (S & Section<L>)[]; readonly leftOff: number } {
  const lectures = sections.flatMap((section) => section.lectures);
  const start = Math.max(
    0,
    lectures.findIndex(({ lecture_id }) => lecture_id === next),
  );
  const kept = new Set<L>();
  let left = CURRICULUM_BYTES - bytesOf(sections.map((section) => ({ ...section, lectures: [] })));
  for (const lecture of [...lectures.slice(start), ...lectures.slice(0, start)]) {
    // With its comma.
    left -= bytesOf(lecture) + 1;
    if (left < 0) break;
    kept.add(lecture);
  }
  return {
    sections: sections.map((section) => ({ ...section, lectures: section.lectures.filter((one) => kept.has(one)) })),
    leftOff: lectures.length - kept.size,
  };
}

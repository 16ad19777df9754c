import { NAMES, TIMES, uuid } from './numbers.js';
import type { Numbers } from './numbers.js';
import type { Row } from './row.js';

export interface Curricula {
  readonly curricula: Row[];
  readonly lecture_progress: Row[];
  readonly lecture_attachments: Row[];
  readonly texts: Row[];
}

const TYPES = ['video', 'audio', 'text', 'pdf', 'quiz', 'live', 'download'];

/** Every third course has no curriculum. People have progress in some lectures, at both sites. */
export function makeCurricula(
  { below, pick }: Numbers,
  courses: readonly Row[],
  sites: readonly string[],
  people: readonly string[],
): Curricula {
  let lectures = 0;
  const lecture = (position: number): Row => ({
    lecture_id: uuid(17, (lectures += 1)),
    position,
    slug: `lecture-${lectures}`,
    title: pick(NAMES),
    lecture_type: pick(TYPES),
    free_preview: below(2) === 0,
    duration_seconds: below(5_000),
  });
  const curricula = courses
    .filter((_, n) => n % 3 > 0)
    .map(({ site_id = null, course_id = null }) => ({
      site_id,
      course_id,
      version: 1,
      sections: JSON.stringify(
        Array.from({ length: below(4) }, (_, n) => ({
          section_id: uuid(18, lectures * 10 + n),
          position: n + 1,
          title: pick(NAMES),
          drip_days: pick([0, 0, 7, 60_000]),
          opens_at: pick([null, null, '2020-01-01T00:00:00.000Z', '2090-01-01T00:00:00.250Z']),
          lectures: Array.from({ length: 1 + below(3) }, (_one, at) => lecture(at + 1)),
        })),
      ),
    }));
  const courseOf = new Map(
    curricula.flatMap(({ course_id, sections }) =>
      (JSON.parse(sections) as { lectures: Row[] }[]).flatMap((one) =>
        one.lectures.map(({ lecture_id }) => [String(lecture_id), course_id] as const),
      ),
    ),
  );
  const lecture_progress = sites.flatMap((site_id) =>
    people.flatMap((person_id) =>
      Array.from({ length: lectures }, (_, n) => n + 1)
        .filter(() => below(2) === 0)
        .map((n) => ({
          site_id,
          person_id,
          lecture_id: uuid(17, n),
          course_id: courseOf.get(uuid(17, n)) ?? null,
          version: 1,
          position_seconds: below(5_000),
          watched_at: pick(TIMES),
          completed_at: pick([null, ...TIMES]),
        })),
    ),
  );
  // Every second lecture has up to three attachments: a file of the site, a link, and a video.
  const lecture_attachments = sites.flatMap((site_id) =>
    Array.from({ length: lectures }, (_, n) => n + 1)
      .filter(() => below(2) === 0)
      .map((n) => {
        const file = { file_id: uuid(19, n), filename: pick(NAMES), content_type: 'text/csv', bytes: 1 + below(5_000) };
        const given = [
          { title: pick(NAMES), kind: 'file', url: null, file, downloadable: true },
          { title: pick(NAMES), kind: 'link', url: 'https://cdn.example/"a"', file: null, downloadable: false },
          {
            title: pick(NAMES),
            kind: 'video',
            url: 'https://vimeo.com/1234?share=copy',
            file: null,
            downloadable: false,
          },
        ];
        const attachments = JSON.stringify(given.slice(below(4)));
        return { site_id, lecture_id: uuid(17, n), course_id: uuid(3, 99), version: 1, attachments };
      }),
  );
  // Half of the owners have a text, in up to two pieces. Some texts were taken away, and of some a piece is missing.
  const owners = [
    ...courses.map(({ course_id = null }) => course_id),
    ...Array.from({ length: lectures }, (_, n) => uuid(17, n + 1)),
  ];
  const texts = sites.flatMap((site_id) =>
    owners.flatMap((owner_id) => {
      const pieces = below(4);
      return Array.from({ length: pieces === 3 ? 1 : pieces }, (_, piece) => ({
        site_id,
        owner_id,
        piece,
        pieces: Math.min(pieces, 2),
        version: 1,
        html: pick(['', '<p>"a"', '😀</p>']),
      }));
    }),
  );
  return { curricula, lecture_progress, lecture_attachments, texts };
}

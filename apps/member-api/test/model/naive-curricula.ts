import { playerOf } from '#src/curricula/player.policy.js';
import type { Curricula } from './curricula.js';
import type { Member } from './learners.js';
import { naiveToken } from './naive-downloads.js';
import type { Downloads } from './naive-downloads.js';
import { instant } from './naive-instants.js';
import type { Resolvable } from './naive-page.js';
import type { Row } from './row.js';

interface Section {
  readonly section_id: string;
  readonly position: number;
  readonly title: string;
  readonly drip_days: number;
  readonly opens_at: string | null;
  readonly lectures: readonly Row[];
}

interface Attachment {
  readonly title: string;
  readonly kind: string;
  readonly url: string | null;
  readonly file: Row | null;
  readonly downloadable: boolean;
}

interface Caller extends Member {
  readonly baseUrl: string;
  readonly downloads: Downloads;
}

const DAY = 86_400_000;

function naiveText({ texts }: Curricula, { site }: Member, owner: unknown): string | null {
  const pieces = texts.filter(({ site_id, owner_id }) => site_id === site && owner_id === owner);
  if (pieces.length !== pieces[0]?.['pieces']) return null;
  const sorted = pieces.toSorted((a, b) => Number(a['piece']) - Number(b['piece']));
  return sorted.map(({ html }) => html).join('') || null;
}

/** The fields of an enrolled course that come from its curriculum. */
export function naiveCurriculum(curricula: Curricula, member: Caller, enrollment: Row): Resolvable {
  const found = curricula.curricula.find(
    ({ site_id, course_id }) => site_id === member.site && course_id === enrollment['course_id'],
  );
  const tree = found === undefined ? [] : (JSON.parse(String(found['sections'])) as Section[]);
  const start = Date.parse(String(enrollment['first_started_at'] ?? enrollment['started_at']));
  const opensAt = ({ drip_days, opens_at }: Section): number =>
    Math.max(start + drip_days * DAY, opens_at === null ? 0 : Date.parse(opens_at));
  const isOpen = (section: Section): boolean => opensAt(section) <= Date.now();
  const attachmentOf = (lecture: Row, { title, kind, url, file, downloadable }: Attachment, usable: boolean) => {
    const ids = [enrollment['enrollment_id'], lecture['lecture_id'], file?.['file_id']] as const;
    const token = () => naiveToken(member.site, member.downloads, ids);
    return {
      title,
      kind: kind.toUpperCase(),
      filename: file?.['filename'] ?? null,
      contentType: file?.['content_type'] ?? null,
      sizeBytes: file?.['bytes'] ?? null,
      downloadable,
      downloadUrl: usable ? (url ?? `${member.baseUrl}/member/attachments?token=${token()}`) : null,
    };
  };
  const lectureOf = (one: Row, opened: boolean): Resolvable => {
    const attached = curricula.lecture_attachments.find(
      ({ site_id, lecture_id }) => site_id === member.site && lecture_id === one['lecture_id'],
    );
    const attachments = JSON.parse(String(attached?.['attachments'] ?? '[]')) as Attachment[];
    const usable = one['free_preview'] === true || (opened && enrollment['active'] === true);
    const videos = attachments.flatMap(({ kind, url }) => (kind === 'video' ? (playerOf(url ?? '') ?? []) : []));
    const progress = curricula.lecture_progress.find(
      ({ site_id, person_id, course_id, lecture_id }) =>
        site_id === member.site &&
        person_id === member.person &&
        course_id === enrollment['course_id'] &&
        lecture_id === one['lecture_id'],
    );
    return {
      id: one['lecture_id'],
      slug: one['slug'],
      title: one['title'],
      position: one['position'],
      lectureType: String(one['lecture_type']).toUpperCase(),
      durationSeconds: one['duration_seconds'],
      freePreview: one['free_preview'],
      completed: instant(progress?.['completed_at']) !== null,
      completedAt: instant(progress?.['completed_at']),
      positionSeconds: progress?.['position_seconds'] ?? null,
      contentHtml: usable ? naiveText(curricula, member, one['lecture_id']) : null,
      playerUrl: usable ? (videos[0] ?? null) : null,
      attachments: attachments.map((attachment) => attachmentOf(one, attachment, usable)),
    };
  };
  const curriculum = tree.map((section) => ({
    id: section.section_id,
    title: section.title,
    position: section.position,
    availableAt: isOpen(section) ? null : new Date(opensAt(section)).toISOString(),
    lectures: section.lectures.map((one) => lectureOf(one, isOpen(section))),
  }));
  const lectures = curriculum.flatMap((section) => section.lectures);
  const open = curriculum.flatMap((section) =>
    section.lectures.filter(({ freePreview }) => section.availableAt === null || freePreview === true),
  );
  return {
    descriptionHtml: naiveText(curricula, member, enrollment['course_id']),
    curriculum,
    lecture: ({ id }: { readonly id: string }) => lectures.find((one) => one['id'] === id) ?? null,
    nextLecture: open.find(({ completed }) => completed === false) ?? null,
    lecturesCount: lectures.length,
    completedLecturesCount: lectures.filter(({ completed }) => completed === true).length,
  };
}

import type { z } from 'zod';
import { iso } from '@lyceum/rest';
import type { lecturerList, lecturerView } from './lecturer.api.schema.js';
import type { Lecturer, LecturerSummary } from './lecturer.repository.js';

export function viewLecturerSummary(row: LecturerSummary): z.infer<typeof lecturerList>['data'][number] {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    title: row.title,
    avatar_url: row.avatar_url,
    email: row.email,
    person_id: row.person_id,
    social_links: row.social_links,
    position: row.position,
    visible: row.visible,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

export function viewLecturer(row: Lecturer): z.infer<typeof lecturerView> {
  return { ...viewLecturerSummary(row), bio_html: row.bio_html };
}

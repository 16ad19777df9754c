import { editable, fixed, readOnly, resource } from '@lyceum/collections';
import type { CreateOf, ListQueryOf, PatchOf } from '@lyceum/collections';
import { CURRICULUM_LIMITS } from '@lyceum/contracts';
import { externalId, idIn, instant, metadata, name } from '@lyceum/rest';
import { z } from 'zod';

/** Ten years. */
const MAX_DRIP_DAYS = 3650;

const EXAMPLE = {
  id: '019ab3c0-9b11-7a2c-8d3e-4f5a6b7c8d9e',
  course_id: '019ab3c0-7a51-7c1e-9d3e-0d6f7c2b1a90',
  title: 'Sky and horizon',
  position: 1,
  drip_days: 0,
  opens_at: null,
  external_id: 'celestial-navigation-1',
  metadata: {},
  created_at: '2026-11-19T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

export const section = resource('Section', {
  one: 'section',
  fields: {
    course_id: fixed(idIn.meta({ description: 'Course of the section; it never changes' })),
    title: editable(name(CURRICULUM_LIMITS.titleLength).meta({ description: 'Title that members read' })),
    position: readOnly(
      z.int().min(0).meta({ description: 'Place among the sections; `PUT …/curriculum/order` changes it' }),
    ),
    drip_days: editable(
      z.int().min(0).max(MAX_DRIP_DAYS).meta({
        description: 'Days after the start of an enrollment until the lectures of the section open',
      }),
      0,
    ),
    opens_at: editable(
      instant.nullable().meta({
        description:
          'Instant before which the lectures of the section open for no student; null: `drip_days` alone count',
      }),
      null,
    ),
    external_id: editable(externalId.nullable(), null),
    metadata: editable(metadata, {}),
  },
  sorts: ['-created_at', '-updated_at', 'position'],
  ranges: ['created_at', 'updated_at'],
  filters: { course_id: idIn, external_id: externalId },
  search: { text: 'title', in: 'title' },
  examples: {
    object: EXAMPLE,
    create: { course_id: EXAMPLE.course_id, title: EXAMPLE.title },
    patch: { drip_days: 7 },
  },
});
export type SectionCreate = CreateOf<typeof section>;
export type SectionPatch = PatchOf<typeof section>;
export type SectionListQuery = ListQueryOf<typeof section>;

import { fixed, readOnly, resource } from '@lyceum/collections';
import type { CreateOf, ListQueryOf } from '@lyceum/collections';
import { idIn } from '@lyceum/rest';
import { z } from 'zod';
import { DEPLOYMENT_FAULTS, DEPLOYMENT_STATES } from './page-deployment.policy.js';

const EXAMPLE = {
  id: '019ab3c0-bb61-7f80-9192-6d7e8f901020',
  page_id: '019ab3c0-bb60-7e7f-8081-5c6d7e8f9010',
  file_id: '019ab3c0-bb62-7a91-a2a3-7e8f90102030',
  state: 'live',
  faults: [],
  bytes: 48_213,
  files_count: 7,
  created_by: '5d0f2c4e-8f3b-4a52-b1d7-6f1e2d3c4b5a',
  created_at: '2026-11-19T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

const fault = z.object({
  code: z.enum(DEPLOYMENT_FAULTS),
  path: z.string().nullable().meta({ description: 'File in the zip file; null: a fault of the whole' }),
  detail: z.string().meta({ description: 'Tells people what to change' }),
});
const FILE = { description: 'Upload of a zip file for pages that is ready, with index.html at its top' };

export const pageDeployment = resource('PageDeployment', {
  one: 'deployment',
  fields: {
    page_id: readOnly(z.uuid()),
    file_id: fixed(idIn.meta(FILE)),
    state: readOnly(
      z.enum(DEPLOYMENT_STATES).meta({
        description:
          'queued: the zip file is not checked yet; ready: never live; superseded: live before another one; failed: ' +
          'the zip file is unusable',
      }),
    ),
    faults: readOnly(
      z.array(fault).max(20).meta({ description: 'Changes that the zip file of a failed deployment needs' }),
    ),
    bytes: readOnly(z.int().min(0).meta({ description: 'Unpacked bytes of all files; 0 before it is ready' })),
    files_count: readOnly(z.int().min(0)),
    created_by: readOnly(z.uuid().nullable().meta({ description: 'Member who deployed it' })),
  },
  object: { file_id: z.uuid().nullable().meta({ description: 'Upload that it was unpacked from' }) },
  sorts: ['-created_at', '-updated_at'],
  ranges: ['created_at', 'updated_at'],
  examples: { object: EXAMPLE, create: { file_id: EXAMPLE.file_id } },
});
export type PageDeploymentCreate = CreateOf<typeof pageDeployment>;
export type PageDeploymentListQuery = ListQueryOf<typeof pageDeployment>;

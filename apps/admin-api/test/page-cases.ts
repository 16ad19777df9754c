import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Cases, CreateOther, Json } from '@lyceum/collections/conventions';
import { LocalFileStore } from '@lyceum/storage';
import { testInfrastructure } from '@lyceum/testing';
import { fileKey } from '#src/files/file.policy.js';
import { api } from './convention-target.js';
import { INDEX, zipOf } from './new-page.js';
import { ADMINISTRATORS } from './unfenced.js';

const ZIP = zipOf(INDEX);

const page = (unique: string): Json => ({ slug: unique, title: `Page ${unique}`, external_id: unique });

const pages: Cases = {
  create: page,
  patch: { title: 'Renamed', metadata: { a: 'b' } },
  unique: ['slug', 'external_id'],
  fixed: ['page_type'],
  readOnly: ['path_prefix', 'state', 'live_deployment_id', 'url'],
  derived: ['path_prefix', 'url'],
  states: {
    member: 'state',
    initial: 'draft',
    moves: {
      publish: { draft: 'published', unpublished: 'published' },
      unpublish: { published: 'unpublished' },
    },
  },
  filters: {
    state: [({ state }) => state, 'unpublished'],
    external_id: [({ external_id }) => external_id, 'none'],
  },
  unfenced: ADMINISTRATORS,
};

/** An upload with its bytes: the matrix follows no upload links. */
async function readyBundle(unique: string, other: CreateOther): Promise<string> {
  const file = { content_type: 'application/zip', bytes: ZIP.length, sha256: hash('sha256', ZIP) };
  const upload = await other('/api/v1/uploads', { purpose: 'page_bundle', filename: `${unique}.zip`, ...file });
  const [row] = await api.query<{ site_id: string; id: string }>(
    `with ready as (update files set state = 'ready' where id = $1 returning site_id, id) select * from ready`,
    [upload['id']],
  );
  if (row === undefined) throw new Error('The upload has no row');
  const directory = (await testInfrastructure()).environments['admin-api']?.['FILES_DIRECTORY'] ?? '';
  await new LocalFileStore(directory, [Buffer.alloc(32)]).put(fileKey(row), Readable.from([ZIP]), file);
  return row.id;
}

const deployments: Cases = {
  create: async (unique, other) => ({ file_id: await readyBundle(unique, other) }),
  table: 'page_deployments',
  readOnly: ['page_id', 'state', 'faults', 'bytes', 'files_count', 'created_by'],
  derived: ['file_id', 'created_by'],
  states: {
    member: 'state',
    // The job, which would make it ready, does not run. A promotion checks the zip file itself.
    initial: 'queued',
    moves: {
      promote: { queued: 'live', live: 'live', superseded: 'live' },
      roll_back: { live: 'superseded' },
    },
    steps: ['roll_back'],
  },
  parent: {
    collection: 'pages',
    create: page,
    // A roll back needs a deployment that was live before.
    fill: async (id, other) => {
      const file_id = await readyBundle(id, other);
      const path = `/api/v1/pages/${id}/deployments`;
      const { id: first } = await other(path, { file_id });
      await other(`${path}/${String(first)}/promote`, {});
    },
  },
  scopes: {
    'GET /api/v1/pages/{page_id}/deployments': 'pages:read',
    'GET /api/v1/pages/{page_id}/deployments/{deployment_id}': 'pages:read',
    'POST /api/v1/pages/{page_id}/deployments': 'pages:write',
    'POST /api/v1/pages/{page_id}/deployments/{deployment_id}/promote': 'pages:write',
    'POST /api/v1/pages/{page_id}/deployments/{deployment_id}/roll_back': 'pages:write',
  },
  own: true,
  // A deployment has no own key.
  exempt: ['filters by time, own key and words'],
  unfenced: ADMINISTRATORS,
};

/** Facts of pages. */
export const pageCases: Readonly<Record<string, Cases>> = { pages, 'pages/deployments': deployments };

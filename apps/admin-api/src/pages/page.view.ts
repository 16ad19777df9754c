import type { z } from 'zod';
import { iso } from '@lyceum/rest';
import type { pageView } from './page.api.schema.js';
import type { Page } from './page.repository.js';

export function viewPage(row: Page): z.infer<typeof pageView> {
  return {
    id: row.id,
    slug: row.slug,
    title: row.title,
    page_type: row.page_type,
    path_prefix: row.path_prefix,
    state: row.state,
    live_deployment_id: row.live_deployment_id,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

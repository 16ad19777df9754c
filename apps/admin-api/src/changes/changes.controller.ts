import { ApiResponse, PERSONAL, Routes, iso } from '@lyceum/rest';
import type { RouteRequest } from '@lyceum/rest';
import { Controller } from '@nestjs/common';
import { CHANGE_DAYS, CHANGE_SCOPES } from './change.policy.js';
import type { Change } from './change.js';
import { changeList, changeQuery } from './change.schema.js';
import type { ChangeQuery } from './change.schema.js';
import { ChangeService } from './change.service.js';

/** The feed is no operation of a collection: any of many scopes opens it, and its pages have no end. */
@Routes([
  {
    method: 'get',
    path: '/api/v1/changes',
    parameters: [],
    scopes: CHANGE_SCOPES,
    anyScope: true,
    tag: 'changes',
    query: changeQuery,
    body: undefined,
    operation: {
      id: 'listChanges',
      summary: 'List changes',
      description:
        `Returns the changes of the last ${CHANGE_DAYS} days, oldest first: the events that webhooks deliver. ` +
        'Deletions are among them. The caller sees the types whose objects its scopes read, and a teacher the changes ' +
        'of own courses, deleted ones too.\n\nStore `page.next_cursor` and continue with it, at once while `has_more` is true and after ' +
        'a pause otherwise. A change appears after all changes that an earlier page could have had, so no reader ' +
        `misses one. A cursor is valid for ${CHANGE_DAYS} days, with the filter that it came with; an older one is ` +
        '`invalid_cursor`.',
      responses: { 200: { description: 'One page of the feed', schema: changeList } },
      problems: ['forbidden'],
    },
    respond: (controller: ChangesController, request) => controller.list(request),
  },
])
@Controller()
export class ChangesController {
  constructor(private readonly changes: ChangeService) {}

  async list({ principal, query, urls }: RouteRequest): Promise<ApiResponse> {
    const asked = query as ChangeQuery;
    const { rows, next, more } = await this.changes.list(principal, asked);
    const page = { next_cursor: next, has_more: more, limit: asked.limit };
    const response = new ApiResponse(200, { data: rows.map(viewOf), page }, PERSONAL);
    return more ? response.with({ link: `<${urls.nextPage(next)}>; rel="next"` }) : response;
  }
}

function viewOf({ id, type, object_id, data, occurred_at, created_at }: Change): object {
  return { id, type, object_id, occurred_at: iso(occurred_at), created_at: iso(created_at), data };
}

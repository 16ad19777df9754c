import { Collection, Get, List } from '@lyceum/collections';
import type { ListRequest, ObjectRequest } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import type { Page as ListPage } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { Page } from './page.entity.js';
import { page } from './page.schema.js';
import type { PageListQuery } from './page.schema.js';
import { PageService } from './page.service.js';

@Collection<Page>({
  name: 'pages',
  description: 'Static pages of the site.',
  resource: page,
  etag: ({ version }) => rowTag(version),
  toolItem: ['id', 'slug', 'title', 'page_type', 'path_prefix', 'state', 'created_at', 'updated_at'],
})
@Injectable()
export class PageOperations {
  constructor(private readonly pages: PageService) {}

  @List('listPages', {
    summary: 'List pages',
    description: 'Returns pages of every state, without their content.',
    tool: {
      description:
        'Lists the pages of this site for its operators, drafts included, newest first, with their state and path. Use ' +
        'it to see which pages exist; browse_page has the text of a published one.',
    },
  })
  list({ principal, query }: ListRequest<PageListQuery>): Promise<ListPage<Page>> {
    return this.pages.list(principal, query);
  }

  @Get('getPage', {
    summary: 'Get a page',
    description: 'Returns the path, the state and the published deployment of the page.',
  })
  get({ principal, id }: ObjectRequest): Promise<Page> {
    return this.pages.get(principal, id);
  }
}

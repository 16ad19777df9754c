import { Action, Collection, Create, Delete, Get, List, Update, Upsert } from '@lyceum/collections';
import type {
  ChangeRequest,
  CreateRequest,
  Created,
  ListRequest,
  ObjectRequest,
  UpsertRequest,
  Written,
} from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import type { Page as ListPage } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import { pathPrefix } from './page-path.policy.js';
import { page } from './page.schema.js';
import type { PageCreate, PageListQuery, PagePatch } from './page.schema.js';
import { PageService } from './page.service.js';
import type { ShownPage } from './page.service.js';

@Collection<ShownPage>({
  name: 'pages',
  description: 'Static pages of the site, which people read at their `url`. Their files come by deployments.',
  resource: page,
  view: { path_prefix: pathPrefix },
  etag: ({ version }) => rowTag(version),
  toolItem: ['id', 'slug', 'title', 'state', 'live_deployment_id', 'url', 'updated_at'],
})
@Injectable()
export class PageOperations {
  constructor(private readonly pages: PageService) {}

  @List('listPages', {
    summary: 'List pages',
    description:
      'Returns pages of every state, without their files. Needs the role owner or admin, as all operations of pages do.',
    problems: ['forbidden'],
    tool: {
      description:
        'Lists the pages of this site for its owners and admins, drafts included, newest first. Use it to see which ' +
        'pages exist; browse_page has the text of a published one.',
    },
  })
  list({ principal, query }: ListRequest<PageListQuery>): Promise<ListPage<ShownPage>> {
    return this.pages.list(principal, query);
  }

  @Get('getPage', {
    summary: 'Get a page',
    description: 'Returns the address, the state and the live deployment of the page.',
    problems: ['forbidden'],
  })
  get({ principal, id }: ObjectRequest): Promise<ShownPage> {
    return this.pages.get(principal, id);
  }

  @Create('createPage', {
    summary: 'Create a page',
    description:
      'The new page is a draft without files. Visitors see it when a deployment is live and the page is published.',
    problems: ['already_exists', 'forbidden'],
    tool: {
      description:
        'Creates a page as a draft without files, for owners and admins. Use it before create_page_deployment, ' +
        'promote_page_deployment and publish_page show it to visitors.',
    },
  })
  create({ principal, body, tx }: CreateRequest<PageCreate>): Promise<Created<ShownPage>> {
    return this.pages.create(principal, body, tx);
  }

  @Upsert('putPage', {
    summary: 'Create or update a page',
    description: 'Creates the page of the `external_id` as a draft, or changes the fields that the body names.',
    problems: ['already_exists', 'forbidden'],
  })
  put(request: UpsertRequest<PageCreate, PagePatch>): Promise<Created<ShownPage>> {
    return this.pages.upsert(request);
  }

  @Update('updatePage', {
    summary: 'Update a page',
    description:
      'JSON Merge Patch (RFC 7396): absent fields stay, null clears. Another `slug` moves the page at once; its former ' +
      'address ends.',
    problems: ['already_exists', 'forbidden'],
    tool: {
      description:
        'Changes the given members of a page: absent ones stay. Use it to rename or move a page, for owners and ' +
        'admins; create_page_deployment brings other files.',
    },
  })
  update({ principal, body, tx, ...key }: ChangeRequest<PagePatch>): Promise<Written<ShownPage>> {
    return this.pages.patch(principal, key, body, tx);
  }

  @Delete('deletePage', {
    summary: 'Delete a page',
    description: 'Deletes the page with all its deployments. Visitors get 404 at once.',
    problems: ['forbidden'],
    tool: {
      description:
        'Deletes a page with all its deployments for good. Use it for a page that is over; unpublish_page hides one.',
    },
  })
  remove({ principal, tx, ...key }: ChangeRequest): Promise<Written<ShownPage>> {
    return this.pages.remove(principal, key, tx);
  }

  @Action('publishPage', 'publish', {
    summary: 'Publish a page',
    description: 'From draft or unpublished. Visitors see the live deployment; they get 404 while it has none.',
    problems: ['forbidden', 'invalid_state'],
    tool: {
      description:
        'Shows the live deployment of a draft or unpublished page to visitors. Use it when a page is ready; ' +
        'unpublish_page hides it.',
    },
  })
  publish({ principal, tx, ...key }: ChangeRequest): Promise<Written<ShownPage>> {
    return this.pages.move(principal, key, 'publish', tx);
  }

  @Action('unpublishPage', 'unpublish', {
    summary: 'Unpublish a page',
    description: 'From published. Visitors get 404; the deployments stay.',
    problems: ['forbidden', 'invalid_state'],
    tool: {
      description:
        'Hides a published page from visitors; its deployments stay. Use it to take a page down for a while; ' +
        'publish_page shows it again.',
    },
  })
  unpublish({ principal, tx, ...key }: ChangeRequest): Promise<Written<ShownPage>> {
    return this.pages.move(principal, key, 'unpublish', tx);
  }
}

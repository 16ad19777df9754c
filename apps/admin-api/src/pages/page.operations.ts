import { collection, rowOf } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { pathPrefix } from './page-path.policy.js';
import { page } from './page.schema.js';
import { PageService } from './page.service.js';
import type { ShownPage } from './page.service.js';

export const pageCollection = collection({
  name: 'pages',
  description: 'Static pages of the site, which people read at their `url`. Their files come by deployments.',
  scope: 'pages',
  service: PageService,
  row: rowOf<ShownPage>(),
  resource: page,
  view: { path_prefix: pathPrefix },
  etag: ({ revision }) => rowTag(revision),
  toolItem: ['id', 'slug', 'title', 'state', 'live_deployment_id', 'url', 'updated_at'],
  operations: {
    list: {
      id: 'listPages',
      summary: 'List pages',
      description:
        'Returns pages of every state, without their files. Needs the role owner or admin, as all operations of pages do.',
      problems: ['forbidden'],
      tool: {
        description:
          'Lists the pages of this site for its owners and admins, drafts included, newest first. Use it to see which ' +
          'pages exist; browse_page has the text of a published one.',
      },
      run: (pages, { principal, query }) => pages.list(principal, query),
    },
    get: {
      id: 'getPage',
      summary: 'Get a page',
      description: 'Returns the address, the state and the live deployment of the page.',
      problems: ['forbidden'],
      run: (pages, { principal, id }) => pages.get(principal, id),
    },
    create: {
      id: 'createPage',
      summary: 'Create a page',
      description:
        'The new page is a draft without files. Visitors see it when a deployment is live and the page is published.',
      problems: ['already_exists', 'forbidden'],
      tool: {
        description:
          'Creates a page as a draft without files, for owners and admins. Use it before create_page_deployment, ' +
          'promote_page_deployment and publish_page show it to visitors.',
      },
      run: (pages, { principal, body, tx }) => pages.create(principal, body, tx),
    },
    upsert: {
      id: 'putPage',
      summary: 'Create or update a page',
      description: 'Creates the page of the `external_id` as a draft, or changes the fields that the body names.',
      problems: ['already_exists', 'forbidden'],
      run: (pages, request) => pages.upsert(request),
    },
    update: {
      id: 'updatePage',
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
      run: (pages, { principal, body, tx, ...key }) => pages.patch(principal, key, body, tx),
    },
    actions: {
      publish: {
        id: 'publishPage',
        summary: 'Publish a page',
        description: 'From draft or unpublished. Visitors see the live deployment; they get 404 while it has none.',
        problems: ['forbidden', 'invalid_state'],
        tool: {
          description:
            'Shows the live deployment of a draft or unpublished page to visitors. Use it when a page is ready; ' +
            'unpublish_page hides it.',
        },
        run: (pages, { principal, tx, ...key }) => pages.move(principal, key, 'publish', tx),
      },
      unpublish: {
        id: 'unpublishPage',
        summary: 'Unpublish a page',
        description: 'From published. Visitors get 404; the deployments stay.',
        problems: ['forbidden', 'invalid_state'],
        tool: {
          description:
            'Hides a published page from visitors; its deployments stay. Use it to take a page down for a while; ' +
            'publish_page shows it again.',
        },
        run: (pages, { principal, tx, ...key }) => pages.move(principal, key, 'unpublish', tx),
      },
    },
    delete: {
      id: 'deletePage',
      summary: 'Delete a page',
      description: 'Deletes the page with all its deployments. Visitors get 404 at once.',
      problems: ['forbidden'],
      tool: {
        description:
          'Deletes a page with all its deployments for good. Use it for a page that is over; unpublish_page hides one.',
      },
      run: (pages, { principal, tx, ...key }) => pages.remove(principal, key, tx),
    },
  },
});

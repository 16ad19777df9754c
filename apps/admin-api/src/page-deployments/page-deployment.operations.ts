import { collection } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { flatCollection } from '#src/flat-paths/flat-collection.js';
import { PageDeployment } from './page-deployment.entity.js';
import { pageDeployment } from './page-deployment.schema.js';
import { PageDeploymentService } from './page-deployment.service.js';

export const pageDeploymentCollection = collection({
  name: 'deployments',
  scope: 'pages',
  service: PageDeploymentService,
  row: PageDeployment,
  parent: { name: 'pages', one: 'page' },
  resource: pageDeployment,
  etag: ({ version }) => rowTag(version),
  toolItem: ['id', 'state', 'faults', 'bytes', 'files_count', 'created_at'],
  operations: {
    list: {
      id: 'listPageDeployments',
      summary: 'List the deployments of a page',
      description:
        'Returns the newest 10 deployments, the live one and the one before it. A new deployment deletes the others.',
      problems: ['forbidden'],
      tool: {
        description:
          'Lists the deployments of a page with their states and faults, newest first. Use it to see whether a zip file ' +
          'is ready, and for the ids that promote_page_deployment and roll_back_page_deployment take.',
      },
      run: (deployments, { principal, parent_id, query }) => deployments.list(principal, query, { page_id: parent_id }),
    },
    get: {
      id: 'getPageDeployment',
      summary: 'Get a deployment of a page',
      description: 'Returns the state, the faults and the size of the deployment.',
      problems: ['forbidden'],
      run: (deployments, { principal, parent_id, id }) => deployments.get(principal, id, { page_id: parent_id }),
    },
    create: {
      id: 'createPageDeployment',
      summary: 'Deploy a page',
      description:
        'Queues a zip file that was uploaded for the purpose page_bundle. It has index.html at its top, at most 500 ' +
        'files and 20 MiB unpacked; a file has at most 5 MiB, a path 200 bytes. Hidden files are left out. Within ' +
        'seconds the deployment is ready, and can be promoted; or it has failed, and `faults` say why. Its bytes count ' +
        'toward the storage quota of the site.',
      problems: ['forbidden'],
      tool: {
        description:
          'Queues an uploaded zip file, which has an index page at its top, as a deployment of a page. Use it after ' +
          'complete_upload of the zip file; promote_page_deployment shows it to visitors.',
      },
      run: (deployments, { principal, parent_id, body, tx }) =>
        deployments.deploy(principal, { page_id: parent_id }, body, tx),
    },
    actions: {
      promote: {
        id: 'promotePageDeployment',
        summary: 'Promote a deployment of a page',
        description:
          'Makes a ready or superseded deployment live. The live one becomes superseded. A queued deployment is checked ' +
          'at once; one that failed is refused.',
        problems: ['forbidden', 'invalid_state', 'temporarily_unavailable'],
        tool: {
          description:
            'Makes a ready or superseded deployment of a page live, in place of the live one. Use it after create_page_deployment, or ' +
            'to return to an older one.',
        },
        run: (deployments, { principal, parent_id: page_id, tx, ...key }) =>
          deployments.promote(principal, { ...key, page_id }, tx),
      },
      roll_back: {
        id: 'rollBackPageDeployment',
        summary: 'Roll back a deployment of a page',
        description:
          'Makes the deployment live that was live before this one, which becomes superseded. Needs the live deployment, so ' +
          'a repeated request is refused.',
        problems: ['forbidden', 'invalid_state'],
        tool: {
          description:
            'Takes the live deployment of a page back: the one before it is live again. Use it when a promotion was a ' +
            'mistake, with live_deployment_id of the page.',
        },
        run: (deployments, { principal, parent_id: page_id, tx, ...key }) =>
          deployments.rollBack(principal, { ...key, page_id }, tx),
      },
    },
  },
});

/** Deployments of all pages, by their ids alone. */
export const flatPageDeploymentCollection = flatCollection(pageDeploymentCollection, {
  name: 'page_deployments',
  above: 'page_id',
  parentFirst: ['promote', 'roll_back'],
  aboveText: 'The page that is deployed; it never changes',
  create: { id: 'deployPage', summary: 'Deploy the page that the body names' },
});

import { collection, rowOf } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { webhookEndpoint } from './webhook-endpoint.schema.js';
import { WebhookEndpointService } from './webhook-endpoint.service.js';
import type { NewlyKeyed } from './webhook-endpoint.service.js';

const ROLE = 'Needs the role owner or admin.';

export const webhookEndpointCollection = collection({
  name: 'webhook_endpoints',
  scope: 'school',
  service: WebhookEndpointService,
  row: rowOf<NewlyKeyed>(),
  resource: webhookEndpoint,
  view: { secret: ({ secret }) => secret ?? null },
  etag: ({ revision }) => rowTag(revision),
  toolItem: ['id', 'url', 'description', 'event_types', 'state', 'reason', 'created_by', 'updated_at'],
  operations: {
    list: {
      id: 'listWebhookEndpoints',
      summary: 'List webhook endpoints',
      description: `Returns the URLs that receive events of the site. ${ROLE}`,
      problems: ['forbidden'],
      tool: {
        description:
          'Lists the URLs that receive events of this site. Use it to see whether one is disabled or paused.',
      },
      run: (endpoints, { principal, query }) => endpoints.list(principal, query),
    },
    get: {
      id: 'getWebhookEndpoint',
      summary: 'Get a webhook endpoint',
      description: `Returns the endpoint without its secret. ${ROLE}`,
      problems: ['forbidden'],
      run: (endpoints, { principal, id }) => endpoints.get(principal, id),
    },
    create: {
      id: 'createWebhookEndpoint',
      summary: 'Create a webhook endpoint',
      description:
        'The response shows the secret that verifies deliveries, once: read it, or rotate it. Each event type needs the ' +
        `read scope of its object. A site has at most 20 endpoints, unless the deployment sets another limit. ${ROLE}`,
      problems: ['already_exists', 'forbidden', 'invalid_state'],
      run: (endpoints, { principal, body, write, tx }) => endpoints.create(principal, body, tx, !write.dryRun),
    },
    upsert: {
      id: 'putWebhookEndpoint',
      summary: 'Create or update a webhook endpoint',
      description:
        'Creates the endpoint of the `external_id`, or changes the fields that the body names. It needs the scopes that ' +
        `the creation and the update need. ${ROLE}`,
      problems: ['forbidden', 'invalid_state'],
      run: (endpoints, request) => endpoints.upsert(request),
    },
    update: {
      id: 'updateWebhookEndpoint',
      summary: 'Update a webhook endpoint',
      description:
        'JSON Merge Patch (RFC 7396): absent fields stay, null clears. Other event types need their read scopes; another ' +
        `URL also needs those of the types from before and of the deliveries that wait. ${ROLE}`,
      problems: ['already_exists', 'forbidden'],
      run: (endpoints, { principal, body, tx, ...key }) => endpoints.patch(principal, key, body, tx),
    },
    actions: {
      enable: {
        id: 'enableWebhookEndpoint',
        summary: 'Enable a webhook endpoint',
        description:
          'From disabled; one whose creator or client has no access any more needs a claim before. What waited is ' +
          'delivered; events from the time in which it was disabled are not. ' +
          `GET /api/v1/changes has them. ${ROLE}`,
        problems: ['forbidden', 'invalid_state'],
        tool: {
          description:
            'Enables a disabled webhook endpoint, for owners and admins. Use it after its receiver was repaired.',
        },
        run: (endpoints, { principal, tx, ...key }) => endpoints.enable(principal, key, tx),
      },
      disable: {
        id: 'disableWebhookEndpoint',
        summary: 'Disable a webhook endpoint',
        description: `From enabled. It receives nothing until it is enabled. ${ROLE}`,
        problems: ['forbidden', 'invalid_state'],
        run: (endpoints, { principal, tx, ...key }) => endpoints.disable(principal, key, 'requested', tx),
      },
      claim: {
        id: 'claimWebhookEndpoint',
        summary: 'Claim a webhook endpoint',
        description:
          'The caller takes the place of its creator, whose access the endpoint needs, and needs the read scopes of all ' +
          `event types and of the deliveries that wait. A paused endpoint is enabled, and a disabled one stays so. ${ROLE}`,
        problems: ['forbidden'],
        run: (endpoints, { principal, tx, ...key }) => endpoints.claim(principal, key, tx),
      },
      rotate_secret: {
        id: 'rotateWebhookSecret',
        summary: 'Rotate the secret of a webhook endpoint',
        description:
          'The response shows the new secret, once. For 24 hours deliveries have two signatures, also one by the previous ' +
          `secret. Another rotation within them ends the older one at once. ${ROLE}`,
        ends: true,
        problems: ['forbidden'],
        run: (endpoints, { principal, write, tx, ...key }) => endpoints.rotate(principal, key, tx, !write.dryRun),
      },
    },
    delete: {
      id: 'deleteWebhookEndpoint',
      summary: 'Delete a webhook endpoint',
      description: `For good. Deliveries that wait are not sent. ${ROLE}`,
      problems: ['forbidden'],
      run: (endpoints, { principal, tx, ...key }) => endpoints.remove(principal, key, tx),
    },
  },
});

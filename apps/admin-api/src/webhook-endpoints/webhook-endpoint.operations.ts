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
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { WebhookEndpoint } from './webhook-endpoint.entity.js';
import { webhookEndpoint } from './webhook-endpoint.schema.js';
import type {
  WebhookEndpointCreate,
  WebhookEndpointListQuery,
  WebhookEndpointPatch,
} from './webhook-endpoint.schema.js';
import { WebhookEndpointService } from './webhook-endpoint.service.js';
import type { NewlyKeyed } from './webhook-endpoint.service.js';

const ROLE = 'Needs the role owner or admin.';

@Collection<NewlyKeyed>({
  name: 'webhook_endpoints',
  scope: 'school',
  resource: webhookEndpoint,
  view: { secret: ({ secret }) => secret ?? null },
  etag: ({ version }) => rowTag(version),
  toolItem: ['id', 'url', 'description', 'event_types', 'state', 'reason', 'created_by', 'updated_at'],
})
@Injectable()
export class WebhookEndpointOperations {
  constructor(private readonly endpoints: WebhookEndpointService) {}

  @List('listWebhookEndpoints', {
    summary: 'List webhook endpoints',
    description: `Returns the URLs that receive events of the site. ${ROLE}`,
    problems: ['forbidden'],
    tool: {
      description: 'Lists the URLs that receive events of this site. Use it to see whether one is disabled or paused.',
    },
  })
  list({ principal, query }: ListRequest<WebhookEndpointListQuery>): Promise<Page<WebhookEndpoint>> {
    return this.endpoints.list(principal, query);
  }

  @Get('getWebhookEndpoint', {
    summary: 'Get a webhook endpoint',
    description: `Returns the endpoint without its secret. ${ROLE}`,
    problems: ['forbidden'],
  })
  get({ principal, id }: ObjectRequest): Promise<WebhookEndpoint> {
    return this.endpoints.get(principal, id);
  }

  @Create('createWebhookEndpoint', {
    summary: 'Create a webhook endpoint',
    description:
      'The response shows the secret that verifies deliveries, once: read it, or rotate it. Each event type needs the ' +
      `read scope of its object. A site has at most 20 endpoints, unless the deployment sets another limit. ${ROLE}`,
    problems: ['already_exists', 'forbidden', 'invalid_state'],
  })
  create({ principal, body, write, tx }: CreateRequest<WebhookEndpointCreate>): Promise<Created<NewlyKeyed>> {
    return this.endpoints.create(principal, body, tx, !write.dryRun);
  }

  @Upsert('putWebhookEndpoint', {
    summary: 'Create or update a webhook endpoint',
    description: `Creates the endpoint of the \`external_id\`, or changes the fields that the body names. ${ROLE}`,
    problems: ['forbidden', 'invalid_state'],
  })
  put(request: UpsertRequest<WebhookEndpointCreate, WebhookEndpointPatch>): Promise<Created<NewlyKeyed>> {
    return this.endpoints.upsert(request);
  }

  @Update('updateWebhookEndpoint', {
    summary: 'Update a webhook endpoint',
    description:
      'JSON Merge Patch (RFC 7396): absent fields stay, null clears. Another URL or other event types need the read ' +
      `scopes of all event types. ${ROLE}`,
    problems: ['already_exists', 'forbidden'],
  })
  update({ principal, body, tx, ...key }: ChangeRequest<WebhookEndpointPatch>): Promise<Written<WebhookEndpoint>> {
    return this.endpoints.patch(principal, key, body, tx);
  }

  @Action('enableWebhookEndpoint', 'enable', {
    summary: 'Enable a webhook endpoint',
    description:
      'From disabled. What waited is delivered; events from the time in which it was disabled are not. ' +
      `GET /api/v1/changes has them. ${ROLE}`,
    problems: ['forbidden', 'invalid_state'],
    tool: {
      description:
        'Enables a disabled webhook endpoint, for owners and admins. Use it after its receiver was repaired.',
    },
  })
  enable({ principal, tx, ...key }: ChangeRequest): Promise<Written<WebhookEndpoint>> {
    return this.endpoints.enable(principal, key, tx);
  }

  @Action('disableWebhookEndpoint', 'disable', {
    summary: 'Disable a webhook endpoint',
    description: `From enabled. It receives nothing until it is enabled. ${ROLE}`,
    problems: ['forbidden', 'invalid_state'],
  })
  disable({ principal, tx, ...key }: ChangeRequest): Promise<Written<WebhookEndpoint>> {
    return this.endpoints.disable(principal, key, 'requested', tx);
  }

  @Action('claimWebhookEndpoint', 'claim', {
    summary: 'Claim a webhook endpoint',
    description:
      'The caller takes the place of its creator, whose access the endpoint needs, and needs the read scopes of all ' +
      `event types. A paused endpoint is enabled. ${ROLE}`,
    problems: ['forbidden'],
  })
  claim({ principal, tx, ...key }: ChangeRequest): Promise<Written<WebhookEndpoint>> {
    return this.endpoints.claim(principal, key, tx);
  }

  @Action('rotateWebhookSecret', 'rotate_secret', {
    summary: 'Rotate the secret of a webhook endpoint',
    description:
      'The response shows the new secret, once. For 24 hours deliveries have two signatures, also one by the previous ' +
      `secret. ${ROLE}`,
    ends: true,
    problems: ['forbidden'],
  })
  rotate({ principal, write, tx, ...key }: ChangeRequest): Promise<Written<NewlyKeyed>> {
    const { id, ifMatch } = key;
    return this.endpoints.rotate(principal, { id, ifMatch }, tx, !write.dryRun);
  }

  @Delete('deleteWebhookEndpoint', {
    summary: 'Delete a webhook endpoint',
    description: `For good. Deliveries that wait are not sent. ${ROLE}`,
    problems: ['forbidden'],
  })
  remove({ principal, tx, ...key }: ChangeRequest): Promise<Written<WebhookEndpoint>> {
    return this.endpoints.remove(principal, key, tx);
  }
}

import { Injectable } from '@nestjs/common';
import { eventType, webhookEndpointEvents } from '@lyceum/contracts';
import { ConsumesEach } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { MailsService } from '#src/mails/mails.service.js';
import { MembersService } from '#src/members/members.service.js';

type EndpointEvent = EventOf<[typeof webhookEndpointEvents]>;

const DISABLED = eventType(webhookEndpointEvents, 'disabled');
/** Events older than this cause no mail, so a consumer that starts or catches up does not flood inboxes. */
const MAILED_DAYS = 3;
const DAY_MS = 86_400_000;

/** Tells the creator of a webhook endpoint that the service disabled it. */
@Injectable()
export class WebhookEndpointsConsumer {
  constructor(
    private readonly members: MembersService,
    private readonly mails: MailsService,
  ) {}

  @ConsumesEach(webhookEndpointEvents, 'webhook-endpoints')
  async mail({ type, occurred_at, data }: EndpointEvent, tx: EntityManager): Promise<void> {
    const { reason, site_id, url, created_by } = data;
    if (type !== DISABLED || (reason !== 'gone' && reason !== 'failing')) return;
    if (Date.now() - Date.parse(occurred_at) > MAILED_DAYS * DAY_MS) return;
    const person_id = await this.members.personOf(tx, site_id, created_by);
    if (person_id === undefined) return;
    await this.mails.add(tx, { kind: `webhook_${reason}`, site_id, person_id, url: withoutSecrets(url) });
  }
}

/** Queries often have a token of the receiver. */
function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

import { Injectable } from '@nestjs/common';
import { Wraps } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { FanOutsService } from '#src/fan-outs/fan-outs.service.js';
import { isRecent } from '#src/notifications/kinds.policy.js';
import { NotificationsService } from '#src/notifications/notifications.service.js';
import { OCCASIONS } from '#src/notifications/occasions.js';
import { stateChanges } from '#src/notifications/state-changes.js';
import { ofKnownPeople } from '#src/people/known-people.js';
import { EventRegistrationsRepository } from './event-registrations.repository.js';
import type { EventEvent, RegistrationEvent } from './event-registrations.repository.js';
import { planChange, registrationNotice } from './registration-notice.policy.js';

const eventUrl = (slug: string): string => `/events/${slug}`;

/** Notifies members of their registrations, and registrants of changes of their event. */
@Injectable()
export class EventRegistrationsConsumer {
  constructor(
    private readonly registrations: EventRegistrationsRepository,
    private readonly fanOuts: FanOutsService,
    private readonly notifications: NotificationsService,
  ) {}

  @Wraps(EventRegistrationsRepository, 'applyEvents')
  async applyAndAnnounce(events: readonly EventEvent[], tx: EntityManager): Promise<void> {
    const stored = await this.registrations.lockEvents(
      events.map(({ data }) => data.event_id),
      tx,
    );
    await this.registrations.applyEvents(events, tx);
    for (const { data } of events) await this.#announceCancellation(data, tx);
    for (const { before, event } of stateChanges(stored, events)) {
      const change = planChange(before, event.data);
      if (change !== null) await this.#announceChange(event, change, tx);
    }
  }

  @Wraps(EventRegistrationsRepository, 'applyRegistrations')
  async applyRegistrations(events: readonly RegistrationEvent[], tx: EntityManager): Promise<void> {
    const known = ofKnownPeople(events);
    const ids = known.map(({ data }) => data.registration_id);
    const eventIds = known.map(({ data }) => data.event_id);
    const stored = await this.registrations.lockRegistrations(ids, eventIds, tx);
    await this.registrations.applyRegistrations(events, tx);
    await this.#notifyOfCanceled(ids, tx);
    for (const { before, event } of stateChanges(stored, known)) {
      const { site_id, registration_id } = event.data;
      const kind = registrationNotice(before, event.data, Date.now());
      if (kind === null) continue;
      await this.fanOuts.enqueue(tx, {
        audience: 'registration',
        audience_id: registration_id,
        site_id,
        occasion: `${kind}:${registration_id}`,
        kind,
        parameters: {},
        path: null,
        subject_id: null,
      });
    }
  }

  /** Notifies the members whose registrations, or links to them, came after the cancellation of the event. */
  async #notifyOfCanceled(ids: readonly string[], tx: EntityManager): Promise<void> {
    const canceled = await this.registrations.canceledWithEvent(ids, tx);
    await this.notifications.notify(
      tx,
      canceled.map(({ registration_id, site_id, person_id, event_id, name, slug }) => ({
        site_id,
        person_id,
        occasion: OCCASIONS.event_canceled.of(event_id),
        kind: 'event_canceled',
        parameters: { event: name },
        path: eventUrl(slug),
        subject_id: registration_id,
      })),
    );
  }

  async #announceCancellation(
    { site_id, event_id, name, slug, state, canceled_at }: EventEvent['data'],
    tx: EntityManager,
  ): Promise<void> {
    if (state !== 'canceled' || !isRecent(canceled_at, Date.now())) return;
    await this.fanOuts.enqueue(tx, {
      audience: 'canceled_event',
      audience_id: event_id,
      site_id,
      occasion: OCCASIONS.event_canceled.of(event_id),
      kind: 'event_canceled',
      parameters: { event: name },
      path: eventUrl(slug),
      subject_id: null,
    });
  }

  async #announceChange(
    { data, epoch, aggregate_version, occurred_at }: EventEvent,
    change: string,
    tx: EntityManager,
  ): Promise<void> {
    const { site_id, event_id, name, slug } = data;
    if (!isRecent(occurred_at, Date.now())) return;
    await this.fanOuts.enqueue(tx, {
      audience: 'event',
      audience_id: event_id,
      site_id,
      occasion: `event_changed:${event_id}:${epoch}:${aggregate_version}`,
      kind: 'event_changed',
      parameters: { event: name, change },
      path: eventUrl(slug),
      subject_id: null,
    });
  }
}

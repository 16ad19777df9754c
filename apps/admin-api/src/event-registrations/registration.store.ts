import type { SiteStore, SiteStores } from '@lyceum/collections';
import { eventRegistrationEvents } from '@lyceum/contracts';
import { copyOf, iso } from '@lyceum/rest';
import { forAdministrators } from '#src/access/administrator.policy.js';
import { EventRegistration } from './registration.entity.js';
import { REGISTRATION_PARTS } from './registration.repository.js';
import { eventRegistration as resource } from './registration.schema.js';

export type RegistrationStore = SiteStore<EventRegistration, typeof eventRegistrationEvents>;

export function registrationStore(stores: SiteStores): RegistrationStore {
  return stores.of({
    entity: EventRegistration,
    // Events name the person; lists do not show it.
    resource: copyOf(resource, { details: ['person_id'] }),
    fence: forAdministrators('manage registrations'),
    computed: REGISTRATION_PARTS,
    unique: { event_registrations_external_id: 'external_id' },
    events: eventRegistrationEvents,
    data: (row) => ({
      registration_id: row.id,
      site_id: row.site_id,
      student_id: row.student_id,
      person_id: row.person_id,
      event_id: row.event_id,
      ticket_id: row.ticket_id,
      state: row.state,
      registered_at: iso(row.registered_at),
      checked_in_at: iso(row.checked_in_at),
      canceled_at: iso(row.canceled_at),
    }),
  });
}

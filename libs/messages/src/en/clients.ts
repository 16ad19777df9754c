/** Clients that the site did not create, in the admin area. */
export const clients = {
  'client.registered': 'Registered',
  'client.document': 'By document',
  'client.unreviewed': 'Unreviewed',
  'client.approved': 'Approved',
  'client.blocked': 'Blocked',
  'client.is_blocked': 'It has no access to this site.',
  'client.is_registered': 'It runs on the device of a person and registered itself. Consent shows it as unverified.',
  'client.is_approved': 'It may change what the person who allows it may change.',
  'client.is_unreviewed': 'It may only read, and consent shows it as unverified.',
  'client.lead':
    'Applications that this site did not create: they registered themselves, or describe themselves by a document at an address of their own.',
  'client.who_registers': 'Who may register',
  'client.search': 'Name or client_id',
  'client.origin': 'Origin',
  'client.every_origin': 'Every origin',
  'client.waiting': '{count} waiting for a review',
  'client.waiting_more': 'More than {count} waiting for a review',
  'client.show_all': 'Show all clients',
  'client.no_match': 'No client matches.',
  'client.none': 'No external clients yet.',
  'client.older': 'Older clients',
  'client.origin_used': '{origin} · last used {when}',
  'client.origin_unused': '{origin} · never used',
  'client.published_at': 'Published at (client_id)',
  'client.sends_to': 'Sends people to',
  'client.first_seen': 'First seen',
  'client.registered_hint':
    'A registered client cannot be approved, because every program on a device can use its client_id. After a block it can register again: switch registrations off under {settings}.',
  'client.approve': 'Approve',
  'client.stale':
    'The client has changed since you opened its page. Nothing was approved. Check the current values below, then decide again.',
  'client.unblock': 'Unblock',
  'client.block': 'Block',
  'client.block_question': 'Block {name}?',
  'client.block_effect':
    'Its access to this site ends at once, for every person who allowed it. You can unblock it later.',
  'client.block_registered':
    'Its access to this site ends at once, for every person who allowed it. You can unblock it later. It can register again under another client_id.',
  'client.withdraw': 'Withdraw the approval',
  'client.withdraw_question': 'Withdraw the approval of {name}?',
  'client.withdraw_effect':
    'Its access to this site ends at once. People who allow it again give it access that may only read.',
  'client.audit': 'Audit log of this client',
  'client.all': 'All external clients',
} as const;

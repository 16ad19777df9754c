import { say } from '@lyceum/messages';

/** The sentences about a change in the admin area, by kind. */
export const ADMIN_NOTICES = {
  application_created: (about) => say('notice.application_created', { about }),
  application_changed: (about) => say('notice.application_changed', { about }),
  application_deleted: (about) => say('notice.application_deleted', { about }),
  secret_rotated: (about) => say('notice.secret_rotated', { about }),
  old_secret_ended: (about) => say('notice.old_secret_ended', { about }),
  client_approved: (about) => say('notice.client_approved', { about }),
  client_blocked: (about) => say('notice.client_blocked', { about }),
  client_unreviewed: (about) => say('notice.client_unreviewed', { about }),
  connections_on: () => say('notice.connections_on'),
  connections_off: () => say('notice.connections_off'),
  settings_saved: () => say('notice.settings_saved'),
  host_added: (about) => say('notice.host_added', { about }),
  host_removed: (about) => say('notice.host_removed', { about }),
  member_invited: (about) => say('notice.member_invited', { about }),
  invitation_resent: (about) => say('notice.invitation_resent', { about }),
  member_suspended: (about) => say('notice.member_suspended', { about }),
  member_reinstated: (about) => say('notice.member_reinstated', { about }),
  member_removed: (about) => say('notice.member_removed', { about }),
  invitation_withdrawn: (about) => say('notice.invitation_withdrawn', { about }),
  roles_changed: (about) => say('notice.roles_changed', { about }),
} as const satisfies Readonly<Record<string, (about: string) => string>>;

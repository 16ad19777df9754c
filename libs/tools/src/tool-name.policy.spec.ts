import { toolNameFault } from './tool-name.policy.js';

const reads = { readOnlyHint: true };
const writes = { readOnlyHint: false };

it.each([
  ['public', 'browse_catalog', reads],
  ['public', 'get_school_profile', reads],
  ['public', 'whoami', reads],
  ['member', 'my_course', reads],
  ['member', 'my_notification_subscriptions', reads],
  ['member', 'mark_all_notifications_read', writes],
  ['operator', 'list_courses', reads],
  ['operator', 'get_membership_plan', reads],
  ['operator', 'search_operations', reads],
  ['operator', 'describe_operation', reads],
  ['operator', 'read_operation', reads],
  ['operator', 'create_course', writes],
  ['operator', 'update_lecture', writes],
  ['operator', 'delete_course', writes],
  ['operator', 'revoke_enrollment', writes],
] as const)('accepts the %s tool %s', (audience, name, annotations) => {
  expect(toolNameFault({ audience, name, annotations })).toBeUndefined();
});

it.each([
  ['public', 'get_course', reads, 'browse_<resource>'],
  ['public', 'search_catalog', reads, 'browse_<resource>'],
  ['public', 'browse_', reads, 'browse_<resource>'],
  ['member', 'list_my_courses', reads, 'my_<resource>'],
  ['member', 'whoami', reads, 'my_<resource>'],
  ['member', 'my_notification', writes, '<action>_<resource>'],
  ['operator', 'courses', reads, 'list_, get_'],
  ['operator', 'create_course', reads, 'list_, get_'],
  ['operator', 'list_all_events', reads, 'list_, get_'],
  ['operator', 'get_course_details', reads, 'list_, get_'],
  ['operator', 'browse_courses', reads, 'list_, get_'],
  ['operator', 'my_courses', reads, 'list_, get_'],
  ['operator', 'get_course', writes, '<action>_<resource>'],
  ['operator', 'save_lecture', writes, '<action>_<resource>'],
  ['operator', 'publish', writes, '<action>_<resource>'],
] as const)('refuses the %s tool %s', (audience, name, annotations, words) => {
  expect(toolNameFault({ audience, name, annotations })).toContain(words);
});
